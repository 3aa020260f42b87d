import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { CellReader, ValueColumn } from '../../evaluation/value-row.js'
import type { CanonicalFunctionName } from '../../query/canonical-functions/canonical-functions.js'
import type { RelationalOperator, SqlValue } from './sql-value.js'
import type { Column } from './column.js'
import type { Sql, Statement } from './sql-text.js'
import type { WireRows } from './wire/wire-rows.js'
import type { WriteDialect } from './write-dialect.js'

/**
 * What differs between databases, and no more. Every member that returns undefined says that the database cannot do
 * a thing with exactly the result that the library has; then the library does it.
 */
export interface SqlDialect {
  readonly name: 'sqlite' | 'postgres' | 'mysql'
  /** Whether `insert`, `update` and `delete` can return what they changed. */
  readonly returns: boolean
  /** Whether Kysely uses a single connection, so that statements are queued. */
  readonly hasOneConnection?: boolean | undefined
  /** How statements are kept from going on for too long; absent where nothing can stop them. */
  readonly sessions?: SessionControl | undefined
  /** How the database tells whether its data have changed. Absent: it does not, or only to its own connection. */
  readonly versions?: VersionStatements | undefined
  /** How many parameters a statement can have. */
  readonly maximumParameters: number
  quote(identifier: string): string
  placeholder(index: number): string
  /**
   * A column as it is read: in a form from which no digit is lost.
   *
   * @param isText whether the driver returns cells as strings, as the database sends them
   */
  selected(column: Column, reference: Sql, isText?: boolean): Sql
  /** Turns what the driver gives for a selected column into a value; undefined when nothing is to be done. */
  reader(column: Column): ((value: unknown) => unknown) | undefined
  /** Returns the plain text of cells that need no further check, see `ValueColumn`; undefined where all need it. */
  plainText?(column: Column): ValueColumn['plainText']
  /** How rows are read from the bytes of the connection. Absent: they are values of the driver. */
  readonly wire?: WireFormat | undefined
  /** A value as a parameter that the column can hold. */
  stored(column: Column, value: unknown): Sql
  /**
   * Returns the condition that a column has one of some values, as one parameter for any number of them. Absent: each
   * value is a parameter.
   *
   * @param own the column from which the values come, whose type they have
   * @param values canonical strings of integers or guids
   */
  among?(own: Column, reference: Sql, values: readonly string[]): Sql
  /** True exactly when a column and another text, number … of its type are the same; an index on it helps. */
  equal(column: Column, left: Sql, right: Sql): Sql
  /**
   * Returns the SQL condition for stored values that are valid for their property. Absent if the database enforces
   * column types.
   */
  readonly isValidValue?: IsValidValue | undefined
  /** Whether a column can store the same value in several formats, which a unique index treats as different. */
  hasSeveralForms?(column: Column): boolean
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
  /** What rows are sorted by for one term, where that is not just its value: the order of NaN differs. */
  orderKeys?(comparable: SqlValue): readonly OrderKey[] | undefined
  /** One term of an order, null standing before every value. */
  orderTerm(comparable: Sql, nullable: boolean, descending: boolean): Sql
  page(limit: number | undefined, offset: number | undefined): Sql
  /** How rows are changed; undefined where they are only read. */
  readonly writes?: WriteDialect | undefined
  /** Why a column cannot hold a value of its property, behind 'a value': `longer than 40 characters`. */
  misfit?(column: Column, value: unknown): string | undefined
  /** Whether a column of texts takes only some that its type knows, and fails for others. */
  hasTextsOfItsOwn?(column: Column): boolean
  /** Rows of parameters that can be joined, each with its number in front: `source(n, k0, k1)`. */
  sourceRows(rows: readonly (readonly Sql[])[], columns: readonly string[]): Sql
}

/** How rows are read as the database sends them, without a value of the driver for each cell. */
export interface WireFormat {
  /** How the cells of a column, which are strings of bytes, become values. */
  column(column: Column): TextColumn
  readonly reader: CellReader
  query(statement: Statement): WireStatement
  /** A statement that shows at the start, by its rows, whether a driver and its settings support this. */
  readonly probe: { readonly text: string; readonly rows: readonly (readonly (string | null)[])[] }
}

/** A statement that a driver takes instead of a string. */
export interface WireStatement {
  /** The rows, after the statement has ended; none if the driver has returned them as values. */
  readonly rows: WireRows
  toString(): string
}

/** How the strings of a column become values and plain text. */
export type TextColumn = Partial<Pick<ValueColumn, 'decode' | 'plainText' | 'milliseconds'>>

/** Returns the SQL condition for valid values of a column. It is true or false for all values but null. */
export type IsValidValue = (column: Column, reference: string) => string

export interface OrderKey {
  readonly sql: Sql
  readonly nullable: boolean
  /** What stands in its place for a value of the term. */
  readonly literal: (value: unknown) => Sql
}

/** Statements about the version of the data in a database. */
export interface VersionStatements {
  /** Selects a token as `version` that changes with every commit; null if there is none. */
  readonly current: Sql
  /**
   * Selects as `name` those tables whose rows may change without a new version.
   *
   * @param tables quoted names
   */
  untracked(tables: readonly string[]): Sql
}

/** How statements are stopped. */
export interface SessionControl {
  /**
   * Sent once on each connection: gives its number as `session`.
   *
   * @param statementTimeout milliseconds after which the database stops a statement of this session
   */
  begin(statementTimeout: number | undefined): Sql
  /** Sent on another connection: stops a statement, if it is still what runs in the session. */
  cancel(session: unknown, text: string): Sql
  /** Sent on another connection: gives a row as long as a session is there. */
  isThere(session: unknown): Sql
  /** Whether an error says that the statement was stopped. */
  wasCancelled(error: unknown): boolean
}
