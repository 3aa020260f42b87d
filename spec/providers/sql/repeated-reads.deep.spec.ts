import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import express from 'express'
import { fc, runs } from '../../support/random.js'
import { Kysely, SqliteDialect } from 'kysely'
import { defineModel, edm, odataV2 } from '../../../lib/index.js'
import { cacheStatements } from '../../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import type { SqlProviderOptions } from '../../../lib/providers/sql/sql-provider.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { TestServer } from '../../support/http-exchange.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'

const item = {
  key: ['ID'] as const,
  properties: {
    ID: edm.Int32({ nullable: false }),
    OwnerID: edm.Int32(),
    Name: edm.String(),
    Price: edm.Double(),
  },
}

const model = defineModel({
  namespace: 'Cached',
  entityTypes: {
    Owner: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() },
      navigationProperties: { Items: { relationship: 'OwnerItems', fromRole: 'Owner', toRole: 'Item' } },
    },
    Item: {
      ...item,
      navigationProperties: { Owner: { relationship: 'OwnerItems', fromRole: 'Item', toRole: 'Owner' } },
    },
    Dice: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() } },
    // A property that is only read from the database.
    Picture: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Bytes: edm.Binary() } },
  },
  associations: {
    OwnerItems: {
      ends: {
        Owner: { type: 'Owner', multiplicity: '0..1' },
        Item: { type: 'Item', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Owner', properties: ['ID'] },
        dependent: { role: 'Item', properties: ['OwnerID'] },
      },
    },
  },
  entityContainer: {
    entitySets: {
      Owners: { entityType: 'Owner' },
      Items: { entityType: 'Item' },
      Dices: { entityType: 'Dice' },
      Words: { entityType: 'Dice' },
      Pictures: { entityType: 'Picture' },
    },
    associationSets: {
      OwnerItemsSet: { association: 'OwnerItems', ends: { Owner: 'Owners', Item: 'Items' } },
    },
  },
})

const tables = `
  create table "Owners" ("ID" integer primary key, "Name" text);
  create table "Items" (
    "ID" integer primary key,
    "OwnerID" integer references "Owners" ("ID") on delete cascade,
    "Name" text,
    "Price" double
  );
 create table "Pictures" ("ID" integer primary key, "Bytes" blob);
  create table "Log" ("Text" text);
  create view "Dices" as select 1 as "ID", cast(random() as text) as "Name";
  create virtual table "Words" using fts5("ID", "Name");
  insert into "Owners" values (1, 'Ann'), (2, 'Bob');
  insert into "Items" values (1, 1, 'one', 0.1), (2, 1, 'two', null), (3, 2, null, -12.25), (4, null, 'Ω''"<&', null);
 insert into "Pictures" values (1, x'00ff'), (2, null);
  insert into "Words" values (1, 'word');`

const readPaths = [
  '/Items',
  '/Items?$format=atom',
  '/Items?$filter=ID%20gt%201&$orderby=Name%20desc&$top=2',
  '/Items?$inlinecount=allpages&$top=1',
  '/Items?$select=Name,Price',
  '/Items?$skiptoken=1',
  '/Items/$count',
  '/Items/$count?$filter=startswith(Name,%27t%27)',
  '/Owners?$expand=Items',
  '/Owners?$expand=Items&$format=atom',
  '/Owners(1)/Items',
  '/Owners(1)?$expand=Items',
  '/Items(2)?$expand=Owner',
  '/Pictures',
  '/Pictures?$format=atom',
  '/Items?$filter=Owner/Name%20eq%20%27Ann%27',
]

const changes: readonly (readonly [string, string])[] = [
  ['other table', `update "Pictures" set "Bytes" = x'0102'`],
  ['insert', `insert into "Items" values (9, 1, 'nine', null)`],
  ['update', `update "Items" set "Name" = 'changed' where "ID" = 2`],
  ['delete', `delete from "Items" where "ID" = 1`],
  ['delete of all', `delete from "Items"`],
  ['replace', `insert or replace into "Items" values (2, 2, 'replaced', null)`],
  ['deletion that cascades', `pragma foreign_keys = on; delete from "Owners" where "ID" = 1`],
  [
    'trigger',
    `create temp trigger t after insert on "Log" begin update "Items" set "Name" = new."Text"; end; insert into "Log" values ('triggered')`,
  ],
  ['transaction', `begin; update "Items" set "Name" = 'x'; update "Owners" set "Name" = 'y'; commit`],
  ['table of another name', `alter table "Items" rename to "Old"; alter table "Log" rename to "Items"`],
  [
    'table made anew',
    `drop table "Items"; create table "Items" as select 7 as "ID", 1 as "OwnerID", 'new' as "Name", null as "Price"`,
  ],
]

describe('Pages that are cached from SQLite', () => {
  let folder = ''
  let file: SQLite.Database
  let db: AnyDatabase
  let read: string[]
  let server: TestServer

  const provided = async (options: SqlProviderOptions = {}) => {
    const provider = sqlProvider(model, db, options)
    await provider.ready()
    return provider
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cached-'))
    read = []
    file = new SQLite(join(folder, 'items.sqlite'), {
      verbose: (text) => {
        read.push(String(text))
      },
    })
    file.pragma('journal_mode = wal')
    file.exec(tables)
    const sqlite = cacheStatements(file)
    db = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) })
    server = await TestServer.start(
      express()
        .use('/cached', odataV2(model, await provided({ sqlite })))
        .use('/read', odataV2(model, await provided({ sqlite }), { pageCache: { maxBytes: 0 } })),
    )
  })

  afterEach(async () => {
    await server.stop()
    await db.destroy()
    rmSync(folder, { recursive: true })
  })

  /** Returns the parts of a response that do not depend on the time of the request. */
  async function send(service: 'cached' | 'read', path: string): Promise<string> {
    const headers = path.includes('atom') ? {} : { Accept: 'application/json' }
    const { status, text } = await server.send(`/${service}${path}`, { headers })
    const alike = text.replaceAll(`/${service}/`, '/s/').replace(/<updated>[^<]*<\/updated>/g, '<updated/>')
    return `${String(status)} ${alike}`
  }

  /** Counts the statements that read a table during a request. */
  async function readsOf(path: string): Promise<number> {
    read = []
    await send('cached', path)
    return read.filter((text) => /from "(Items|Owners|Dices|Words|Pictures)"/.test(text)).length
  }

  async function expectSame(paths: readonly string[] = readPaths): Promise<void> {
    for (const path of paths)
      expect([path, await send('cached', path)]).toEqual([path, await send('read', path)])
  }

  const askOften = async (): Promise<void> => {
    for (const path of readPaths) for (let time = 0; time < 3; time++) await send('cached', path)
  }

  it.each(readPaths)('MUST serve repeated requests from the cache: %s', async (path) => {
    const [first, second, third] = [await readsOf(path), await readsOf(path), await readsOf(path)]
    expect([first, second].map((count) => count > 0)).toEqual([true, true])
    expect(third).toBe(0)
    await expectSame([path])
  })

  it.each(changes)('MUST show a change made on the same connection: %s', async (_name, statements) => {
    await askOften()
    file.exec(statements)
    await expectSame()
  })

  it.each(changes)('MUST show a change made on another connection: %s', async (_name, statements) => {
    await askOften()
    const other = new SQLite(join(folder, 'items.sqlite'))
    other.exec(statements)
    other.close()
    await expectSame()
  })

  it.each([
    ['POST', '/Items', { ID: 20, Name: 'posted' }],
    ['PUT', '/Items(1)', { ID: 1, Name: 'put' }],
    ['MERGE', '/Owners(2)', { Name: 'merged' }],
    ['DELETE', '/Items(2)', undefined],
    ['PUT', '/Items(4)/$links/Owner', { uri: 'Owners(2)' }],
  ])('MUST show a change of the service itself: %s %s', async (method, path, body) => {
    await askOften()
    const { status } = await server.send(`/cached${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    expect(status).toBeLessThan(300)
    await expectSame()
  })

  it('MUST NOT cache results of a transaction that is rolled back', async () => {
    await askOften()
    const before = await Promise.all(readPaths.map((path) => send('cached', path)))
    const transaction = await db.startTransaction().execute()
    await transaction.updateTable('Items').set({ Name: 'uncommitted' }).execute()
    const waiting = readPaths.map((path) => send('cached', path))
    await transaction.rollback().execute()
    expect(await Promise.all(waiting)).toEqual(before)
    await expectSame()
  })

  it.each(['/Dices', '/Dices?$format=atom', '/Words', '/Words/$count'])(
    'MUST keep nothing of views and virtual tables: %s',
    async (path) => {
      for (let time = 0; time < 3; time++) expect(await readsOf(path)).toBeGreaterThan(0)
    },
  )

  it.each([
    [
      'table',
      `create temp table "Items" as select 1 as "ID", 2 as "OwnerID", 'temporary' as "Name", 0.5 as "Price"`,
    ],
    [
      'view',
      `create temp view "Items" as select "ID", "OwnerID", cast(random() as text) as "Name", "Price" from main."Items"`,
    ],
  ])('MUST show a temporary %s that shadows the one of the file', async (kind, statement) => {
    await askOften()
    file.exec(statement)
    for (let time = 0; time < 3; time++) expect(await readsOf('/Items')).toBeGreaterThan(0)
    if (kind === 'table') await expectSame()
    file.exec(`drop ${kind} temp."Items"`)
    await expectSame()
  })

  it('MUST keep nothing of a table that has become a view', async () => {
    await askOften()
    file.exec(`alter table "Items" rename to "Base"; create view "Items" as select * from "Base"`)
    for (let time = 0; time < 3; time++) expect(await readsOf('/Items')).toBeGreaterThan(0)
    await expectSame()
  })

  it('MUST NOT cache results of a statement of the application that is rolled back later', async () => {
    file.exec(
      `create table "Deferred" ("ID" integer references "Owners" ("ID") deferrable initially deferred)`,
    )
    file.exec(`create trigger d after update on "Items" begin insert into "Deferred" values (99); end`)
    const rows = file.prepare(`update "Items" set "Name" = 'rolled back' returning "ID"`).iterate()
    rows.next()
    await askOften()
    expect(() => [...rows]).toThrow('FOREIGN KEY')
    await expectSame()
  })

  it('MUST leave no transaction open while the application takes rows that it changes', async () => {
    await send('cached', '/Items')
    file.unsafeMode(true)
    const rows = file.prepare(`update "Items" set "Name" = 'x' returning "ID"`).iterate()
    rows.next()
    for (let time = 0; time < 3; time++) expect(await send('cached', '/Items')).toMatch(/^200 /)
    expect([...rows]).not.toEqual([])
    file.unsafeMode(false)
    expect(file.inTransaction).toBe(false)
    await expectSame()
  })

  it('MUST have the time of each response in Atom', async () => {
    const times: string[] = []
    const { now } = Date
    try {
      for (let time = 0; time < 4; time++) {
        Date.now = () => Date.UTC(2020, 0, 1, 0, 0, time)
        const { text } = await server.send('/cached/Owners?$expand=Items&$format=atom')
        const found = [...text.matchAll(/<updated>([^<]*)<\/updated>/g)].map(([, one = '']) => one)
        expect(found).toHaveLength(8)
        expect(new Set(found).size).toBe(1)
        times.push(found[0] ?? '')
      }
    } finally {
      Date.now = now
    }
    expect(times).toEqual([0, 1, 2, 3].map((second) => `2020-01-01T00:00:0${String(second)}Z`))
  })

  it('MUST not replace strings that look like the time of the response', async () => {
    file.prepare('update "Items" set "Name" = ?').run(`${'\u0002'.repeat(20)} \u0001`)
    for (let time = 0; time < 3; time++) await expectSame(['/Items?$format=atom', '/Items'])
  })

  it('MUST send long feeds completely to concurrent clients', async () => {
    const insert = file.prepare('insert into "Items" values (?, 1, ?, null)')
    for (let id = 100; id < 400; id++) insert.run(id, `Name ${String(id)} `.repeat(30))
    for (const path of ['/Items', '/Items?$format=atom', '/Owners?$expand=Items']) {
      const expected = await send('read', path)
      for (let time = 0; time < 3; time++) expect(await send('cached', path)).toBe(expected)
      for (let time = 0; time < 3; time++) {
        const responses = await Promise.all(Array.from({ length: 8 }, () => send('cached', path)))
        expect(new Set(responses)).toEqual(new Set([expected]))
      }
      expect(await readsOf(path)).toBe(0)
    }
  })

  it('MUST respond as without a cache, whatever changes between requests', async () => {
    const other = new SQLite(join(folder, 'items.sqlite'))
    const id = fc.integer({ min: 1, max: 6 })
    const change = fc.oneof(
      id.map((one) => `update "Items" set "Name" = coalesce("Name", '') || 'x' where "ID" = ${String(one)}`),
      id.map((one) => `delete from "Items" where "ID" = ${String(one)}`),
      id.map((one) => `insert or ignore into "Items" values (${String(one)}, 2, 'i', null)`),
      id.map((one) => `begin; update "Owners" set "Name" = '${String(one)}'; rollback`),
      id.map((one) => `update "Owners" set "Name" = '${String(one)}'`),
    )
    const step = fc.oneof(
      { arbitrary: fc.constantFrom(...readPaths).map((path) => ({ path })), weight: 6 },
      { arbitrary: fc.record({ change, isOwn: fc.boolean() }), weight: 1 },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        for (const one of steps) {
          if ('path' in one) await expectSame([one.path])
          else (one.isOwn ? file : other).exec(one.change)
        }
      }),
      { numRuns: runs(40) },
    )
    other.close()
  })
})
