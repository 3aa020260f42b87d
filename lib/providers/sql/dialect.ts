import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { CanonicalFunctionName } from '../../query/canonical-functions/canonical-functions.js'
import type { RelationalOperator, SqlValue } from './sql-value.js'
import type { Column } from './column.js'
import type { Sql } from './sql-text.js'

/**
 * What differs between databases, and no more. Every member that returns undefined says that the database cannot do
 * a thing with exactly the result that the library has; then the library does it.
 */
export interface SqlDialect {
  readonly name: 'sqlite' | 'postgres' | 'mysql'
  /** Whether `insert`, `update` and `delete` can return what they changed. */
  readonly returns: boolean
  /** How many parameters a statement can have. */
  readonly maximumParameters: number
  quote(identifier: string): string
  placeholder(index: number): string
  /** A column as it is read: in a form from which no digit is lost. */
  selected(column: Column, reference: Sql): Sql
  /** Turns what the driver gives for a selected column into a value; undefined when nothing is to be done. */
  reader(column: Column): ((value: unknown) => unknown) | undefined
  /** A value as a parameter that the column can hold. */
  stored(column: Column, value: unknown): Sql
  /** A value in a form in which those of its type are equal, less and greater as OData has it. */
  comparable(value: SqlValue, type: PrimitiveTypeName): Sql | undefined
  /**
   * A literal in that form. Where the database cannot hold it, the next lower value that it can hold, marked as not
   * exact.
   */
  literal(value: unknown, type: PrimitiveTypeName): SqlValue | undefined
  /** Comparison of a column with a literal, where it can be said so that an index helps. */
  columnComparison?(
    operator: 'eq' | RelationalOperator,
    column: SqlValue,
    literal: unknown,
    type: PrimitiveTypeName,
  ): Sql | undefined
  /** True exactly when both are equal or both null. */
  isSame(left: Sql, right: Sql): Sql
  /** What must hold of a value beside a comparison, where the database has an order for NaN. */
  exceptNaN?(value: SqlValue): Sql | undefined
  /** A canonical function. */
  call(name: CanonicalFunctionName, parameters: readonly SqlValue[]): SqlValue | undefined
  arithmetic(
    operator: 'add' | 'sub' | 'mul' | 'div' | 'mod',
    left: SqlValue,
    right: SqlValue,
    type: PrimitiveTypeName,
  ): SqlValue | undefined
  /** One term of an order, null standing before every value. */
  orderTerm(comparable: Sql, nullable: boolean, descending: boolean): Sql
  page(limit: number | undefined, offset: number | undefined): Sql
  /** Rows of parameters that can be joined, each with its number in front: `source(n, k0, k1)`. */
  sourceRows(rows: readonly (readonly Sql[])[], columns: readonly string[]): Sql
}
