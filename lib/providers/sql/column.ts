import type { Property } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { DateForm } from './dialects/text-dates.js'

/** What the database says about a column. */
export interface ColumnFacts {
  /** The type as the database calls it, in lower case and without length: `numeric`, `timestamp`, `text`. */
  readonly dataType: string
  readonly nullable: boolean
  /** True when text is compared code point by code point. */
  readonly ordinal: boolean
  /** True when the database makes a value where none is given. */
  readonly hasDefault: boolean
  /** True when the database always makes the value itself. */
  readonly isGenerated: boolean
  /** True when the value is a number that the database counts up. */
  readonly isIdentity: boolean
  /** True for the number by which SQLite knows a row: it is always a whole number. */
  readonly isRowId?: boolean | undefined
  /** The schema of the type, where its name alone does not mean it. */
  readonly typeSchema?: string | undefined
  /** True when texts that differ may be equal to the database. */
  readonly isLoose?: boolean | undefined
  /** The numbers behind the type: `[40]` for `varchar(40)`, `[10, 2]` for `numeric(10, 2)`. */
  readonly typeArguments: readonly number[]
  /** True for whole numbers without sign, which reach twice as far. */
  readonly isUnsigned?: boolean | undefined
  /** The default as it was written: `'none'`, `0`, `now()`. */
  readonly defaultText: string | undefined
  /** What the database has been told about the column. */
  readonly comment: string | undefined
}

/** A column of a table and the simple property that it holds. */
export interface Column {
  readonly name: string
  /** The name as it stands in statements. */
  readonly quoted: string
  /** The property, for a member of a complex property behind the property that it belongs to. */
  readonly path: readonly string[]
  readonly property: Property
  readonly type: PrimitiveTypeName
  /** Whether the value can be null. */
  readonly nullable: boolean
  readonly facts: ColumnFacts
  /** The format of dates and times in a text column, detected from sample rows. */
  dateForm?: DateForm | undefined
  /** Whether a text column has guids in upper case, detected from sample rows. */
  hasUpperCaseGuids?: boolean | undefined
}
