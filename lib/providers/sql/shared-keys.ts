import { groupIdOf } from '../../edm/analytical-set.js'
import { waitOrAbort } from '../../util/promise-or-value.js'
import { ODataError } from '../../errors/odata-error.js'
import { reasonOf } from '../../util/thrown-error.js'
import { databaseFailure } from './database-failure.js'
import type { MappedTable } from './mapped-table.js'
import type { DriverRow } from './driver-rows.js'
import type { SqlDatabase } from './sql-database.js'
import type { Sql } from './sql-text.js'
import { joined, raw, sql } from './sql-text.js'

/** The number of rows that are checked for equal keys at the start. */
const MAX_CHECKED_ROWS = 100_000
/** Milliseconds after which such a check is cancelled, and no longer awaited. SQLite cannot be interrupted. */
const CHECK_TIMEOUT_MS = 5000

/** The result of a check for rows with equal keys. */
interface KeyCheck {
  /** Key values of at least two rows, or a key with null; undefined if no such rows were found. */
  readonly shared: readonly unknown[] | undefined
  /** True if all rows were checked. */
  readonly isComplete: boolean
}

/**
 * Finds rows with equal keys, and keys with null.
 *
 * @param source the table
 * @param key its key columns as the service compares them
 */
export async function findSharedKey(
  source: string,
  key: readonly Sql[],
  database: SqlDatabase,
): Promise<KeyCheck> {
  const names = key.map((_, index) => raw(`k${String(index)}`))
  const limit = raw(String(MAX_CHECKED_ROWS + 1))
  const selected = joined(
    key.map((one, index) => sql`${one} as ${raw(`k${String(index)}`)}`),
    ', ',
  )
  const rows = sql`(select ${selected} from ${raw(source)} as t0 limit ${limit}) as k`
  const list = joined(names, ', ')
  const hasNull = joined(
    names.map((name) => sql`${name} is null`),
    ' or ',
  )
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS)
  // A pool without a free connection cannot cancel the statement: the service then starts while it runs.
  const read = (statement: Sql): Promise<readonly DriverRow[]> =>
    waitOrAbort(database.readOnce(statement, { signal }), signal)
  try {
    const [found] = await read(
      sql`select ${list} from ${rows} group by ${list} having count(*) > 1 or ${hasNull} limit 1`,
    )
    if (found !== undefined) return { shared: Object.values(found), isComplete: false }
    const [count] = await read(sql`select count(*) as n from ${rows}`)
    return { shared: undefined, isComplete: Number(count?.n) <= MAX_CHECKED_ROWS }
  } catch (error) {
    // The database or the provider may have a shorter limit for statements.
    const { dialect } = database
    const cause = error instanceof ODataError ? error.cause : error
    const isSlow =
      dialect.classifyError(cause)?.kind === 'slow' || dialect.sessions?.wasCancelled(cause) === true
    if (signal.aborted || isSlow) return { shared: undefined, isComplete: false }
    throw error
  }
}

/**
 * Checks the key of a table if no constraint of the database makes it unique: entities with equal keys would have the same
 * URI, and pages would skip them.
 *
 * @throws TypeError naming a key of two rows, or with null
 */
export async function checkKeys(
  { set, source, keyColumns, isKeyUnique, rowId }: MappedTable,
  database: SqlDatabase,
  onNotice: ((notice: string) => void) | undefined,
): Promise<void> {
  if (isKeyUnique || groupIdOf(set) !== undefined || keyColumns.length < set.entityType.key.length) return
  const key = keyColumns.map((column) => {
    const reference = raw(`t0.${column.quoted}`)
    const { type, nullable } = column
    return database.dialect.comparable({ sql: reference, type, nullable, column }, type) ?? reference
  })
  const { shared, isComplete } = await findSharedKey(source, key, database).catch((error: unknown) => {
    // The error of the database names neither the view nor the foreign table that failed.
    if (error instanceof ODataError || databaseFailure(database.dialect, error) !== error) throw error
    throw new Error(`'${set.path}' cannot be read: ${reasonOf(error)}`, { cause: error })
  })
  const names = keyColumns.map(({ path }) => `'${path.join('/')}'`).join(', ')
  if (shared !== undefined) {
    const isNull = shared.includes(null)
    const values = shared.map((value) => `'${String(value)}'`).join(', ')
    const reason = isNull ? 'a row has null' : `several rows have ${values}`
    const advice = rowId === undefined ? 'Use other columns' : `Use other columns, or '${rowId}'`
    throw new TypeError(`The key ${names} of '${set.path}' is not unique: ${reason}. ${advice} as the key.`)
  }
  if (isComplete) return
  const limits = `${MAX_CHECKED_ROWS.toLocaleString('en')} rows and ${String(CHECK_TIMEOUT_MS / 1000)} seconds`
  onNotice?.(
    `'${set.path}': its key ${names} was checked only within ${limits}. Rows with equal keys would be lost.`,
  )
}
