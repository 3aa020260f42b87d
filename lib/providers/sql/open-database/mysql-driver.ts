import { nameOfDatabase, requirements } from './database-source.js'
import type { Driver } from './driver.js'
import { codeOf, reasonOf } from './driver.js'
import { optionalPackage } from './optional-package.js'

const { packages, purpose } = requirements.mysql
const CONNECT_TIMEOUT_MS = 10_000

/** Opens MySQL and MariaDB. */
export function mysqlDriver(url: URL): Driver {
  return {
    async connect() {
      const { Kysely, MysqlDialect } = await optionalPackage(() => import('kysely'), packages, purpose)
      const { createPool } = await optionalPackage(() => import('mysql2'), packages, purpose)
      const uri = url.href.replace(/^mariadb:/i, 'mysql:')
      return {
        db: new Kysely({
          dialect: new MysqlDialect({ pool: createPool({ uri, connectTimeout: CONNECT_TIMEOUT_MS }) }),
        }),
      }
    },
    describeError: (error) => reasonFor(url, error),
  }
}

function reasonFor(url: URL, error: unknown): string {
  const shown = nameOfDatabase({ kind: 'mysql', url })
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return `Nothing listens at ${shown}. Is the database running there, and is the port right?`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `There is no host '${url.hostname}'.`
    case 'ER_ACCESS_DENIED_ERROR':
    case 'ER_DBACCESS_DENIED_ERROR':
      return `${url.host} rejects the user '${decodeURIComponent(url.username)}' with this password.`
    case 'ER_BAD_DB_ERROR':
      return `There is no database '${decodeURIComponent(url.pathname.slice(1))}' at ${url.host}.`
    default:
      return `${shown} cannot be reached: ${reasonOf(error)}.`
  }
}
