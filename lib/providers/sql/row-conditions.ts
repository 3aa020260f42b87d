import type { Row } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import type { Column } from './column.js'
import type { SqlDialect } from './dialect.js'
import { valuesOf } from './entity-table.js'
import type { SqlDatabase } from './sql-database.js'
import type { Sql } from './sql-text.js'
import { joined, raw, sql } from './sql-text.js'

/** The condition that columns have values. */
export function hasValues(
  dialect: SqlDialect,
  columns: readonly Column[],
  values: readonly unknown[],
  prefix = '',
): Sql {
  return columnsHave(
    dialect,
    columns,
    columns.map(({ quoted }) => prefix + quoted),
    values,
  )
}

/** The condition that other columns, such as those of a link table, have the values of columns. */
export function columnsHave(
  dialect: SqlDialect,
  columns: readonly Column[],
  quoted: readonly string[],
  values: readonly unknown[],
): Sql {
  const equal = columns.map((column, index) =>
    dialect.equal(column, raw(quoted[index] ?? ''), dialect.stored(column, values[index])),
  )
  return joined(equal, ' and ')
}

/** The number of values in one condition. Parsing a longer one takes longer than several short ones. */
const MAX_VALUES = 500

/** Conditions that together find all rows whose columns have the values of one of the given rows. */
export function amongRows(
  dialect: SqlDialect,
  columns: readonly Column[],
  quoted: readonly string[],
  rows: readonly Row[],
  from: readonly Column[] = columns,
): readonly Sql[] {
  const lists = rows
    .map((row) => valuesOf(row, from))
    .filter((values) => values.every((value) => value !== null && value !== undefined))
  const atOnce = Math.max(1, Math.floor(Math.min(MAX_VALUES, dialect.maximumParameters / 2) / columns.length))
  const conditions: Sql[] = []
  for (let start = 0; start < lists.length; start += atOnce) {
    const part = lists.slice(start, start + atOnce)
    conditions.push(
      sql`(${joined(
        part.map((values) => sql`(${columnsHave(dialect, columns, quoted, values)})`),
        ' or ',
      )})`,
    )
  }
  return conditions
}

/** Returns whether columns can hold values: if not, no row has them. */
export function canHold(
  dialect: SqlDialect,
  columns: readonly Column[],
  values: readonly unknown[],
): boolean {
  return columns.every((column, index) => dialect.misfit?.(column, values[index]) === undefined)
}

/**
 * Returns whether columns can hold the values of a key: if not, no row has it. Only the database knows the valid strings
 * of a type such as an enumeration or an address, so that it has to convert them.
 */
export function canBeKey(
  database: SqlDatabase,
  columns: readonly Column[],
  values: readonly unknown[],
  call: ProviderCall,
): PromiseOrValue<boolean> {
  const { dialect } = database
  if (!canHold(dialect, columns, values)) return false
  if (dialect.hasTextsOfItsOwn === undefined) return true
  const tried = columns.flatMap((column, index) =>
    dialect.hasTextsOfItsOwn?.(column) === true ? [dialect.stored(column, values[index])] : [],
  )
  return tried.length === 0 || areValues(database, tried, call)
}

async function areValues(database: SqlDatabase, tried: readonly Sql[], call: ProviderCall): Promise<boolean> {
  try {
    await database.tried(call, sql`select ${joined(tried, ', ')}`)
    return true
  } catch (error) {
    if (database.dialect.writes?.fault(error)?.kind === 'value') return false
    throw error
  }
}
