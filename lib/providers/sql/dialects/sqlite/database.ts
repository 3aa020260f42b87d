import type { KnownDialect } from '../known-dialect.js'
import { sqliteDriver } from './driver.js'
import { readSqliteSchema } from './read-schema.js'
import { sqlite } from './sqlite.js'
import { sqliteTables } from './tables.js'

export const sqliteDatabase: KnownDialect = {
  title: 'SQLite',
  dialect: sqlite,
  adapterClass: 'SqliteAdapter',
  readSchema: readSqliteSchema,
  tables: { sqlite: sqliteTables },
  driverOf: ({ location }, { readOnly, driver }) => sqliteDriver(location, readOnly, driver),
}
