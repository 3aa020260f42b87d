import type { DatabaseKind } from '../dialect.js'
import type { KnownDialect } from './known-dialect.js'
import { duckdbDatabase } from './duckdb/database.js'
import { mysqlDatabase } from './mysql/database.js'
import { postgresDatabase } from './postgres/database.js'
import { sqliteDatabase } from './sqlite/database.js'

/** All kinds of databases, and the code of each. */
export const databases: Readonly<Record<DatabaseKind, KnownDialect>> = {
  sqlite: sqliteDatabase,
  postgres: postgresDatabase,
  mysql: mysqlDatabase,
  duckdb: duckdbDatabase,
}
