import type { EntityType } from '../../edm/edm-model.js'
import type { ColumnValues } from './column-values.js'
import type { SqlDialect } from './dialect.js'
import type { EntityTable } from './entity-table.js'
import type { RowReader } from './row-reader.js'
import type { SqlDatabase } from './sql-database.js'
import type { Sql } from './sql-text.js'
import { joined, parameter, raw, sql, statementOf } from './sql-text.js'

/** A new row. */
export interface NewTableRow {
  readonly type: EntityType
  readonly values: ColumnValues
  /** What must hold for it to be added. */
  readonly conditions: readonly Sql[]
}

/**
 * Adds a row and returns what a reader reads of it, if the database can.
 *
 * @param isMild adds nothing, instead of failing, where a unique key is taken
 */
export function insertStatement(
  table: EntityTable,
  { type, values, conditions }: NewTableRow,
  database: SqlDatabase,
  reader: RowReader,
  isMild: boolean,
): Sql {
  const { dialect, writes } = database
  const [begin, end] = isMild ? writes.insertUnlessTaken : (['insert into', ''] as const)
  const columns = [...values.keys()].map(({ quoted }) => quoted)
  const pieces = [...values.values()]
  if (table.typeColumn !== undefined) {
    columns.push(table.typeColumn.quoted)
    pieces.push(parameter(type.name))
  }
  const into = `${begin} ${table.quoted}`
  const returning = dialect.returns ? returningOf(reader, dialect) : raw('')
  if (columns.length === 0) return sql`${raw(into + writes.defaultRow + end)}${returning}`
  const list = joined(pieces, ', ')
  const rows =
    conditions.length === 0 ? sql`values (${list})` : sql`select ${list} where ${joined(conditions, ' and ')}`
  return sql`${raw(`${into} (${columns.join(', ')}) `)}${rows}${raw(end)}${returning}`
}

const returned = new WeakMap<RowReader, Sql>()

/** The same for every row that is added: there is no parameter in it. */
function returningOf(reader: RowReader, dialect: SqlDialect): Sql {
  let returning = returned.get(reader)
  if (returning === undefined) {
    const { text } = statementOf(reader.selection(), (index) => dialect.placeholder(index))
    returning = raw(` returning ${text}`)
    returned.set(reader, returning)
  }
  return returning
}
