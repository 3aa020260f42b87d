import type { ColumnFacts } from './column.js'
import { getOrCreate } from '../../util/get-or-create.js'
import type { Sql } from './sql-text.js'

/** Runs a statement and returns its rows. */
export type RunStatement = (statement: Sql) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** The tables and views of a database. */
export interface DatabaseSchema {
  readonly tables: readonly DatabaseTable[]
  /** Tables and views that the database cannot read, with its reason. */
  readonly unreadable?: ReadonlyMap<string, string> | undefined
  /** Sentences about tables and columns that the user of the connection cannot read, and which are left out. */
  readonly notices?: readonly string[] | undefined
}

/** A column that is not in the list of columns. */
export interface NamedColumn {
  readonly name: string
  readonly facts: ColumnFacts
}

/** A kind of statement that changes rows. */
export type ChangeKind = 'insert' | 'update' | 'delete'

export interface DatabaseTable {
  /** Undefined if the database has no schemas. */
  readonly schema: string | undefined
  readonly name: string
  /** True if the schema is on the search path. */
  readonly isDefaultSchema: boolean
  readonly columns: ReadonlyMap<string, ColumnFacts>
  readonly isView: boolean
  /** The statements that the table does not accept, or for which the user has no privilege. */
  readonly refuses?: readonly ChangeKind[] | undefined
  /** True if `on conflict` is not supported for the table. */
  readonly failsWhenTaken?: boolean | undefined
  /**
   * True for views of SQLite, which triggers change: statements count no rows, and conditions cannot name their alias.
   */
  readonly changesByTriggers?: boolean | undefined
  /** True for virtual tables of SQLite, such as indexes for a full-text search, which are served only if their key is given. */
  readonly isVirtual?: boolean | undefined
  /** The row id of a table of SQLite. */
  readonly rowId?: NamedColumn | undefined
  /**
   * True if rows can have the same key although the catalog has a key: those of child tables of PostgreSQL, or if the
   * key may have columns that the catalog of MySQL hides.
   */
  readonly canShareKeys?: boolean | undefined
  /** The partitioned table of PostgreSQL to which this partition belongs. */
  readonly partitionOf?: DatabaseForeignKey['target'] | undefined
  /** True if triggers, rules or another server may change rows after the statement has returned them. */
  readonly hasTriggers?: boolean | undefined
  /** True if triggers or rules may drop changes without an error. */
  readonly dropsChanges?: boolean | undefined
  /** Empty for a table without a primary key. */
  readonly primaryKey: readonly string[]
  /** The columns of unique keys except the primary key. */
  readonly uniqueKeys: readonly (readonly string[])[]
  readonly foreignKeys: readonly DatabaseForeignKey[]
  readonly comment: string | undefined
}

export interface DatabaseForeignKey {
  readonly columns: readonly string[]
  readonly target: { readonly schema: string | undefined; readonly table: string }
  readonly targetColumns: readonly string[]
  /** True if rows are deleted with the row that they refer to. */
  readonly cascades: boolean
  /** True if the database always rejects foreign keys to missing rows. Undefined: unknown. */
  readonly isEnforced?: boolean
  /** True if the database rejects them at the end of the transaction: a later change can add the row. */
  readonly isDeferred?: boolean
}

/** Returns the primary key, or a unique key without nullable columns. */
export function keyColumnsOf({
  primaryKey,
  uniqueKeys,
  columns,
}: DatabaseTable): readonly string[] | undefined {
  if (primaryKey.length > 0) return primaryKey
  return uniqueKeys.find((key) => key.every((column) => columns.get(column)?.nullable === false))
}

/** Returns the facts of a column, which may be the row id. */
export function columnFacts({ columns, rowId }: DatabaseTable, name: string): ColumnFacts | undefined {
  return columns.get(name) ?? (rowId?.name === name ? rowId.facts : undefined)
}

/** Finds a table by its name, with or without its schema. */
export function findTable({ tables }: DatabaseSchema, name: string): DatabaseTable | undefined {
  // The name of a table can contain a dot.
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

/** Finds the table of an entity set by the name of the set, or by that of its type for tables with singular names. */
export function findSetTable(
  schema: DatabaseSchema,
  set: { readonly name: string; readonly entityType: { readonly name: string } },
): DatabaseTable | undefined {
  return findTable(schema, set.name) ?? findTable(schema, set.entityType.name)
}

/**
 * Finds the name of a database for a name of the model: an equal name, the only one that differs in case, an equal name in
 * snake case, or the only one with the same letters and digits, as `Order Details` for `OrderDetails`.
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

/** Returns the letters and digits of a name in lower case. */
export function lettersOf(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
}

/** Converts `OrderDetails` to `order_details`, and `ProductID` to `product_id`. */
export function snakeCase(name: string): string {
  return name
    .replace(/(\p{Ll}|\p{Nd})(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1_$2')
    .toLowerCase()
}

/** A row of the catalog of a database. */
export type SchemaRow = Readonly<Record<string, unknown>>

/** Groups rows by the values of some columns, in the order of the first row of each group. */
export function groupRows(
  rows: readonly SchemaRow[],
  ...names: readonly string[]
): ReadonlyMap<string, readonly SchemaRow[]> {
  const groups = new Map<string, SchemaRow[]>()
  for (const row of rows)
    getOrCreate(groups, compoundKey(...names.map((name) => row[name])), () => []).push(row)
  return groups
}

/** Returns the key of a group of rows. */
export function compoundKey(...values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : JSON.stringify(values)
}

export function optionalText(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : `${value as string}`
}

/** A column of a catalog, and whether the user of the connection may read it. */
interface ReadableRow extends SchemaRow {
  readonly table?: unknown
  readonly readable?: unknown
}

/** Returns a sentence for each table that cannot be read, or that has such columns. */
export function noticesOf(columns: readonly ReadableRow[]): readonly string[] {
  return [...groupRows(columns, 'schema', 'table').values()].flatMap((rows) => {
    const hidden = rows.filter(({ readable }) => readable !== true)
    const [first] = hidden
    if (first === undefined) return []
    const names = hidden.map(({ column }) => `'${String(column)}'`).join(', ')
    return [skipped(String(first.table), hidden.length === rows.length ? '' : names)]
  })
}

/** Returns the sentence about a table, or about some of its columns, that the user may not read. */
export function skipped(table: string, columns: string): string {
  const what = columns === '' ? '' : `${columns} of `
  return `Skipped ${what}'${table}': the user of the connection may not read it.`
}

/** Omits keys and foreign keys with columns that were left out. */
export function withReadableKeys(table: DatabaseTable): DatabaseTable {
  const isWhole = (names: readonly string[]): boolean => names.every((name) => table.columns.has(name))
  return {
    ...table,
    primaryKey: isWhole(table.primaryKey) ? table.primaryKey : [],
    uniqueKeys: table.uniqueKeys.filter(isWhole),
    foreignKeys: table.foreignKeys.filter(({ columns }) => isWhole(columns)),
  }
}
