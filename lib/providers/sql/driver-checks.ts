import type { DatabaseConnection, QueryResult } from 'kysely'
import { CompiledQuery } from 'kysely'
import type { SqlDialect } from './dialect.js'
import type { Connection } from './sql-change-set.js'

/**
 * Detects a driver with a single connection.
 *
 * @throws TypeError if transactions on a single connection disturb each other
 */
export async function checkDriver(dialect: SqlDialect, database: Connection): Promise<SqlDialect> {
  if (dialect.hasOneConnection === true) await checkTransactions(database)
  const { singleConnectionClass } = dialect
  if (singleConnectionClass === undefined) return dialect
  const classes = await connectionClasses(database)
  return classes.has(singleConnectionClass) ? { ...dialect, hasOneConnection: true } : dialect
}

/**
 * Returns the names of the class of Kysely's connections and of its base classes. Nothing else tells drivers apart: the
 * application installs them, perhaps in several copies.
 */
export function connectionClasses(database: Connection): Promise<ReadonlySet<string>> {
  return database.getExecutor().provideConnection((connection) => Promise.resolve(classesOf(connection)))
}

function classesOf(connection: DatabaseConnection): ReadonlySet<string> {
  const names = new Set<string>()
  for (let one: unknown = connection; one !== null; one = Object.getPrototypeOf(one))
    names.add((one as object).constructor.name)
  return names
}

/**
 * Runs two empty transactions at the same time. Some drivers of SQLite, such as that of libSQL, share a connection that
 * has a transaction, or send each statement to another one.
 *
 * @throws TypeError if the transactions disturb each other, or blobs have another class
 */
async function checkTransactions(database: Connection): Promise<void> {
  let isBegun = false
  let cause: unknown
  let problem: string | undefined
  let name = ''
  const run = async (connection: DatabaseConnection): Promise<void> => {
    name = connection.constructor.name
    const execute = (text: string): Promise<QueryResult<{ readonly blob: unknown }>> =>
      connection.executeQuery(CompiledQuery.raw(text))
    try {
      await execute('begin')
      isBegun = true
      const { rows } = await execute("select x'00' as blob")
      if (!(rows[0]?.blob instanceof Uint8Array)) problem = 'it does not return blobs as Uint8Array'
      await execute('rollback')
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
