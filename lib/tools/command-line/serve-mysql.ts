import { optionalPackage } from './optional-package.js'
import { databaseAddress, serveTables } from './serve-tables.js'
import type { KeysOfViews } from './view-keys.js'
import type { ServedSource } from './served-source.js'
import { codeOf, reasonOf, SourceError } from './faults.js'

/** Connects to a MySQL or MariaDB database and makes a service of its tables. @throws SourceError */
export async function serveMysql(address: string, keys: KeysOfViews = {}): Promise<ServedSource> {
  const purpose = 'To serve a MySQL or MariaDB database'
  const packages = ['kysely', 'mysql2']
  const { Kysely, MysqlDialect } = await optionalPackage(() => import('kysely'), packages, purpose)
  const { createPool } = await optionalPackage(() => import('mysql2'), packages, purpose)
  const url = databaseAddress(address, 'mysql')
  const shown = url.host + url.pathname
  if (url.pathname.length < 2) {
    throw new SourceError(`The address names no database. It ends like this: ${url.host}/database.`)
  }
  const pool = createPool({ uri: address.replace(/^mariadb:/i, 'mysql:'), connectTimeout: 10_000 })
  try {
    return await serveTables(
      new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) }),
      `the database ${shown}`,
      keys,
    )
  } catch (error) {
    if (error instanceof SourceError) throw error
    throw new SourceError(mysqlReason(url, shown, error))
  }
}

function mysqlReason(url: URL, shown: string, error: unknown): string {
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return `Nothing listens at ${shown}. Is the database running there, and is the port right?`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `There is no host '${url.hostname}'.`
    case 'ER_ACCESS_DENIED_ERROR':
    case 'ER_DBACCESS_DENIED_ERROR':
      return `${url.host} does not let the user '${decodeURIComponent(url.username)}' in with this password.`
    case 'ER_BAD_DB_ERROR':
      return `There is no database '${decodeURIComponent(url.pathname.slice(1))}' at ${url.host}.`
    default:
      return `${shown} cannot be reached: ${reasonOf(error) || (codeOf(error) ?? 'no reason was given')}.`
  }
}
