import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Provider } from 'express-odata-v2'
import type { SqlProviderOptions } from 'express-odata-v2/sql'
import { cacheStatements, prepareStatements, sqlProvider } from 'express-odata-v2/sql'
import { Kysely, PostgresDialect, sql, SqliteDialect } from 'kysely'
import { northwindFunctions, northwindModel } from '../northwind/northwind-service.js'
import type { AnyTables } from './fill-tables.js'
import { fillTables } from './fill-tables.js'
import type { DatabaseKind } from './tables.js'
import { createStatements } from './tables.js'

/** The catalogue in a database. */
export interface NorthwindDatabase {
  readonly provider: Provider<typeof northwindModel>
  close(): Promise<void>
}

/**
 * Opens the catalogue in an SQLite database, which is created if it does not exist.
 *
 * @param file path of the database, or `:memory:`
 */
export async function northwindInSqlite(file: string): Promise<NorthwindDatabase> {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
  const { default: Database } = await import('better-sqlite3')
  const database = new Database(file)
  database.pragma('journal_mode = wal')
  const sqlite = cacheStatements(database)
  return opened(new Kysely({ dialect: new SqliteDialect({ database: sqlite }) }), 'sqlite', { sqlite })
}

/** The PostgreSQL schema that contains the tables. */
const schema = 'northwind'

/**
 * Opens the catalogue in the schema `northwind` of a PostgreSQL database. The schema is created if it does not exist.
 *
 * @param address `postgres://user:password@host:5432/database`
 */
export async function northwindInPostgres(address: string): Promise<NorthwindDatabase> {
  const { default: pg } = await import('pg')
  // Unqualified names then refer to this schema.
  const pool = new pg.Pool({ connectionString: address, options: `-c search_path=${schema}` })
  pool.on('error', (error) => {
    console.error(`An idle connection to PostgreSQL failed: ${error.message}`)
  })
  // If a connection breaks while it is used, its statement fails. Without a listener, the error would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return opened(new Kysely({ dialect: new PostgresDialect({ pool: prepareStatements(pool) }) }), 'postgres')
}

async function opened(
  db: Kysely<AnyTables>,
  kind: DatabaseKind,
  options: SqlProviderOptions = {},
): Promise<NorthwindDatabase> {
  try {
    await prepare(db, kind)
    const provider = sqlProvider(northwindModel, db, { ...options, functions: northwindFunctions })
    await provider.ready()
    return { provider, close: () => db.destroy() }
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** Creates and fills the tables in one transaction. */
async function prepare(db: Kysely<AnyTables>, kind: DatabaseKind): Promise<void> {
  const tables = await db.introspection.getTables()
  if (tables.some(({ name }) => name === 'Products')) return
  await db.transaction().execute(async (transaction) => {
    if (kind === 'postgres') await sql.raw(`create schema if not exists ${schema}`).execute(transaction)
    for (const statement of createStatements(kind)) await sql.raw(statement).execute(transaction)
    await fillTables(transaction, kind)
  })
}
