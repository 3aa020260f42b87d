import type { Row } from '../../evaluation/row.js'
import { violation } from './constraint-violations.js'
import type { EntityTable } from './entity-table.js'
import { RowReader } from './row-reader.js'
import type { Changed, ChangeCall, SqlDatabase } from './sql-database.js'
import type { Sql } from './sql-text.js'
import { raw, sql } from './sql-text.js'

const keysOnly: ReadonlySet<string> = new Set()

/**
 * Reads the keys of rows of a table, `t0` in the condition, and the columns that others refer to.
 *
 * @param lock lock clause
 */
export async function readKeys(
  database: SqlDatabase,
  table: EntityTable,
  condition: Sql,
  call: ChangeCall,
  lock = '',
): Promise<readonly Row[]> {
  const reader = new RowReader(table, database.dialect, keysOnly)
  const rows = await database.read(
    sql`select ${reader.selection('t0')} from ${raw(table.source)} as t0 where ${condition}${raw(lock)}`,
    call,
  )
  return reader.rows(rows)
}

/** Locks rows of a table, `t0` in the condition, where the database has row locks. */
export async function lockRows(
  database: SqlDatabase,
  { quoted, isView }: EntityTable,
  condition: Sql,
  call: ChangeCall,
): Promise<void> {
  const { lockToChange } = database.writes
  if (lockToChange === '' || isView) return
  await database.read(
    sql`select 1 as n from ${raw(quoted)} as t0 where ${condition}${raw(lockToChange)}`,
    call,
  )
}

/** Changes rows. @throws ODataError Conflict or BadRequest for violated constraints, with properties of the table */
export async function writeRows(
  database: SqlDatabase,
  table: EntityTable,
  statement: Sql,
  call: ChangeCall,
): Promise<Changed> {
  try {
    return await database.write(statement, call)
  } catch (error) {
    throw violationOf(database, table, error)
  }
}

/** Returns the error for the client if an error of the driver is a violated constraint. */
export function violationOf(database: SqlDatabase, table: EntityTable, error: unknown): unknown {
  const fault = database.writes.fault(error)
  return fault === undefined ? error : violation(fault, table, error)
}
