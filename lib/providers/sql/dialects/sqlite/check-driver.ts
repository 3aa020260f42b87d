import type { QueryResult, DatabaseConnection } from 'kysely'
import { CompiledQuery } from 'kysely'
import type { Connection } from '../../sql-change-set.js'

/**
 * Runs two empty transactions at the same time. Some drivers of SQLite, such as that of libSQL, share a connection that
 * has a transaction, or send each statement to another one.
 *
 * @throws TypeError if the transactions disturb each other, blobs have another class, or changes of others stay unknown
 */
export async function checkSqliteDriver(database: Connection): Promise<void> {
  let isBegun = false
  let cause: unknown
  let problem: string | undefined
  let name = ''
  const run = async (connection: DatabaseConnection): Promise<void> => {
    name = connection.constructor.name
    // Some connections throw errors instead of rejecting promises.
    const execute = async (text: string): Promise<QueryResult<{ readonly blob: unknown }>> =>
      await connection.executeQuery(CompiledQuery.raw(text))
    try {
      await execute('begin')
      isBegun = true
      const { rows } = await execute("select x'00' as blob")
      if (!(rows[0]?.blob instanceof Uint8Array)) problem = 'it does not return blobs as Uint8Array'
      await execute('rollback')
      // Drivers that do not run this statement are not those of Turso, which returns no row.
      const versions = await execute('pragma data_version').catch(() => undefined)
      if (versions?.rows.length === 0) problem ??= 'it does not show changes of other connections'
    } catch (error) {
      cause = error
      problem = 'it does not keep transactions apart, so that changes could be lost'
    }
  }
  const executor = database.getExecutor()
  await Promise.all([executor.provideConnection(run), executor.provideConnection(run)])
  // If none could begin, the application has a transaction.
  if (problem === undefined || !isBegun) return
  throw new TypeError(
    `The driver of this database (${name}) is not supported: ${problem}. ` +
      "Use another one, such as better-sqlite3: openDatabase('shop.sqlite').",
    { cause },
  )
}
