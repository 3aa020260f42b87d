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
}

/** The table of a name, perhaps with its schema in front. @returns undefined when there is none */
export function findTable({ tables }: DatabaseSchema, name: string): DatabaseTable | undefined {
  const [table = '', schema] = name.split('.').reverse()
  const visible = tables.filter((one) => (schema === undefined ? one.isDefaultSchema : one.schema === schema))
  const found = findName(
    visible.map((one) => one.name),
    table,
  )
  return found === undefined ? undefined : visible.find((one) => one.name === found)
}

/**
 * A name as the database writes it: the same, or the only one that differs in upper and lower case, or the same in
 * snake case, as databases that fold names have it.
 */
export function findName(names: readonly string[], wanted: string): string | undefined {
  if (names.includes(wanted)) return wanted
  const folded = names.filter((one) => one.toLowerCase() === wanted.toLowerCase())
  if (folded.length === 1) return folded[0]
  const snake = snakeCase(wanted)
  return names.find((one) => one === snake)
}

/** `OrderDetails` is `order_details`, `ProductID` is `product_id`. */
export function snakeCase(name: string): string {
  return name
    .replace(/(\p{Ll}|\p{Nd})(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1_$2')
    .toLowerCase()
}
