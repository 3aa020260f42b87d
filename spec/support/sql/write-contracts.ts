import type { PGlite } from '@electric-sql/pglite'
import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { cacheStatements } from '../../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import type { ContractRows } from '../../contracts/contract-data.js'
import { describeWriteContract } from '../../contracts/write-contract.js'
import type { AnyDatabase, TableOptions } from './model-tables.js'
import { kyselyOf, newPGlite } from './pglite.js'
import { PostgresServer } from './postgres-server.js'
import { createWriteTables, writeDatabase } from './write-database.js'

/** Random sequences of changes in a deep run. */
const numRuns = 40

/**
 * The write contract on SQLite.
 *
 * @param isDirect passes the database as the option `sqlite`, too
 */
export function describeSqliteWrites(name: string, tables: TableOptions, isDirect = false): void {
  describeWriteContract(name, {
    create: async (model, rows) => {
      const sqlite = cacheStatements(new SQLite(':memory:'))
      const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) })
      const provider = await writeDatabase(db, 'sqlite', model, rows, tables, isDirect ? { sqlite } : {})
      return { provider, dispose: () => db.destroy() }
    },
    without: ['non-finite numbers'],
    numRuns,
  })
}

/** The write contract on PGlite. */
export function describePGliteWrites(name: string, tables: TableOptions): void {
  /** Emptied databases: starting one takes seconds. */
  const free: PGlite[] = []
  const opened: PGlite[] = []
  afterAll(async () => {
    for (const one of opened) await one.close()
  })
  describeWriteContract(name, {
    create: async (model, rows) => {
      const pglite = free.pop() ?? (await newPGlite())
      if (!opened.includes(pglite)) opened.push(pglite)
      const provider = await writeDatabase(await kyselyOf(pglite), 'postgres', model, rows, tables)
      const dispose = async (): Promise<void> => {
        await pglite.exec('drop schema public cascade; create schema public')
        free.push(pglite)
      }
      return { provider, dispose }
    },
    fractionDigits: 6,
    numRuns,
  })
}

/** The write contract on PostgreSQL. */
export function describePostgresWrites(name: string, tables: TableOptions): void {
  const server = PostgresServer.shared()
  afterAll(() => server.stop())

  let template: Promise<string> | undefined
  const createTemplate = async (model: EdmModel, rows: ContractRows): Promise<string> => {
    const created = await server.newDatabase()
    const db = server.connect(created)
    await createWriteTables(db, 'postgres', model, rows, tables)
    await db.destroy()
    return created
  }

  describeWriteContract(name, {
    create: async (model, rows) => {
      template ??= createTemplate(model, rows)
      const db = server.connect(await server.newDatabase(await template))
      const provider = sqlProvider(model, db)
      await provider.ready()
      // Each topic has a database. Open connections of all topics would exceed the limit of the server.
      return { provider, dispose: () => db.destroy() }
    },
    fractionDigits: 6,
    numRuns,
  })
}
