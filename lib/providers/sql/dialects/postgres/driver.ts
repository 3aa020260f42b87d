import { optionalPackage, purposeOf } from '../../open-database/driver.js'
import { codeOf, reasonOf } from '../../../../util/thrown-error.js'
import type { Driver } from '../../open-database/driver.js'
import { CONNECT_TIMEOUT_MS, databaseOf, networkReason } from '../../open-database/network-reason.js'
import { prepareStatements } from './prepare-statements.js'
import { postgresSource } from './sources.js'

const { packages } = postgresSource
const purpose = purposeOf(postgresSource)

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
      const { Kysely, PostgresDialect } = await optionalPackage(() => import('kysely'), packages, purpose)
      const { default: pg } = await optionalPackage(() => import('pg'), packages, purpose)
      const cursor = hasCursors
        ? (await optionalPackage(() => import('pg-cursor'), [...packages, 'pg-cursor'], 'To use cursors'))
            .default
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
      return networkReason(url, 'PostgreSQL', error)
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
