import * as duckdb from '@duckdb/node-api'
import { duckdbKysely } from '../../../lib/providers/sql/dialects/duckdb/driver.js'
import type { AnyDatabase } from './model-tables.js'

/** Returns an empty database in memory, which the spec can fill. */
export async function newDuckDb(): Promise<AnyDatabase> {
  const instance = await duckdb.DuckDBInstance.create(':memory:', { threads: '2' })
  return (await duckdbKysely(duckdb, instance)) as unknown as AnyDatabase
}

/** Runs statements in DuckDB, such as those that write a file. */
export async function runDuckDb(...statements: readonly string[]): Promise<void> {
  const instance = await duckdb.DuckDBInstance.create(':memory:', { threads: '2' })
  const connection = await instance.connect()
  for (const statement of statements) await connection.run(statement)
  connection.closeSync()
  instance.closeSync()
}
