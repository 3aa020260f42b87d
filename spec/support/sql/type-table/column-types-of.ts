import type { DatabaseKind } from '../model-tables.js'
import type { ColumnTypeRow } from './column-type-row.js'
import { mysqlTypes } from './mysql-types.js'
import { postgresTypes } from './postgres-types.js'
import { sqliteTypes } from './sqlite-types.js'

/** The table of column types: the specs test its rows, and `docs/database-types.md` shows them. */
export const columnTypesOf: Readonly<Record<DatabaseKind, readonly ColumnTypeRow[]>> = {
  sqlite: sqliteTypes,
  postgres: postgresTypes,
  mysql: mysqlTypes,
}
