import SQLite from 'better-sqlite3'
import express from 'express'
import { Kysely, SqliteDialect } from 'kysely'
import { defineModel, edm, odataV2, writeEdmx } from '../../../lib/index.js'
import { cacheStatements } from '../../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import type { KnownDialect } from '../../../lib/providers/sql/dialects/known-dialect.js'
import { dialectOf } from '../../../lib/providers/sql/dialect-of.js'
import type { SqlDialect } from '../../../lib/providers/sql/dialect.js'
import { introspectTables } from '../../../lib/providers/sql/introspection/introspect.js'
import { createProvider } from '../../../lib/providers/sql/sql-provider.js'
import { TestServer } from '../../support/http-exchange.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'

const json = { Accept: 'application/json', 'Content-Type': 'application/json' }

const photos = defineModel({
  namespace: 'Photos',
  entityTypes: {
    Photo: { hasStream: true, key: ['ID'], properties: { ID: edm.Int32({ nullable: false }) } },
  },
  entityContainer: { name: 'Container', entitySets: { Photos: { entityType: 'Photo' } } },
})

/** SQLite as a database that cannot be changed. */
function withoutWrites(db: AnyDatabase): KnownDialect {
  const known = dialectOf(db)
  const dialect: SqlDialect = { ...known.dialect, writes: undefined, detect: () => dialect }
  return { ...known, dialect }
}

describe.each([false, true])('A dialect without writes, synchronous: %p', (isSynchronous) => {
  const sqlite = cacheStatements(new SQLite(':memory:'))
  const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) })
  const options = isSynchronous ? { sqlite } : {}
  let server: TestServer
  let metadata = ''

  beforeAll(async () => {
    for (const statement of [
      'create table orders (id integer primary key, note text)',
      'create trigger order_notes after insert on orders begin select 1; end',
      'create table lines (id integer primary key, order_id integer references orders, amount integer not null)',
      'create table tags (id integer primary key, name text)',
      'create table order_tags (order_id integer references orders, tag_id integer references tags, primary key (order_id, tag_id))',
      "insert into orders values (1, 'a'), (2, 'b')",
      'insert into lines values (1, 1, 5), (2, 1, 7)',
      "insert into tags values (1, 'new')",
      'insert into order_tags values (1, 1)',
      'create table Photos (ID integer primary key, MediaContent blob, MediaContentType text)',
      "insert into Photos values (1, x'0102', 'image/png')",
    ])
      sqlite.prepare(statement).run([])
    const known = withoutWrites(db)
    const model = await introspectTables(db, known, { tables: (name) => name !== 'Photos' })
    metadata = writeEdmx(model)
    const app = express()
      .use('/s', odataV2(model, createProvider(model, db, known, options), { onError: () => undefined }))
      .use('/p', odataV2(photos, createProvider(photos, db, known, options), { onError: () => undefined }))
      // Changes are refused even if the service ignores the annotations of the model.
      .use('/u', odataV2(model, createProvider(model, db, known, options), { sapRestrictions: false }))
    server = await TestServer.start(app)
  })

  afterAll(async () => {
    await server.stop()
    await db.destroy()
  })

  const read = async (path: string): Promise<unknown> => {
    const { status, text } = await server.send(path, { headers: json })
    expect(status).toBe(200)
    return (JSON.parse(text) as { readonly d: unknown }).d
  }

  it('MUST read entities, pages, counts and navigation', async () => {
    expect(await read('/s/Orders(2)')).toMatchObject({ Id: '2', Note: 'b' })
    expect(await read("/s/Orders?$filter=Note%20eq%20'a'&$inlinecount=allpages")).toMatchObject({
      __count: '1',
      results: [{ Id: '1' }],
    })
    expect(await read('/s/Orders(1)?$expand=Lines,Tags')).toMatchObject({
      Lines: { results: [{ Amount: '5' }, { Amount: '7' }] },
      Tags: { results: [{ Name: 'new' }] },
    })
    const { text } = await server.send('/s/Lines/$count')
    expect(text).toBe('2')
  })

  it('MUST read media resources', async () => {
    const { status, headers, bytes } = await server.send('/p/Photos(1)/$value')
    expect([status, headers['content-type'], [...bytes]]).toEqual([200, 'image/png', [1, 2]])
  })

  const changes: readonly (readonly [method: string, path: string, body?: object])[] = [
    ['POST', 'Orders', { Id: '3' }],
    ['PUT', 'Orders(1)', { Note: 'c' }],
    ['MERGE', 'Orders(1)', { Note: 'c' }],
    ['DELETE', 'Orders(1)'],
    ['PUT', 'Orders(1)/Note', { Note: 'c' }],
    ['POST', 'Orders(1)/Lines', { Id: '3', Amount: '1' }],
    ['POST', 'Orders(1)/$links/Tags', { uri: 'Tags(1)' }],
    ['DELETE', 'Orders(1)/$links/Tags(1)'],
  ]

  it.each(['/s/', '/u/'])('MUST refuse all changes with 405 and Allow: %s', async (root) => {
    for (const [method, path, body] of changes) {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const { status, headers } = await server.send(root + path, { method, headers: json, ...sent })
      expect([method, path, status, headers.allow]).toEqual([method, path, 405, 'GET, HEAD, OPTIONS'])
    }
  })

  it('MUST refuse changes of media resources with 405', async () => {
    const send = (method: string, path: string, body?: string): Promise<HttpResponse> =>
      server.send(path, {
        method,
        headers: { 'Content-Type': 'image/png' },
        ...(body === undefined ? {} : { body }),
      })
    const responses = [
      await send('POST', '/p/Photos', 'x'),
      await send('PUT', '/p/Photos(1)/$value', 'x'),
      await send('DELETE', '/p/Photos(1)/$value'),
    ]
    expect(responses.map(({ status }) => status)).toEqual([405, 405, 405])
  })

  it('MUST be announced as sets that cannot be created, updated or deleted', () => {
    const sets = metadata.match(/<EntitySet [^>]*>/g) ?? []
    expect(sets).toHaveLength(3)
    for (const set of sets)
      expect(set).toContain('sap:creatable="false" sap:updatable="false" sap:deletable="false"')
  })
})
