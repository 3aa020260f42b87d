import SQLite from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { defineModel, edm, health } from '../../../lib/index.js'
import { cacheStatements, sqlProvider } from '../../../lib/sql.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import { until } from '../../support/until.js'

const model = defineModel({
  namespace: 'Health',
  entityTypes: { Note: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }) } } },
  entityContainer: { entitySets: { Notes: { entityType: 'Note' } } },
})
/** A slow machine must not fail. */
const options = { timeout: 60_000 }
const TABLE = 'create table "Notes" ("ID" integer primary key)'

describe('The health of SQLite', () => {
  it.each([false, true])(
    'MUST be unavailable once the database is closed (synchronous: %s)',
    async (isSync) => {
      const database = new SQLite(':memory:')
      database.exec(TABLE)
      const sqlite = cacheStatements(database)
      const db = new Kysely<never>({ dialect: new SqliteDialect({ database: sqlite }) })
      const provider = sqlProvider(model, db, isSync ? { sqlite } : {})
      expect(await health(provider, options).status()).toBe('ready')
      database.close()
      expect(await health(provider, options).status()).toBe('unavailable')
    },
  )

  it('MUST be unavailable until the tables of the model exist', async () => {
    const sqlite = new SQLite(':memory:')
    const provider = sqlProvider(
      model,
      new Kysely<never>({ dialect: new SqliteDialect({ database: sqlite }) }),
    )
    expect(await health(provider, options).status()).toBe('unavailable')
    sqlite.exec(TABLE)
    expect(await health(provider, options).status()).toBe('ready')
    sqlite.close()
  })
})

describe('The health of PostgreSQL', () => {
  const postgres = PostgresServer.shared()
  afterAll(() => postgres.stop())

  it('MUST be unavailable while the database or its replica refuses connections', async () => {
    const administrator = await postgres.open()
    const [primary, standby] = [await postgres.newDatabase(), await postgres.newDatabase()]
    const [db, replica] = [postgres.connect(primary), postgres.connect(standby)]
    for (const one of [db, replica]) await sql.raw(TABLE).execute(one)
    const handler = health(sqlProvider(model, db, { replica }), options)
    const allow = async (name: string, isAllowed: boolean): Promise<void> => {
      await sql`alter database ${sql.ref(name)} allow_connections ${sql.raw(String(isAllowed))}`.execute(
        administrator,
      )
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`.execute(
        administrator,
      )
    }
    expect(await handler.status()).toBe('ready')
    for (const name of [primary, standby]) {
      await allow(name, false)
      expect([name, await handler.status()]).toEqual([name, 'unavailable'])
      await allow(name, true)
      // Connections that the server has ended are still to be noticed.
      await until(async () => (await handler.status()) === 'ready')
    }
  })
})
