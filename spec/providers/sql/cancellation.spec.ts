import type { ClientRequest } from 'node:http'
import { request } from 'node:http'
import express from 'express'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import pg from 'pg'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import type { SqlProviderOptions } from '../../../lib/sql.js'
import { prepareStatements, sqlProvider } from '../../../lib/sql.js'
import { TestServer } from '../../support/http-exchange.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { openPool } from '../../support/sql/open-pool.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import { until } from '../../support/until.js'

const model = defineModel({
  namespace: 'Slow',
  entityTypes: {
    Note: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Text: edm.String() } },
  },
  entityContainer: { entitySets: { Notes: { entityType: 'Note' } } },
})

/** A letter of four bytes, which strings of Node.js count as two. */
const column = 'text 𝒳'
const mapping = { entitySets: { Notes: { columns: { Text: column } } } }

const paths = [
  'Notes',
  "Notes?$filter=toupper(Text) eq 'A'",
  "Notes/$count?$filter=toupper(Text) eq 'A'",
  'Notes?search=a',
]

describe('Reads of PostgreSQL whose clients disconnect', () => {
  const postgres = PostgresServer.shared()
  let other: AnyDatabase
  let name: string
  let stop: (() => Promise<void>)[]

  afterAll(() => postgres.stop())

  beforeEach(async () => {
    stop = []
    name = await postgres.newDatabase()
    other = postgres.connect(name, { max: 2 })
    const tables = [
      `create table stored ("ID" integer primary key, "${column}" text)`,
      `insert into stored values (1, 'a')`,
      'create view "Notes" as select * from stored',
    ]
    for (const table of tables) await sql.raw(table).execute(other)
  })

  afterEach(async () => {
    for (const one of stop.toReversed()) await one()
  })

  const poolOf = (max: number): pg.Pool => openPool({ connectionString: postgres.addressOf(name), max })

  const serve = async (
    pool: pg.Pool,
    options: Pick<SqlProviderOptions, 'pool'> = {},
  ): Promise<TestServer> => {
    const db = new Kysely<never>({ dialect: new PostgresDialect({ pool: prepareStatements(pool) }) })
    const provider = sqlProvider(model, db, { mapping, ...options })
    await provider.ready()
    await sql`create or replace view "Notes" as
      select * from stored where "ID" = 0 or pg_sleep(3600) is not null`.execute(other)
    const service = odataV2(model, provider, { search: { Notes: ['Text'] } })
    const server = await TestServer.start(express().use('/s', service))
    stop.push(
      () => db.destroy(),
      () => server.stop(),
    )
    return server
  }

  const running = async (): Promise<number> => {
    const { rows } = await sql<{ n: string }>`select count(*) as n from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state = 'active'`.execute(other)
    return Number(rows[0]?.n)
  }

  const send = (server: TestServer, path: string): ClientRequest => {
    const outgoing = request({
      host: '127.0.0.1',
      port: server.port,
      agent: false,
      path: `/s/${encodeURI(path)}`,
    })
    outgoing.on('error', () => undefined)
    return outgoing.end()
  }

  const sendAll = (server: TestServer): readonly ClientRequest[] => paths.map((path) => send(server, path))

  it('MUST be cancelled while they use all connections of the pool', async () => {
    const pool = poolOf(paths.length)
    const server = await serve(pool, { pool })
    const sent = [...sendAll(server), ...sendAll(server)]
    await until(async () => (await running()) === paths.length)
    for (const one of sent) one.destroy()
    await until(async () => (await running()) === 0)
    // The connections are usable.
    await sql`drop view "Notes"`.execute(other)
    await sql`alter table stored rename to "Notes"`.execute(other)
    const statuses = await Promise.all(
      paths.map(async (path) => (await server.send(`/s/${encodeURI(path)}`)).status),
    )
    expect(statuses).toEqual(paths.map(() => 200))
  })

  it('MUST be cancelled over a connection of the pool if the provider does not know the pool', async () => {
    const server = await serve(poolOf(paths.length + 1))
    const sent = sendAll(server)
    await until(async () => (await running()) === paths.length)
    for (const one of sent) one.destroy()
    await until(async () => (await running()) === 0)
  })

  it('MUST be cancelled over a new connection that the pool opens later', async () => {
    const pool = poolOf(1)
    const server = await serve(pool, { pool })
    const isClosed = new Promise((resolve) => pool.once('remove', resolve))
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(other)
    await isClosed
    const sent = send(server, 'Notes')
    await until(async () => (await running()) === 1)
    sent.destroy()
    await until(async () => (await running()) === 0)
  })
})

describe('The option pool of sqlProvider', () => {
  const pool = new pg.Pool()
  const db = new Kysely<never>({ dialect: new PostgresDialect({ pool }) })

  it.each([
    ['a pool of another driver', createPool({})],
    ['no pool', {} as SqlProviderOptions['pool']],
  ])('MUST be the pool of the driver, not %s', (_what, given) => {
    expect(() => sqlProvider(model, db, { pool: given })).toThrow(
      'sqlProvider: pool must be the pool of pg that the database uses.',
    )
  })
})
