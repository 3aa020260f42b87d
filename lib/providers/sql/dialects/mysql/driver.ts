import { optionalPackage, purposeOf } from '../../open-database/driver.js'
import { codeOf } from '../../../../util/thrown-error.js'
import type { Driver } from '../../open-database/driver.js'
import { CONNECT_TIMEOUT_MS, databaseOf, networkReason } from '../../open-database/network-reason.js'
import { mysqlSource } from './source.js'

const { packages } = mysqlSource
const purpose = purposeOf(mysqlSource)

/** Opens MySQL and MariaDB. */
export function mysqlDriver(url: URL): Driver {
  return {
    async connect() {
      const { Kysely, MysqlDialect } = await optionalPackage(() => import('kysely'), packages, purpose)
      const { createPool } = await optionalPackage(() => import('mysql2'), packages, purpose)
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
      return networkReason(url, 'the database', error)
  }
}
