import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import type { ValuePart } from '../../../provider/entry-template.js'
import type { Column } from '../column.js'
import type { Sql } from '../sql-text.js'

/** A column as it stands in a statement that writes entities. */
export interface Field {
  readonly column: Column
  /** The name with its table: `t0."Name"`. */
  readonly reference: string
  /** True for a view, where values may be of other types than the column says. */
  readonly isOfView: boolean
}

/** SQL of the text of a value that is not null; null where the database cannot write exactly what the service does. */
export type TextOf = (field: Field) => string

/**
 * What differs between databases that write entities. Whatever a database cannot write exactly is null, and so is then
 * the whole entity: the service writes it.
 */
export interface RenderDialect {
  /** Whether the database writes entities when nobody says whether it should. */
  readonly isUsual: boolean
  /** Asks once whether the database does as it is told; `ok` is true then. Absent: it always does. */
  readonly probe?: Sql | undefined
  /** Text that is the same for all, as a literal. */
  quoted(text: string): string
  /** What stands behind a parameter that is a text. */
  readonly parameterType: string
  /** Texts in one; null, or one that is marked, when one of them could not be written. */
  concatenation(parts: readonly Sql[]): Sql
  /** What a text must be to stand among those of {@link concatenation} when it may be null. */
  checked(text: Sql): Sql
  /**
   * Values as plain text, such as stands in XML: those of texts are not. Absent: what the database cannot write.
   *
   * @param precision digits of a second; undefined for as many as are needed
   */
  readonly plain: Readonly<Partial<Record<PrimitiveTypeName, (field: Field, precision?: number) => string>>>
  /** Milliseconds from 1970 to a date. */
  readonly milliseconds: TextOf
  /** A text with its quotes as JSON has it. */
  readonly jsonString: TextOf
  /** A text as XML has it, with what stands in front of it. */
  xmlString(field: Field, part: ValuePart): string
  /** A text that stands in addresses as it is. */
  readonly addressText: TextOf
  /** Upper-case digits of bytes. */
  readonly hexadecimal: TextOf
  /** Stands behind a select whose columns are to be computed once only. */
  readonly fence: string
  /**
   * The texts `x` of some rows in one, with the number of all in front: eight digits. Null when there are more rows than
   * may be shown.
   *
   * @param total SQL of the number
   */
  inline(rows: Sql, separator: string, total: string, limit: number): Sql
  /** Whether what {@link inline} has found is nothing. */
  isNone(column: string): string
  /**
   * The one row of a page: `text`, how many rows there are, how many of them were `written`, and how many are `inlined`.
   *
   * @param last SQL of the key of the last row
   */
  page(rows: Sql, separator: string, hasInline: boolean, last: Sql | undefined): Sql
  /**
   * The rows of a page one by one, with their `text`, `inlined` and perhaps `last`: where texts are long, to join them
   * costs more. Absent: it never does.
   */
  readonly each?: ((rows: Sql, hasInline: boolean, hasKey: boolean) => Sql) | undefined
  /**
   * How the key of the last row is found, as an array of JSON in the last line of a text: what is selected of each row
   * as `k`, and of all. Undefined when that is not exact.
   */
  lastKey(fields: readonly Field[]): { readonly ofRow: Sql; readonly ofAll: Sql } | undefined
  /** Bytes, about, that are best written by one statement where nothing is inline. Absent: as many as may be. */
  readonly piece?: number | undefined
  /** The bytes of the text of a page; undefined when they are not what the service would write. */
  bytes(text: unknown, notation: 'json' | 'xml'): Buffer | undefined
}

/** Keys that JSON holds exactly, whatever database writes it. */
export const exactKeys: readonly PrimitiveTypeName[] = [
  'Edm.Byte',
  'Edm.SByte',
  'Edm.Int16',
  'Edm.Int32',
  'Edm.Int64',
  'Edm.String',
  'Edm.Guid',
]
