import type { DatabaseKind } from '../dialect.js'
import { dataFileSource, duckdbSource, parquetSource } from './duckdb/sources.js'
import { mysqlSource } from './mysql/source.js'
import { pgliteSource, postgresSource } from './postgres/sources.js'
import type { SourceFormat } from './source-format.js'
import { sqliteSource } from './sqlite/source.js'

/** How strings name databases of each kind. The first format of files is that of files with any name. */
export const sources: Readonly<Record<DatabaseKind, readonly SourceFormat[]>> = {
  sqlite: [sqliteSource],
  postgres: [postgresSource, pgliteSource],
  mysql: [mysqlSource],
  duckdb: [duckdbSource, dataFileSource, parquetSource],
}
