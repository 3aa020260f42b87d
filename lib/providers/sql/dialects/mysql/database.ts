import type { KnownDialect } from '../known-dialect.js'
import { mysqlDriver } from './driver.js'
import { mysql } from './mysql.js'
import { readMysqlSchema } from './read-schema.js'
import { sql } from '../../sql-text.js'
import { mariaDbTables, mysqlTables } from './tables.js'

export const mysqlDatabase: KnownDialect = {
  title: 'MySQL',
  dialect: mysql,
  adapterClass: 'MysqlAdapter',
  readSchema: readMysqlSchema,
  async productOf(run) {
    const [row] = await run(sql`select version() as version`)
    return /mariadb/i.test(String(row?.version)) ? 'mariadb' : 'mysql'
  },
  tables: { mysql: mysqlTables, mariadb: mariaDbTables },
  driverOf: ({ location }) => mysqlDriver(new URL(location)),
}
