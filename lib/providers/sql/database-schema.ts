import type { ColumnFacts } from './column.js'
import type { Sql } from './sql-text.js'

/** Runs a statement and gives its rows. */
export type RunStatement = (statement: Sql) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** What a database says about its tables and views. */
export interface DatabaseSchema {
  readonly tables: readonly DatabaseTable[]
}

export interface DatabaseTable {
  /** Undefined where a database has no schemas. */
  readonly schema: string | undefined
  readonly name: string
  /** True for the schema that names without schema mean. */
  readonly isDefaultSchema: boolean
  readonly columns: ReadonlyMap<string, ColumnFacts>
  readonly isView: boolean
  /** Whether rows can be inserted, changed and deleted. */
  readonly isWritable: boolean
  /** True where no insert can be told to pass over keys that are taken. */
  readonly failsWhenTaken?: boolean | undefined
  /** Empty where there is none. */
  readonly primaryKey: readonly string[]
  /** Sets of columns of which no two rows have the same values, the primary key left out. */
  readonly uniqueKeys: readonly (readonly string[])[]
  readonly foreignKeys: readonly ForeignKey[]
  /** What the database has been told about the table. */
  readonly comment: string | undefined
}

/** Columns that hold the values of columns of another table. */
export interface ForeignKey {
  readonly columns: readonly string[]
  readonly target: { readonly schema: string | undefined; readonly table: string }
  readonly targetColumns: readonly string[]
  /** Whether rows go with the row they refer to. */
  readonly cascades: boolean
  /** Whether the database always refuses rows that refer to an absent row. Absent: not known. */
  readonly isEnforced?: boolean
}

/** The table of a name, perhaps with its schema in front. @returns undefined when there is none */
export function findTable({ tables }: DatabaseSchema, name: string): DatabaseTable | undefined {
  // Nothing keeps a name from having a dot in it.
  const whole = tables.find((one) => one.isDefaultSchema && one.name === name)
  if (whole !== undefined) return whole
  const written = tables.find((one) => one.schema !== undefined && `${one.schema}.${one.name}` === name)
  if (written !== undefined) return written
  const [table = '', schema] = name.split('.').reverse()
  const visible = tables.filter((one) => (schema === undefined ? one.isDefaultSchema : one.schema === schema))
  const found = findName(
    visible.map((one) => one.name),
    table,
  )
  return found === undefined ? undefined : visible.find((one) => one.name === found)
}

/** The table of an entity set: it has the name of the set, or that of its type where tables are called by one row. */
export function findSetTable(
  schema: DatabaseSchema,
  set: { readonly name: string; readonly entityType: { readonly name: string } },
): DatabaseTable | undefined {
  return findTable(schema, set.name) ?? findTable(schema, set.entityType.name)
}

/**
 * A name as the database writes it: the same, or the only one that differs in upper and lower case, or the same in
 * snake case, as databases that fold names have it, or the only one with the same letters and digits: `OrderDetails`
 * is `Order Details`.
 */
export function findName(names: readonly string[], wanted: string): string | undefined {
  if (names.includes(wanted)) return wanted
  const folded = names.filter((one) => one.toLowerCase() === wanted.toLowerCase())
  if (folded.length === 1) return folded[0]
  const snake = snakeCase(wanted)
  const sameInSnakeCase = names.find((one) => one === snake)
  if (sameInSnakeCase !== undefined) return sameInSnakeCase
  const letters = lettersOf(wanted)
  const alike = names.filter((one) => lettersOf(one) === letters)
  return alike.length === 1 ? alike[0] : undefined
}

/** What is left of a name when only letters and digits count, in small letters. */
export function lettersOf(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
}

/** `OrderDetails` is `order_details`, `ProductID` is `product_id`. */
function snakeCase(name: string): string {
  return name
    .replace(/(\p{Ll}|\p{Nd})(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1_$2')
    .toLowerCase()
}
