import type { KnownDialect } from '../known-dialect.js'
import { mysqlDriver } from './driver.js'
import { mysql } from './mysql.js'
import { readMysqlSchema } from './read-schema.js'

export const mysqlDatabase: KnownDialect = {
  title: 'MySQL',
  dialect: mysql,
  adapterClass: 'MysqlAdapter',
  readSchema: readMysqlSchema,
  driverOf: ({ location }) => mysqlDriver(new URL(location)),
}
