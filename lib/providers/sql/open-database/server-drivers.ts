import { ModelError } from '../../../edm/build/model-error.js'
import { prepareStatements } from '../dialects/postgres/prepare-statements.js'
import { nameOfDatabase, requirements } from './database-source.js'
import type { Driver } from './driver.js'
import { codeOf, optionalPackage, reasonOf } from './driver.js'

const { mysql, postgres } = requirements
const CONNECT_TIMEOUT_MS = 10_000

/** User and password that the driver uses. */
interface Login {
  readonly user?: string | undefined
  readonly password?: unknown
}

/** @param hasCursors whether feeds are read through cursors, which needs `pg-cursor` */
export function postgresDriver(url: URL, isPreparing: boolean, hasCursors: boolean): Driver {
  let login: Login = {}
  return {
    async connect() {
      const { Kysely, PostgresDialect } = await optionalPackage(
        () => import('kysely'),
        postgres.packages,
        postgres.purpose,
      )
      const { default: pg } = await optionalPackage(() => import('pg'), postgres.packages, postgres.purpose)
      const cursor = hasCursors
        ? (
            await optionalPackage(
              () => import('pg-cursor'),
              [...postgres.packages, 'pg-cursor'],
              'To use cursors',
            )
          ).default
        : undefined
      // The driver completes the URL from the environment.
      login = new pg.Client(url.href)
      const pool = new pg.Pool({ connectionString: url.href, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
      // Without listeners, a connection that breaks would end the process. The pool replaces an idle one, and the
      // statement that runs on another fails.
      pool.on('error', () => undefined)
      pool.on('connect', (client) => client.on('error', () => undefined))
      const dialect = new PostgresDialect({
        pool: isPreparing ? prepareStatements(pool) : pool,
        ...(cursor === undefined ? {} : { cursor }),
      })
      return { db: new Kysely({ dialect }), pool }
    },
    describeError: (error) => postgresReason(url, login, error),
  }
}

function postgresReason(url: URL, login: Login, error: unknown): string {
  const database = databaseOf(url)
  switch (codeOf(error)) {
    case '28P01':
    case '28000':
      return loginReason(url, login, error)
    case '3D000':
      return database === ''
        ? `The URL does not name a database, and ${reasonOf(error)}. Append the name: ${url.host}/database.`
        : `There is no database '${database}' at ${url.host}.`
    default:
      return networkReason({ kind: 'postgres', url }, 'PostgreSQL', error)
  }
}

function loginReason(url: URL, { user = '', password }: Login, error: unknown): string {
  if (url.username === '')
    return `The URL does not contain a user, and PostgreSQL rejects the user '${user}': postgres://user:password@host/database.`
  if (codeOf(error) === '28000') return `PostgreSQL rejects the user '${user}': ${reasonOf(error)}.`
  return (password ?? '') === ''
    ? `PostgreSQL requires a password for the user '${user}': postgres://${user}:password@host/database, or PGPASSWORD in the environment.`
    : `PostgreSQL does not accept this password for the user '${user}', or there is no such user.`
}

/** Opens MySQL and MariaDB. */
export function mysqlDriver(url: URL): Driver {
  return {
    async connect() {
      const { Kysely, MysqlDialect } = await optionalPackage(
        () => import('kysely'),
        mysql.packages,
        mysql.purpose,
      )
      const { createPool } = await optionalPackage(() => import('mysql2'), mysql.packages, mysql.purpose)
      const uri = url.href.replace(/^mariadb:/i, 'mysql:')
      const pool = createPool({ uri, connectTimeout: CONNECT_TIMEOUT_MS })
      return { db: new Kysely({ dialect: new MysqlDialect({ pool }) }), pool }
    },
    describeError: (error) => mysqlReason(url, error),
  }
}

function mysqlReason(url: URL, error: unknown): string {
  switch (codeOf(error)) {
    case 'ER_ACCESS_DENIED_ERROR':
    case 'ER_DBACCESS_DENIED_ERROR':
      return `${url.host} rejects the user '${decodeURIComponent(url.username)}' with this password.`
    case 'ER_BAD_DB_ERROR':
      return `There is no database '${databaseOf(url)}' at ${url.host}.`
    default:
      return networkReason({ kind: 'mysql', url }, 'the database', error)
  }
}

function networkReason(
  source: { readonly kind: 'postgres' | 'mysql'; readonly url: URL },
  product: string,
  error: unknown,
): string {
  const shown = nameOfDatabase(source)
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return `No server listens at ${shown}. Check that ${product} is running there, and that the port is correct.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host '${source.url.hostname}' was not found.`
    default:
      return isFromServer(error)
        ? `The tables of ${shown} cannot be read: ${reasonOf(error)}.`
        : `${shown} cannot be reached: ${reasonOf(error)}.`
  }
}

/** Returns true for errors that the server has sent, with the members of its driver, and for those of the model. */
function isFromServer(error: unknown): boolean {
  const { severity, sqlState } = error as { readonly severity?: unknown; readonly sqlState?: unknown }
  return severity !== undefined || sqlState !== undefined || error instanceof ModelError
}

function databaseOf({ pathname }: URL): string {
  return decodeURIComponent(pathname.slice(1))
}
