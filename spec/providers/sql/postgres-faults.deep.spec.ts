import type { IncomingMessage } from 'node:http'
import { get } from 'node:http'
import express from 'express'
import { sql } from 'kysely'
import type pg from 'pg'
import { odataV2 } from '../../../lib/odata-v2.js'
import type { ODataV2Options } from '../../../lib/odata-v2.js'
import { prepareStatements } from '../../../lib/providers/sql/dialects/postgres/prepare-statements.js'
import type { SqlProviderOptions } from '../../../lib/providers/sql/sql-provider.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { batchBody, written } from '../../support/batch-exchange.js'
import { turnEventLoop } from '../../support/event-loop.js'
import { Failures } from '../../support/failures.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { TestServer } from '../../support/http-exchange.js'
import { askForOrders, orderModel, orderTables } from '../../support/sql/order-model.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import { until } from '../../support/until.js'

const items = 20_000

let postgres: PostgresServer
let name: string
/** Looks in from outside, on one connection of its own. */
let outside: AnyDatabase
let failures: Failures
let server: TestServer

beforeAll(async () => {
  postgres = await PostgresServer.start(['-c', 'fsync=off', '-c', 'restart_after_crash=on'])
})
afterAll(() => postgres.stop())

beforeEach(async () => {
  name = await postgres.newDatabase()
  outside = postgres.connect(name, { max: 1, application_name: 'outside' })
  for (const statement of orderTables('postgres')) await sql.raw(statement).execute(outside)
  await sql`insert into "Items" select n, 1, repeat('x', 100) from generate_series(1, ${sql.lit(items)}) as n`.execute(
    outside,
  )
})
afterEach(() => server.stop())

async function start(
  pool: pg.PoolConfig = {},
  options: Omit<SqlProviderOptions, 'functions'> = {},
  service: Partial<ODataV2Options> = {},
  use?: typeof prepareStatements,
): Promise<void> {
  failures = new Failures()
  const provider = sqlProvider(orderModel, postgres.connect(name, { max: 3, ...pool }, use), {
    ...options,
  })
  await provider.ready()
  const app = express().use(
    '/s',
    odataV2(orderModel, provider, { onError: failures.onError, pageSize: 0, ...service }),
  )
  server = await TestServer.start(app)
}

const send = (method: string, path: string, json?: unknown): Promise<HttpResponse> =>
  askForOrders(server, method, path, json)

/**
 * Adds an item, changes both orders, and adds another item. @returns the first status of the responses in the
 * batch
 */
async function changeSet(): Promise<readonly [number, string]> {
  const merge = (ID: number): string => written(`MERGE Orders(${ID})`, '{"Value":5}', { 'If-Match': '*' })
  const post = (ID: number): string => written('POST Items', JSON.stringify({ ID, OrderID: 1, Name: 'new' }))
  const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
  const body = batchBody([post(items + 1), merge(2), merge(1), post(items + 2)])
  const { text } = await server.send('/s/$batch', { method: 'POST', headers, body })
  return [Number(/HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text]
}

/** Sessions of the service that meet a condition. */
async function sessions(condition = 'true'): Promise<number> {
  const { rows } = await sql<{ n: string }>`select count(*) as n from pg_stat_activity
    where datname = current_database() and application_name <> 'outside' and ${sql.raw(condition)}`.execute(
    outside,
  )
  return Number(rows[0]?.n)
}

/** Polls until a condition holds. It does not while the database cannot be reached. */
function untilReached(condition: () => Promise<boolean>): Promise<void> {
  return until(() => condition().catch(() => false))
}

/** Ends sessions of the service, as an administrator does. */
async function terminate(): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name <> 'outside'`.execute(outside)
}

function expectAway({ status, text, headers }: HttpResponse): void {
  expect([status, headers['retry-after']]).toEqual([503, '5'])
  expect(text).toContain('The database cannot be reached at the moment.')
  expect(text).not.toMatch(/terminat|administrator|select|update|connection|57P/i)
}

/** All of the change set is there, or nothing. */
async function changed(): Promise<boolean> {
  const { rows } = await sql<{ n: string }>`select (select count(*) from "Items" where "Name" = 'new')
    + (select count(*) from "Orders" where "Value" = 5) as n`.execute(outside)
  expect(['0', '4']).toContain(rows[0]?.n)
  return rows[0]?.n === '4'
}

/** Expects that the service works, and that all sessions are idle. */
async function expectRecovery(): Promise<void> {
  await untilReached(async () => (await send('GET', 'Orders(1)')).status === 200)
  expect((await send('GET', 'Items/$count')).status).toBe(200)
  await untilReached(async () => (await sessions(`state <> 'idle'`)) === 0)
  if (await changed()) return
  expect((await changeSet())[0]).toBeLessThan(300)
  expect(await changed()).toBe(true)
}

/** Starts a feed that the client stops reading after its first chunk, until it calls `rest`. */
async function begunFeed(): Promise<() => Promise<number>> {
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { Accept: 'application/json' }
    get({ host: '127.0.0.1', port: server.port, path: '/s/Items', agent: false, headers }, resolve).on(
      'error',
      reject,
    )
  })
  incoming.pause()
  await turnEventLoop()
  return async () => {
    let text = ''
    for await (const chunk of incoming) text += String(chunk)
    return (JSON.parse(text) as { d: { results: unknown[] } }).d.results.length
  }
}

/** Locks an order, so that changes of it have to wait. */
async function heldOrder(): Promise<() => Promise<unknown>> {
  const other = postgres.connect(name, { max: 1, application_name: 'outside' })
  const transaction = await other.startTransaction().execute()
  await sql`update "Orders" set "Value" = 9 where "ID" = 1`.execute(transaction)
  return () => transaction.rollback().execute()
}

describe('A session of PostgreSQL that is ended', () => {
  it('MUST truncate a feed through a cursor, without other effects', async () => {
    // More than the system takes in for a client that does not read.
    await sql`insert into "Items" select n, 1, repeat('x', 100) from generate_series(1000000, 1080000) as n`.execute(
      outside,
    )
    await start({}, { cursors: 1 })
    const rest = await begunFeed()
    await terminate()
    await expect(rest()).rejects.toThrow('aborted')
    expect(failures.errors.map(({ status }) => status)).toEqual([503])
    await expectRecovery()
  })

  it('MUST cost nothing when it is between the batches of a feed, or only that feed', async () => {
    await start()
    const rest = await begunFeed()
    await terminate()
    const found = await rest().catch((error: unknown) => String(error))
    expect([items, 'Error: aborted']).toContain(found)
    await expectRecovery()
  })

  it('MUST roll back the pending change set, and respond with 503 and Retry-After', async () => {
    await start()
    const letGo = await heldOrder()
    const response = changeSet()
    await untilReached(async () => (await sessions(`wait_event_type = 'Lock'`)) === 1)
    await terminate()
    const [status, text] = await response
    expect([status, text]).toEqual([503, expect.stringMatching(/\r\nRetry-After: 5\r\n/)])
    expect(text).not.toMatch(/terminating|administrator|update "|57P01/)
    await letGo()
    expect(await changed()).toBe(false)
    await expectRecovery()
  })

  it('MUST not ask the client to retry when the outcome of a commit is unknown', async () => {
    await start()
    await sql
      .raw(
        `create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(3600); return null; end';
         create constraint trigger slow after update on "Orders" deferrable initially deferred
           for each row execute function slow()`,
      )
      .execute(outside)
    const response = changeSet()
    await untilReached(async () => (await sessions(`query = 'commit' and state = 'active'`)) === 1)
    await terminate()
    const [status, text] = await response
    expect(status).toBe(503)
    expect(text).not.toMatch(/retry-after/i)
    expect(text).toContain('The outcome is unknown.')
    await sql`drop trigger slow on "Orders"`.execute(outside)
    expect((await send('GET', 'Orders(1)/Value/$value')).text).toBe('0')
    await expectRecovery()
  })

  it('MUST be detected between requests: the next request succeeds, or gets 503, with Retry-After unless a change was sent', async () => {
    await start()
    await Promise.all([1, 2, 1, 2].map((ID) => send('GET', `Orders(${ID})`)))
    for (let round = 0; round < 5; round++) {
      await terminate()
      const [read, change] = await Promise.all([
        send('GET', 'Orders(1)'),
        send('MERGE', 'Orders(2)', { Value: 1 }),
      ])
      if (read.status >= 300) expectAway(read)
      // A change in one statement is sent before the connection is known to be lost.
      const isUnknown = change.text.includes('The outcome is unknown.')
      if (isUnknown) expect([change.status, change.headers['retry-after']]).toEqual([503, undefined])
      else if (change.status >= 300) expectAway(change)
    }
    await expectRecovery()
  })
})

describe('A server of PostgreSQL that crashes and starts again', () => {
  it('MUST leave only complete changes, respond with 503 meanwhile, and reconnect', async () => {
    await start()
    const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and application_name <> 'outside' limit 1`.execute(outside)
    const [{ pid } = { pid: 0 }] = rows
    const letGo = await heldOrder()
    const responses = [changeSet(), ...[1, 2, 3].map(() => send('GET', 'Items?$orderby=Name&$top=50'))]
    await untilReached(async () => (await sessions(`wait_event_type = 'Lock'`)) === 1)
    // The server ends all others then: what they share may be damaged.
    process.kill(pid, 'SIGKILL')
    const [change, ...reads] = await Promise.all(responses)
    expect((change as readonly [number, string])[0]).toBe(503)
    for (const read of reads as HttpResponse[]) if (read.status !== 200) expectAway(read)
    await untilReached(async () => {
      const response = await send('GET', 'Orders(1)')
      if (response.status !== 200) expectAway(response)
      return response.status === 200
    })
    await letGo().catch(() => undefined)
    await untilReached(async () => !(await changed()))
    await expectRecovery()
  })
})

describe('A pool that has no connection left', () => {
  it('MUST be awaited for the timeout of the pool, followed by 503 and Retry-After', async () => {
    await start({ max: 1, connectionTimeoutMillis: 500 })
    const letGo = await heldOrder()
    const response = changeSet()
    await untilReached(async () => (await sessions(`wait_event_type = 'Lock'`)) === 1)
    const refused = await Promise.all([
      send('GET', 'Orders(1)'),
      send('MERGE', 'Orders(2)', { Value: 1 }),
      send('GET', 'Items'),
    ])
    refused.forEach(expectAway)
    await letGo()
    expect((await response)[0]).toBeLessThan(300)
    await expectRecovery()
  })

  it('MUST be awaited for at most the request time, and change nothing after the client has disconnected', async () => {
    await start({ max: 1 }, {}, { limits: { requestTime: 1_000 } })
    const letGo = await heldOrder()
    const responses = [changeSet()]
    await untilReached(async () => (await sessions(`wait_event_type = 'Lock'`)) === 1)
    const late = await Promise.all([
      send('GET', 'Orders(1)'),
      send('MERGE', 'Orders(2)', { Value: 7 }),
      send('POST', 'Items', { ID: 0, OrderID: 1 }),
    ])
    expect(late.map(({ status }) => status)).toEqual([503, 503, 503])
    await letGo()
    await Promise.all(responses)
    await untilReached(async () => (await sessions(`state <> 'idle'`)) === 0)
    expect(await changed()).toBe(false)
    expect((await send('GET', 'Orders(2)/Value/$value')).text).toBe('0')
    expect((await send('GET', 'Items(0)')).status).toBe(404)
    await expectRecovery()
  })
})

describe('A table that is altered while its statements are prepared', () => {
  it('MUST affect neither requests nor change sets', async () => {
    await start({ max: 1 }, {}, {}, prepareStatements)
    const remove = (): Promise<unknown> => sql`delete from "Items" where "Name" = 'new'`.execute(outside)
    for (const type of ['integer', 'smallint', 'integer']) {
      await sql.raw(`alter table "Orders" alter column "Value" type ${type}`).execute(outside)
      for (let times = 0; times < 3; times++) {
        expect((await send('GET', 'Orders(2)')).status).toBe(200)
        expect((await send('MERGE', 'Orders(1)', { Value: times })).status).toBe(204)
        const [status, text] = await changeSet()
        expect([status, text.match(/HTTP\/1.1 5/g)]).toEqual([201, null])
        await remove()
      }
    }
    expect(failures.errors).toEqual([])
  })
})

describe('A statement that exceeds its timeout', () => {
  it('MUST roll back its change set: 503', async () => {
    await start({}, { statementTimeout: 1_000 })
    const letGo = await heldOrder()
    const [status, text] = await changeSet()
    expect([status, text]).toEqual([503, expect.stringContaining('The database query timed out.')])
    expect(text).not.toMatch(/statement timeout|57014|cancel/)
    expect((await send('MERGE', 'Orders(1)', { Value: 1 })).status).toBe(503)
    await letGo()
    await expectRecovery()
  })
})
