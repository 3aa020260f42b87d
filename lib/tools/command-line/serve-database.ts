import type { ServedSource } from './served-source.js'
import { codeOf, reasonOf, SourceError } from './faults.js'
import { optionalPackage } from './optional-package.js'
import { databaseAddress, serveTables } from './serve-tables.js'
import type { ServeArguments } from './serve-arguments.js'
import type { KeysOfViews } from './view-keys.js'

/**
 * Opens an SQLite database and makes a service of its tables.
 *
 * @param complain called for each invalid value that is served as null
 * @throws SourceError
 */
export async function serveSqlite(
  file: string,
  {
    writable,
    keys,
    invalidAsNull = false,
  }: Pick<ServeArguments, 'writable' | 'keys'> & Partial<Pick<ServeArguments, 'invalidAsNull'>>,
  complain: (line: string) => void,
): Promise<ServedSource> {
  const purpose = 'To serve an SQLite database'
  const packages = ['kysely', 'better-sqlite3']
  const { Kysely, SqliteDialect } = await optionalPackage(() => import('kysely'), packages, purpose)
  const { default: Database } = await optionalPackage(() => import('better-sqlite3'), packages, purpose)
  const { keepStatements } = await import('../../sql.js')
  const title = `the database ${file}`
  try {
    const sqlite = keepStatements(new Database(file, { fileMustExist: true, readonly: !writable }))
    const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) })
    const invalid = invalidAsNull ? ({ invalidValues: 'null', onNotice: complain } as const) : {}
    return await serveTables(db, title, keys, { sqlite, ...invalid })
  } catch (error) {
    if (error instanceof SourceError) throw error
    throw new SourceError(sqliteReason(file, error))
  }
}

/** Connects to a PostgreSQL database and makes a service of its tables. @throws SourceError */
export async function servePostgres(address: string, keys: KeysOfViews): Promise<ServedSource> {
  const purpose = 'To serve a PostgreSQL database'
  const packages = ['kysely', 'pg']
  const { Kysely, PostgresDialect } = await optionalPackage(() => import('kysely'), packages, purpose)
  const { default: pg } = await optionalPackage(() => import('pg'), packages, purpose)
  const { prepareStatements } = await import('../../sql.js')
  const url = databaseAddress(address, 'postgres')
  const shown = `${url.hostname || 'localhost'}${url.port === '' ? '' : `:${url.port}`}${url.pathname}`
  const pool = new pg.Pool({ connectionString: address, connectionTimeoutMillis: 10_000 })
  // A connection that breaks while nobody uses it is replaced by the next request.
  pool.on('error', () => undefined)
  // One that breaks while it is used fails what it was used for.
  pool.on('connect', (client) => client.on('error', () => undefined))
  try {
    return await serveTables(
      new Kysely<unknown>({ dialect: new PostgresDialect({ pool: prepareStatements(pool) }) }),
      `the database ${shown}`,
      keys,
    )
  } catch (error) {
    if (error instanceof SourceError) throw error
    throw new SourceError(postgresReason(url, shown, error))
  }
}

function sqliteReason(file: string, error: unknown): string {
  switch (codeOf(error)) {
    case 'SQLITE_NOTADB':
      return `'${file}' is not an SQLite database, or it is encrypted.`
    case 'SQLITE_BUSY':
    case 'SQLITE_LOCKED':
      return `'${file}' is locked by another program.`
    case 'SQLITE_CORRUPT':
      return `'${file}' is damaged: ${reasonOf(error)}.`
    default:
      return `'${file}' cannot be opened: ${reasonOf(error)}.`
  }
}

function postgresReason(url: URL, shown: string, error: unknown): string {
  const user = decodeURIComponent(url.username)
  const database = decodeURIComponent(url.pathname.slice(1))
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return `Nothing listens at ${shown}. Is PostgreSQL running there, and is the port right?`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `There is no host '${url.hostname}'.`
    case '28P01':
    case '28000':
      return loginReason(user, url.password !== '' || process.env.PGPASSWORD !== undefined, error)
    case '3D000':
      return database === ''
        ? `The address names no database, and ${reasonOf(error)}. It ends like this: ${url.host}/database.`
        : `There is no database '${database}' at ${url.host}.`
    default:
      return `${shown} cannot be reached: ${reasonOf(error) || (codeOf(error) ?? 'no reason was given')}.`
  }
}

function loginReason(user: string, hasPassword: boolean, error: unknown): string {
  if (user === '' && process.env.PGUSER === undefined)
    return `The address names no user, and PostgreSQL wants one: postgres://user:password@host/database.`
  if (codeOf(error) === '28000') return `PostgreSQL does not let the user '${user}' in: ${reasonOf(error)}.`
  return hasPassword
    ? `PostgreSQL does not accept this password for the user '${user}', or there is no such user.`
    : `PostgreSQL wants a password for the user '${user}': postgres://${user}:password@host/database, or PGPASSWORD in the environment.`
}
