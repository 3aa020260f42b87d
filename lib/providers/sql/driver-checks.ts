import type { DatabaseConnection } from 'kysely'
import type { SqlDialect } from './dialect.js'
import type { Connection } from './sql-change-set.js'

/**
 * Checks the driver of a database, and detects one with a single connection.
 *
 * @throws TypeError if the driver is not supported
 */
export async function checkDriver(dialect: SqlDialect, database: Connection): Promise<SqlDialect> {
  await dialect.checkDriver?.(database)
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
