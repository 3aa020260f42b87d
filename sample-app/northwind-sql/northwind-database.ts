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
 * The catalogue in an SQLite database, which is made when there is none.
 *
 * @param file where it is; `:memory:` for nowhere
 */
export async function northwindInSqlite(file: string): Promise<NorthwindDatabase> {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
  const { default: Database } = await import('better-sqlite3')
  const database = new Database(file)
  database.pragma('journal_mode = wal')
  const sqlite = cacheStatements(database)
  return opened(new Kysely({ dialect: new SqliteDialect({ database: sqlite }) }), 'sqlite', { sqlite })
}

/** PostgreSQL: the schema that the tables are in. */
const schema = 'northwind'

/**
 * The catalogue in a PostgreSQL database, in a schema of its own, which is made when there is none.
 *
 * @param address `postgres://user:password@host:5432/database`
 */
export async function northwindInPostgres(address: string): Promise<NorthwindDatabase> {
  const { default: pg } = await import('pg')
  // Names without schema mean this one.
  const pool = new pg.Pool({ connectionString: address, options: `-c search_path=${schema}` })
  pool.on('error', (error) => {
    console.error(`A connection to PostgreSQL broke: ${error.message}`)
  })
  // One that breaks while it is used fails what it was used for.
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

/** Makes and fills the tables, all of them or none. */
async function prepare(db: Kysely<AnyTables>, kind: DatabaseKind): Promise<void> {
  const tables = await db.introspection.getTables()
  if (tables.some(({ name }) => name === 'Products')) return
  await db.transaction().execute(async (transaction) => {
    if (kind === 'postgres') await sql.raw(`create schema if not exists ${schema}`).execute(transaction)
    for (const statement of createStatements(kind)) await sql.raw(statement).execute(transaction)
    await fillTables(transaction, kind)
  })
}
