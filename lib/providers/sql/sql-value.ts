import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { Column } from './column.js'
import type { Sql } from './sql-text.js'

export type RelationalOperator = 'lt' | 'le' | 'gt' | 'ge'

/** An expression in SQL and what is known of its value. */
export interface SqlValue {
  readonly sql: Sql
  /** Null for the literal `null`. */
  readonly type: PrimitiveTypeName | null
  readonly nullable: boolean
  /** The column, where the value is nothing but that. */
  readonly column?: Column | undefined
  /** The JavaScript value, where it is a literal. Not exact: the SQL stands for the next lower value there can be. */
  readonly literal?: { readonly value: unknown; readonly exact: boolean } | undefined
  /** Bits that a whole number has at most, without the sign; what is longer than 63 does not fit the database. */
  readonly bits?: number | undefined
  /** How deep calculations stand in one another, where that matters to the database. */
  readonly depth?: number | undefined
}
