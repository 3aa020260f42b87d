import {
  closeSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import express from 'express'
import { Kysely, SqliteDialect } from 'kysely'
import { odataV2 } from '../../../lib/odata-v2.js'
import { cacheStatements } from '../../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { batchBody, statusesOf, responsesIn, written } from '../../support/batch-exchange.js'
import { Failures } from '../../support/failures.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { TestServer } from '../../support/http-exchange.js'
import { askForOrders, orderModel, orderTables } from '../../support/sql/order-model.js'

const items = 2_000
const text = 'x'.repeat(90)

/** The two ways in which statements reach the database. */
describe.each([
  ['through Kysely', false],
  ['past its queue', true],
])('A database of SQLite, %s,', (_how, isDirect) => {
  let directory: string
  let file: string
  let database: SQLite.Database
  let server: TestServer
  let failures: Failures

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'sqlite-faults-'))
    file = join(directory, 'orders.sqlite')
    database = new SQLite(file)
    for (const statement of orderTables('sqlite')) database.exec(statement)
    const insert = database.prepare('insert into "Items" values (?, 1, ?)')
    database.transaction(() => {
      for (let ID = 1; ID <= items; ID++) insert.run(ID, text)
    })()
  })

  afterEach(async () => {
    await server.stop()
    database.close()
    rmSync(directory, { recursive: true })
  })

  async function start(): Promise<void> {
    failures = new Failures()
    const cached = cacheStatements(database)
    const db = new Kysely<never>({ dialect: new SqliteDialect({ database: isDirect ? cached : database }) })
    const provider = sqlProvider(orderModel, db, isDirect ? { sqlite: cached } : {})
    await provider.ready()
    const service = odataV2(orderModel, provider, { onError: failures.onError, pageSize: 0 })
    server = await TestServer.start(express().use('/s', service))
  }

  const send = (method: string, path: string, json?: unknown): Promise<HttpResponse> =>
    askForOrders(server, method, path, json)

  async function changeSet(...requests: readonly string[]): Promise<unknown> {
    const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
    const response = await server.send('/s/$batch', { method: 'POST', headers, body: batchBody(requests) })
    return statusesOf(responsesIn(response))
  }

  function expectFailure({ status, text: body }: HttpResponse): void {
    expect([status, body]).toEqual([
      500,
      expect.stringContaining('The service failed to process the request.'),
    ])
    expect(body).not.toMatch(/SQLITE|database|disk|insert|select|malformed|Items/i)
  }

  const valueOf = async (): Promise<string> => (await send('GET', 'Orders(1)/Value/$value')).text
  const post = (ID: number, Name: string): string =>
    written('POST Items', JSON.stringify({ ID, OrderID: 1, Name }))
  const merge = (Value: number): string =>
    written('MERGE Orders(1)', JSON.stringify({ Value }), { 'If-Match': '*' })

  it('MUST keep whole changes only when it is full, and take in more when there is room again', async () => {
    await start()
    const pages = Number(database.pragma('page_count', { simple: true }))
    database.pragma(`max_page_count = ${pages + 2}`)
    const large = 'y'.repeat(30_000)
    expectFailure(await send('POST', 'Items', { ID: 10_001, OrderID: 1, Name: large }))
    expect(await changeSet(merge(5), post(10_002, 'small'), post(10_003, large))).toEqual([500])
    expect(
      (
        await send('POST', 'Orders', {
          ID: 3,
          Value: 1,
          Version: 1,
          Items: [{ ID: 10_004, OrderID: 3, Name: large }],
        })
      ).status,
    ).toBe(500)
    expect(failures.causes.map((cause) => (cause as { code?: string }).code)).toEqual(
      Array(3).fill('SQLITE_FULL'),
    )
    expect([database.inTransaction, await valueOf()]).toEqual([false, '0'])
    expect((await send('GET', 'Items/$count')).text).toBe(String(items))
    expect((await send('GET', 'Orders/$count')).text).toBe('2')
    expect((await send('MERGE', 'Orders(1)', { Value: 6 })).status).toBe(204)
    database.pragma('max_page_count = 100000')
    expect(await changeSet(merge(7), post(10_002, 'small'), post(10_003, large))).toEqual([[204, 201, 201]])
    expect([await valueOf(), database.pragma('integrity_check', { simple: true })]).toEqual(['7', 'ok'])
  })

  it('MUST be read, and refuse changes, when it has become read-only', async () => {
    database.close()
    database = new SQLite(file, { readonly: true })
    await start()
    for (const { status, text } of [
      await send('MERGE', 'Orders(1)', { Value: 5 }),
      await send('POST', 'Items', { ID: 10_001, OrderID: 1 }),
    ])
      expect([status, text]).toEqual([403, expect.stringContaining('The database is read-only.')])
    expect(await changeSet(merge(5), post(10_001, 'small'))).toEqual([403])
    expect([await valueOf(), (await send('GET', 'Items/$count')).text]).toEqual(['0', String(items)])
    expect(database.inTransaction).toBe(false)
  })

  it('MUST return undamaged data when pages of the file are damaged', async () => {
    database.close()
    // The table of orders comes first, and stays as it is.
    const { size } = statSync(file)
    const handle = openSync(file, 'r+')
    writeSync(handle, Buffer.alloc(size - 4096 * 10, 0xaa), 0, undefined, 4096 * 10)
    closeSync(handle)
    database = new SQLite(file)
    await start()
    expectFailure(await send('GET', 'Items?$filter=endswith(Name,%27q%27)'))
    expectFailure(await send('GET', 'Items/$count'))
    expectFailure(await send('GET', `Items(${items})`))
    expect([await valueOf(), (await send('MERGE', 'Orders(1)', { Value: 5 })).status]).toEqual(['0', 204])
    expect(await changeSet(merge(6), post(10_001, 'small'))).toEqual([500])
    expect([await valueOf(), database.inTransaction]).toEqual(['5', false])
  })

  it('MUST be 500 while the file is not a database, and succeed when it is one again', async () => {
    await start()
    database.pragma('wal_checkpoint')
    const good = database.serialize()
    writeFileSync(file, 'This is no database any more. '.repeat(1_000))
    database.pragma('shrink_memory')
    for (const response of [
      await send('GET', 'Items/$count'),
      await send('MERGE', 'Orders(1)', { Value: 5 }),
    ]) {
      expectFailure(response)
    }
    truncateSync(file, 0)
    writeFileSync(file, good)
    expect([(await send('GET', 'Items/$count')).text, await valueOf()]).toEqual([String(items), '0'])
    expect((await send('MERGE', 'Orders(1)', { Value: 6 })).status).toBe(204)
  })
})
