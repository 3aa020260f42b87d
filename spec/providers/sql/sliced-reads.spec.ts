import express from 'express'
import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { ODataV2Options } from '../../../lib/odata-v2.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { TestServer } from '../../support/http-exchange.js'

const model = defineModel({
  namespace: 'Sliced',
  entityTypes: {
    Thing: {
      key: ['ID'],
      properties: { ID: edm.Int64({ nullable: false }), Name: edm.String(), Rank: edm.Int32() },
    },
  },
  entityContainer: { entitySets: { Things: { entityType: 'Thing' } } },
})

const rowCount = 60_000

/** True for all, in many parts: one statement would evaluate them for all rows without interruption. */
const long = Array.from({ length: 60 }, (_, index) => `not substringof('x${String(index)}y',Name)`).join(
  ' and ',
)

describe('Conditions that are slow in SQLite', () => {
  let database: SQLite.Database
  let db: Kysely<unknown>
  let statements: string[]
  const servers: TestServer[] = []

  const start = async (options: Partial<ODataV2Options> = {}): Promise<TestServer> => {
    const service = odataV2(model, sqlProvider(model, db), { onError: () => undefined, ...options })
    const server = await TestServer.start(express().use('/s', service))
    servers.push(server)
    return server
  }
  const things = async (
    server: TestServer,
    options: Readonly<Record<string, string>>,
  ): Promise<unknown[]> => {
    const query = Object.entries(options).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    const { text } = await server.send(`/s/Things?${query.join('&')}`, {
      headers: { Accept: 'application/json' },
    })
    const { d } = JSON.parse(text) as { d: { results: { ID: string }[] } }
    return d.results.map(({ ID }) => Number(ID))
  }

  beforeAll(() => {
    statements = []
    database = new SQLite(':memory:', { verbose: (text) => statements.push(String(text)) })
    database.exec(`create table "Things" ("ID" integer primary key, "Name" text, "Rank" integer);
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${String(rowCount)})
      insert into "Things" select i, 'name ' || i, (i * 7919) % ${String(rowCount)} from n`)
    db = new Kysely({ dialect: new SqliteDialect({ database }) })
  })

  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop()
  })

  afterAll(() => db.destroy())

  it('MUST give the same entities in every order and page', async () => {
    const server = await start({ pageSize: 5 })
    const some = `${long} and endswith(Name,'77')`
    expect(await things(server, { $filter: some })).toEqual([77, 177, 277, 377, 477])
    expect(await things(server, { $filter: some, $skip: '2', $top: '2' })).toEqual([277, 377])
    expect(await things(server, { $filter: some, $skiptoken: '377L' })).toEqual([477, 577, 677, 777, 877])
    const byRank = database
      .prepare(`select "ID" from "Things" where "Name" like '%77' order by "Rank" desc limit 5`)
      .all() as { ID: number }[]
    expect(await things(server, { $filter: some, $orderby: 'Rank desc' })).toEqual(byRank.map(({ ID }) => ID))
    const { text } = await server.send(`/s/Things/$count?$filter=${encodeURIComponent(some)}`)
    expect(text).toBe('600')
    expect(await things(server, { $filter: `${long} and ID eq 5L` })).toEqual([5])
  })

  it('MUST be evaluated in slices, between which others get their turn', async () => {
    const server = await start()
    statements.length = 0
    const slow = server.send(`/s/Things/$count?$filter=${encodeURIComponent(long)}`)
    await server.waitForRequests(1)
    const other = server.send('/s/Things(7L)/Name/$value')
    const order = [slow.then(() => 'slow'), other.then(() => 'other')]
    expect([await Promise.race(order), (await slow).text]).toEqual(['other', String(rowCount)])
    expect(statements.filter((text) => text.includes('x59y')).length).toBeGreaterThan(10)
  })

  it('MUST end when the time of the request is over', async () => {
    const server = await start({ limits: { requestTime: 30 } })
    statements.length = 0
    const { status } = await server.send(`/s/Things?$filter=${encodeURIComponent(`not (${long})`)}`)
    expect(status).toBe(503)
    const evaluated = (): number => statements.filter((text) => text.includes('x59y')).length
    const before = evaluated()
    for (let time = 0; time < 5; time++) await server.send('/s/Things(7L)/Name/$value')
    // One slice may have been under way.
    expect(evaluated()).toBeLessThanOrEqual(before + 1)
  })
})
