import type { Kysely } from 'kysely'
import type { ServedSource } from './served-source.js'
import { codeOf, reasonOf, SourceError } from './served-source.js'
import { optionalPackage } from './optional-package.js'

/** Opens an SQLite database and makes a service of its tables. @throws SourceError */
export async function serveSqlite(file: string, readOnly: boolean): Promise<ServedSource> {
  const purpose = 'To serve an SQLite database'
  const packages = ['kysely', 'better-sqlite3']
  const { Kysely, SqliteDialect } = await optionalPackage(() => import('kysely'), packages, purpose)
  const { default: Database } = await optionalPackage(() => import('better-sqlite3'), packages, purpose)
  const title = `the database ${file}`
  try {
    const database = new Database(file, { fileMustExist: true, readonly: readOnly })
    return await served(new Kysely<unknown>({ dialect: new SqliteDialect({ database }) }), title)
  } catch (error) {
    if (error instanceof SourceError) throw error
    throw new SourceError(sqliteReason(file, error))
  }
}

/** Connects to a PostgreSQL database and makes a service of its tables. @throws SourceError */
export async function servePostgres(address: string): Promise<ServedSource> {
  const purpose = 'To serve a PostgreSQL database'
  const packages = ['kysely', 'pg']
  const { Kysely, PostgresDialect } = await optionalPackage(() => import('kysely'), packages, purpose)
  const { default: pg } = await optionalPackage(() => import('pg'), packages, purpose)
  const url = urlOf(address)
  const shown = `${url.hostname || 'localhost'}${url.port === '' ? '' : `:${url.port}`}${url.pathname}`
  const pool = new pg.Pool({ connectionString: address, connectionTimeoutMillis: 10_000 })
  // A connection that breaks while nobody uses it is replaced by the next request.
  pool.on('error', () => undefined)
  try {
    return await served(
      new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }),
      `the database ${shown}`,
    )
  } catch (error) {
    if (error instanceof SourceError) throw error
    throw new SourceError(postgresReason(url, shown, error))
  }
}

async function served(db: Kysely<unknown>, title: string): Promise<ServedSource> {
  const { introspect, sqlProvider } = await import('../sql.js')
  try {
    const notices: string[] = []
    const model = await introspect(db, { onNotice: (notice) => notices.push(forCommandLine(notice)) })
    const provider = sqlProvider(model, db)
    await provider.ready()
    return { title, model, provider, notices, close: () => db.destroy() }
  } catch (error) {
    await db.destroy()
    // What the library says of a database needs no explanation.
    throw error instanceof TypeError
      ? new SourceError(error.message.replace(/^introspect: /, `${title}: `))
      : error
  }
}

/** What the library advises those who write code, a command line cannot follow. */
function forCommandLine(message: string, title = ''): string {
  return message.replace(/^introspect: /, `${title}: `).replace(/ Name (?:its columns|keys in 'keys').*$/, '')
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

function urlOf(address: string): URL {
  try {
    return new URL(address)
  } catch {
    throw new SourceError(
      'The address of the database cannot be read. It is written postgres://user:password@host:5432/database, ' +
        'with other characters than letters and digits in percent-encoding.',
    )
  }
}

function postgresReason(url: URL, shown: string, error: unknown): string {
  const user = decodeURIComponent(url.username)
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return `Nothing listens at ${shown}. Is PostgreSQL running there, and is the port right?`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `There is no host '${url.hostname}'.`
    case '28P01':
      return `PostgreSQL does not accept this password for the user '${user}'.`
    case '28000':
      return `PostgreSQL does not let the user '${user}' in: ${reasonOf(error)}.`
    case '3D000':
      return `There is no database '${decodeURIComponent(url.pathname.slice(1))}' at ${url.host}.`
    default:
      return `${shown} cannot be reached: ${reasonOf(error) || (codeOf(error) ?? 'no reason was given')}.`
  }
}
