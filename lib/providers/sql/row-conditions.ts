import type { Row } from '../../evaluation/row.js'
import type { Column } from './column.js'
import type { SqlDialect } from './dialect.js'
import { valuesOf } from './entity-table.js'
import type { Sql } from './sql-text.js'
import { joined, raw, sql } from './sql-text.js'

/** Rows whose columns have given values, in the order of the columns. */
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

/** The same of other columns, such as those of a link table, that hold values of these. */
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

/** How many values stand in one condition: longer ones cost databases more to read than several short ones. */
const mostValues = 500

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
  const atOnce = Math.max(1, Math.floor(Math.min(mostValues, dialect.maximumParameters / 2) / columns.length))
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

/** Whether the columns can hold the values at all: what they cannot hold is in no row. */
export function canHold(
  dialect: SqlDialect,
  columns: readonly Column[],
  values: readonly unknown[],
): boolean {
  return columns.every((column, index) => dialect.misfit?.(column, values[index]) === undefined)
}
