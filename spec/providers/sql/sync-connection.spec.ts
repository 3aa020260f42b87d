import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import express from 'express'
import type { SqliteDatabase } from 'kysely'
import { Kysely, PostgresDialect, sql, SqliteDialect } from 'kysely'
import pg from 'pg'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { ODataError } from '../../../lib/errors/odata-error.js'
import type { ODataV2Options } from '../../../lib/odata-v2.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import type { Provider } from '../../../lib/provider/provider.js'
import type { CachedDatabase } from '../../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import { cacheStatements } from '../../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import type { SqlProviderOptions } from '../../../lib/providers/sql/sql-provider.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { turnEventLoop } from '../../support/event-loop.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { TestServer } from '../../support/http-exchange.js'
import { statementLog } from '../../support/sql/logged-database.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'

const model = defineModel({
  namespace: 'Direct',
  entityTypes: {
    Item: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() },
    },
  },
  entityContainer: { entitySets: { Items: { entityType: 'Item' } } },
})

const json = { Accept: 'application/json' }

describe('sqlProvider(model, db, { sqlite })', () => {
  let folder = ''
  let file: SQLite.Database
  let db: AnyDatabase
  let statements: () => string[]
  let cachedFile: CachedDatabase
  let server: TestServer
  let errors: unknown[]

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'direct-'))
    file = new SQLite(join(folder, 'items.sqlite'), { timeout: 0 })
    file.exec(`create table "Items" ("ID" integer primary key, "Name" text)`)
    file.exec(`insert into "Items" values (1, 'one'), (2, 'two')`)
    const sqlite = cacheStatements(file)
    cachedFile = sqlite
    const log = statementLog()
    statements = log.statements
    db = new Kysely({ dialect: new SqliteDialect({ database: sqlite }), log: log.note })
    errors = []
    const provider = sqlProvider(model, db, { sqlite })
    await provider.ready()
    const onError = (error: unknown): void => {
      errors.push(error)
    }
    server = await TestServer.start(express().use('/s', odataV2(model, provider, { onError, pageSize: 5 })))
    // The capabilities of the database are queried once.
    await send('/Items')
    statements()
  })

  afterEach(async () => {
    await server.stop()
    await db.destroy()
    rmSync(folder, { recursive: true })
  })

  const send = (path: string): Promise<HttpResponse> => server.send(`/s${path}`, { headers: json })

  const nameOf = ({ text }: HttpResponse): string => (JSON.parse(text) as { d: { Name: string } }).d.Name

  const paths = [
    '/Items(1)',
    '/Items',
    '/Items/$count',
    '/Items?$inlinecount=allpages&$top=1',
    '/Items(1)/Name',
  ]

  it.each(paths)('MUST read past the queue of Kysely when no transaction is open: %s', async (path) => {
    const { status } = await send(path)
    expect(status).toBe(200)
    expect(statements()).toEqual([])
  })

  it.each(paths)(
    'MUST wait for a transaction of the application, and not see its changes: %s',
    async (path) => {
      const before = (await send(path)).text
      const transaction = await db.startTransaction().execute()
      await transaction.updateTable('Items').set({ Name: 'uncommitted' }).execute()
      await transaction.insertInto('Items').values({ ID: 3, Name: 'uncommitted' }).execute()
      let hasResponded = false
      const response = send(path).finally(() => {
        hasResponded = true
      })
      // Another request is processed meanwhile.
      await server.send('/s/$metadata')
      await turnEventLoop()
      expect(hasResponded).toBe(false)
      await transaction.rollback().execute()
      expect((await response).text).toBe(before)
    },
  )

  it('MUST see committed changes', async () => {
    await db
      .transaction()
      .execute((transaction) => transaction.updateTable('Items').set({ Name: 'committed' }).execute())
    expect(nameOf(await send('/Items(1)'))).toBe('committed')
    expect(statements().filter((text) => text.startsWith('select'))).toEqual([])
  })

  it('MUST see changes of the service itself', async () => {
    const written = await server.send('/s/Items(1)', {
      method: 'PUT',
      headers: { ...json, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ID: 1, Name: 'written' }),
    })
    expect(written.status).toBe(204)
    expect(nameOf(await send('/Items(1)'))).toBe('written')
  })

  it('MUST undo the changes of a trigger that then prevents a deletion', async () => {
    file.exec(`
      create table "Log" ("Text" text);
      create trigger prevent after delete on "Items" begin
        insert into "Log" values (old."Name");
        select raise(fail, 'Items are needed.');
      end`)
    const fresh = sqlProvider(model, db, { sqlite: cachedFile })
    await fresh.ready()
    const own = await TestServer.start(express().use('/s', odataV2(model, fresh)))
    const response = await own.send('/s/Items(1)', { method: 'DELETE' })
    await own.stop()
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(file.prepare('select * from "Log"').all()).toEqual([])
    expect(nameOf(await send('/Items(1)'))).toBe('one')
  })

  it.each(['MERGE', 'DELETE'])(
    'MUST undo a %s when a trigger of a table that it cascades to prevents it',
    async (method) => {
      file.exec(`
        create unique index "Names" on "Items" ("Name");
        create table "Tags" ("Name" text references items (name) on update cascade on delete cascade);
        insert into "Tags" values ('one');
        create trigger keep_name after update on "Tags" begin select raise(fail, 'Tags are fixed.'); end;
        create trigger keep_tag after delete on "Tags" begin select raise(fail, 'Tags are fixed.'); end`)
      const fresh = sqlProvider(model, db, { sqlite: cachedFile })
      await fresh.ready()
      const own = await TestServer.start(express().use('/s', odataV2(model, fresh)))
      const body = method === 'MERGE' ? { body: '{"Name":"new"}' } : {}
      const headers = { 'Content-Type': 'application/json' }
      const response = await own.send('/s/Items(1)', { method, headers, ...body })
      await own.stop()
      expect(response.status).toBe(400)
      expect(nameOf(await send('/Items(1)'))).toBe('one')
      expect(file.prepare('select * from "Tags"').all()).toEqual([{ Name: 'one' }])
    },
  )

  it('MUST respond to all concurrent requests, including writes', async () => {
    const put = (Name: string): Promise<HttpResponse> =>
      server.send('/s/Items(2)', {
        method: 'PUT',
        headers: { ...json, 'Content-Type': 'application/json' },
        body: JSON.stringify({ ID: 2, Name }),
      })
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        index % 3 === 0 ? put(`n${String(index)}`) : send('/Items(2)'),
      ),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 204]))
    for (const response of responses) {
      if (response.status === 200) expect(nameOf(response)).toMatch(/^(two|n\d+)$/)
    }
  })

  it.each(paths)('MUST respond with 500 when the database fails: %s', async (path) => {
    file.exec('drop table "Items"')
    const { status, text } = await send(path)
    expect(status).toBe(500)
    expect(text).not.toContain('no such table')
    expect(String((errors[0] as Error).cause)).toContain('no such table')
  })

  it.each(paths)(
    'MUST respond with 503 and Retry-After while another process locks the database: %s',
    async (path) => {
      const other = new SQLite(join(folder, 'items.sqlite'))
      other.exec('begin exclusive')
      const { status, headers } = await send(path)
      expect(status).toBe(503)
      expect(headers['retry-after']).toBeDefined()
      other.exec('rollback')
      other.close()
      expect((await send(path)).status).toBe(200)
    },
  )
})

/** The statement that begins a transaction of several reads. */
const transaction = 'savepoint odata_reads'

describe('The parts of a batch', () => {
  let file: SQLite.Database
  let sqlite: CachedDatabase
  let db: AnyDatabase

  beforeEach(() => {
    file = new SQLite(':memory:')
    file.exec(`create table "Items" ("ID" integer primary key, "Name" text)`)
    file.exec(`insert into "Items" values (1, 'one'), (2, 'two')`)
    sqlite = cacheStatements(file)
    db = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) })
  })

  afterEach(() => db.destroy())

  /** Returns the statuses of several reads by key in one batch. */
  async function statusesOf(
    options: ODataV2Options,
    made: (provider: Provider) => Provider = (provider) => provider,
    paths = ['Items(1)', 'Items(3)', 'Items(2)'],
  ): Promise<readonly string[]> {
    const provider = sqlProvider(model, db, { sqlite })
    await provider.ready()
    const server = await TestServer.start(
      express().use('/s', odataV2(model, made(provider as Provider), options)),
    )
    const part = 'Content-Type: application/http\r\n\r\n'
    const parts = paths.map((path) => `--b\r\n${part}GET ${path} HTTP/1.1\r\n\r\n\r\n`)
    const { text } = await server.send('/s/$batch', {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
      body: `${parts.join('')}--b--`,
    })
    await server.stop()
    return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status)
  }

  it('MUST be read in one transaction, which ends after them', async () => {
    expect(await statusesOf({})).toEqual(['200', '404', '200'])
    expect(sqlite.has(transaction)).toBe(true)
    expect(file.inTransaction).toBe(false)
  })

  it('MUST be read in one transaction after `authorize` was called for all of them', async () => {
    const isOpen: boolean[] = []
    const authorize = (): undefined => {
      isOpen.push(file.inTransaction)
    }
    const authorizeLater = (): Promise<void> => Promise.resolve(authorize())
    for (const options of [{ authorize }, { authorize: authorizeLater }])
      expect(await statusesOf(options)).toEqual(['200', '404', '200'])
    expect(isOpen).toEqual(Array.from({ length: 6 }, () => false))
    expect(sqlite.has(transaction)).toBe(true)
  })

  it('MUST be read one by one if application code runs in between', async () => {
    expect(await statusesOf({ serverTiming: true })).toEqual(['200', '404', '200'])
    expect(sqlite.has(transaction)).toBe(false)
  })

  it('MUST allow transactions of the application in its context function and in onError', async () => {
    const open = (): void => {
      file.exec('begin; commit')
    }
    const drop = (provider: Provider): Provider => {
      file.exec('drop table "Items"')
      return provider
    }
    const errors: unknown[] = []
    const onError = (error: ODataError): void => {
      open()
      errors.push(error)
    }
    expect(await statusesOf({ context: open, onError }, drop)).toEqual(['500', '500', '500'])
    expect(errors).toHaveLength(3)
    expect(file.inTransaction).toBe(false)
  })

  it('MUST be read while the application takes rows one by one over the same connection', async () => {
    const rows = file.prepare('select 1 union all select 2').iterate()
    rows.next()
    expect(await statusesOf({})).toEqual(['200', '404', '200'])
    expect([...rows]).toHaveLength(1)
  })

  it('MUST all get a response when some have to wait', async () => {
    const paths = ['Items(1)', 'Items', 'Items(2)', 'Items(1)/Name', 'Items(2)', '$metadata']
    expect(await statusesOf({}, undefined, paths)).toEqual(paths.map(() => '200'))
    expect(file.inTransaction).toBe(false)
  })
})

describe('The option sqlite', () => {
  const memory = () => cacheStatements(new SQLite(':memory:'))
  const kyselyOn = (database = memory()): AnyDatabase =>
    new Kysely({ dialect: new SqliteDialect({ database }) })
  const on = (options: Readonly<Record<string, unknown>>, db = kyselyOn()) =>
    sqlProvider(model, db, options as SqlProviderOptions)

  it('MUST be the result of cacheStatements', () => {
    expect(() => on({ sqlite: new SQLite(':memory:') })).toThrow(/cacheStatements/)
    expect(() => on({ sqlite: 'shop.sqlite' })).toThrow(/cacheStatements/)
  })

  it('MUST be the database that Kysely has', async () => {
    const db = kyselyOn()
    await sql`create table "Items" ("ID" integer primary key, "Name" text)`.execute(db)
    await expect(on({ sqlite: memory() }, db).ready()).rejects.toThrow(/another database than that of db/)
  })

  it('MUST report whether a transaction is open', () => {
    const silent: SqliteDatabase = {
      prepare: (text) => new SQLite(':memory:').prepare(text),
      close: () => undefined,
    }
    expect(() => on({ sqlite: cacheStatements(silent) })).toThrow(/inTransaction/)
  })

  it('MUST not be combined with a replica', () => {
    expect(() => on({ sqlite: memory(), replica: kyselyOn() })).toThrow(/replica/)
  })

  it('MUST not be given with other databases', async () => {
    const db: AnyDatabase = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool() }) })
    expect(() => on({ sqlite: memory() }, db)).toThrow(/'sqlite' is not supported on postgres/)
    await db.destroy()
  })
})
