import type { KnownDialect } from '../known-dialect.js'
import { duckdbDriver } from './driver.js'
import { duckdb } from './duckdb.js'
import { readDuckdbSchema } from './read-schema.js'

export const duckdbDatabase: KnownDialect = {
  title: 'DuckDB',
  dialect: duckdb,
  adapterClass: 'DuckDBAdapter',
  readSchema: readDuckdbSchema,
  tables: {},
  driverOf: duckdbDriver,
}
