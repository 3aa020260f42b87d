import type { PrimitiveTypeName } from '../../../../lib/edm/primitive-types/primitive-type-name.js'
import type { fc } from '../../random.js'

/** A value in SQL, and the same value in JSON if it is a statement of the row. */
export type StoredLiteral = string | readonly [sql: string, json: unknown]

/** A column type of a database: its property, and what the service does with its values. */
export interface ColumnTypeRow {
  /** The type in SQL. */
  readonly column: string
  /** The type of the property without `Edm.`. */
  readonly edm: EdmName
  readonly values: readonly StoredLiteral[]
  /** More values in SQL, which clients can send back. */
  readonly random?: fc.Arbitrary<string>
  /** Values of clients in JSON that this column cannot store, with the reason in the response. */
  readonly refused?: Readonly<Record<string, string>>
  /** Stored values that are invalid for the property: in SQL, and in the error. */
  readonly invalid?: readonly (readonly [sql: string, shown: string])[]
  /** False if the database does not accept the type in a key. */
  readonly key?: false
  /** Where conditions and orders are evaluated. Default: in the database */
  readonly filter?: 'service'
  readonly order?: 'service'
  /** A filter that selects only the first value. Default: that it is equal, for strings */
  readonly select?: string
  /** True if several stored values are shown as the same, so that a new one may differ. */
  readonly isAmbiguous?: boolean
  /** Statements before the table is created. */
  readonly before?: readonly string[]
  /** The type is missing on servers without this extension, or other than MariaDB. */
  readonly requires?: string
}

type EdmName = PrimitiveTypeName extends `Edm.${infer Name}` ? Name : never

/** A value in JSON that is of another type. */
export const otherTypes: Readonly<Record<EdmName, unknown>> = {
  Binary: '?',
  Boolean: 'yes',
  Byte: 256,
  SByte: 128,
  Int16: 32768,
  Int32: 2147483648,
  Int64: '9223372036854775808',
  Decimal: '1,5',
  Double: 'x',
  Single: 'x',
  String: 5,
  Guid: 'x',
  DateTime: '2020-13-01',
  DateTimeOffset: 'x',
  Time: '24:00',
}
