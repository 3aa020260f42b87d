import { request } from 'node:http'
import { tmpdir } from 'node:os'
import express from 'express'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import { sqlProvider } from '../../../lib/sql.js'
import { TestServer } from '../../support/http-exchange.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { openPool } from '../../support/sql/open-pool.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import { cert } from '../../support/sql/tls-certificate.js'
import { until } from '../../support/until.js'

const model = defineModel({
  namespace: 'Slow',
  entityTypes: { Note: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }) } } },
  entityContainer: { entitySets: { Notes: { entityType: 'Note' } } },
})

const settings: readonly (readonly [name: string, settings: pg.PoolConfig, isEncrypted: boolean])[] = [
  ['TLS', { host: 'localhost', ssl: { ca: cert } }, true],
  ['TLS without a check of the certificate', { ssl: { rejectUnauthorized: false } }, true],
  ['a Unix socket', { host: tmpdir() }, false],
]

describe('Statements of PostgreSQL over other connections than TCP', () => {
  let postgres: PostgresServer
  let other: AnyDatabase
  let name: string

  beforeAll(async () => {
    postgres = await PostgresServer.start()
    await postgres.acceptTls()
    name = await postgres.newDatabase()
    other = postgres.connect(name, { max: 1 })
  })

  afterAll(() => postgres.stop())

  const running = async (): Promise<number> => {
    const { rows } = await sql<{ n: string }>`select count(*) as n from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state = 'active'`.execute(other)
    return Number(rows[0]?.n)
  }

  it.each(settings)(
    'MUST be cancelled when their client disconnects: %s',
    async (_, connection, isEncrypted) => {
      const { port } = new URL(postgres.addressOf(name))
      const login = { port: Number(port), user: 'tester', password: 'tester', database: name, max: 1 }
      const pool = openPool({ host: '127.0.0.1', ...login, ...connection })
      const db = new Kysely<never>({ dialect: new PostgresDialect({ pool }) })

      const provider = sqlProvider(model, db, { pool })
      await sql`create or replace view "Notes" as select 1 as "ID"`.execute(other)
      await provider.ready()
      await sql`create or replace view "Notes" as select 1 as "ID" where pg_sleep(3600) is not null`.execute(
        other,
      )
      const { rows } = await pool.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
      expect(rows).toEqual([{ ssl: isEncrypted }])
      const server = await TestServer.start(express().use('/s', odataV2(model, provider)))
      const outgoing = request({ host: '127.0.0.1', port: server.port, agent: false, path: '/s/Notes' }).end()
      outgoing.on('error', () => undefined)
      await until(async () => (await running()) === 1)
      outgoing.destroy()
      await until(async () => (await running()) === 0)
      await server.stop()
      await db.destroy()
    },
  )
})
