import SQLite from 'better-sqlite3'
import express from 'express'
import { Kysely, SqliteDialect } from 'kysely'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineModel, edm, odataV2 } from '../../lib/index.js'
import { sqlProvider } from '../../lib/sql.js'
import type { HttpResponse, Question } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'

/** Each service has a model, a provider and a database connection of its own, as in a process of its own. */
const createModel = () =>
  defineModel({
    namespace: 'Shop',
    entityTypes: {
      Product: {
        key: ['ID'],
        properties: {
          ID: edm.Int32({ nullable: false }),
          Name: edm.String(),
          Version: edm.Int32({ nullable: false, concurrencyMode: 'Fixed' }),
        },
      },
    },
    entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
  })
const json = { Accept: 'application/json', 'Content-Type': 'application/json' }

describe('Two services behind a proxy without sticky sessions', () => {
  const servers: TestServer[] = []
  const databases: SQLite.Database[] = []
  const folder = mkdtempSync(join(tmpdir(), 'processes-'))
  let turn = 0

  beforeAll(async () => {
    for (let index = 0; index < 2; index++) {
      const database = new SQLite(join(folder, 'shop.sqlite'))
      databases.push(database)
      if (index === 0) {
        database.exec(
          'create table "Products" ("ID" integer primary key, "Name" text, "Version" integer not null)',
        )
        const insert = database.prepare('insert into "Products" values (?, ?, 1)')
        for (let ID = 1; ID <= 95; ID++) insert.run(ID, `Product ${String(ID % 7)}`)
      }
      const model = createModel()
      const db = new Kysely<never>({ dialect: new SqliteDialect({ database }) })
      const service = odataV2(model, sqlProvider(model, db), {
        pageSize: 10,
        serviceRoot: 'http://shop.example/shop/',
        csrf: { secret: 'the secret of all processes' },
      })
      servers.push(await TestServer.start(express().use('/shop', service)))
    }
  })
  afterAll(async () => {
    for (const server of servers) await server.stop()
    for (const database of databases) database.close()
    rmSync(folder, { recursive: true })
  })

  /** Sends each request to the other service than the one before. */
  const send = async (path: string, question: Question = {}): Promise<HttpResponse> => {
    const response = await servers[turn++ % 2]?.send(`/shop/${path}`, question)
    if (response === undefined) throw new Error('There is no server.')
    return response
  }

  it.each(['Products', 'Products?$orderby=Name desc', 'Products?$filter=ID gt 20&$top=50'])(
    'MUST continue the pages of each other: %s',
    async (path) => {
      interface Page {
        readonly d: { readonly results: readonly { readonly ID: number }[]; readonly __next?: string }
      }
      const found: number[] = []
      let pages = 0
      for (let next: string | undefined = encodeURI(path); next !== undefined; pages++) {
        const { d } = JSON.parse((await send(next, { headers: json })).text) as Page
        found.push(...d.results.map(({ ID }) => ID))
        next = d.__next?.replace('http://shop.example/shop/', '')
      }
      expect(pages).toBeGreaterThan(4)
      const expected = path.includes('$top') ? 50 : 95
      expect([found.length, new Set(found).size]).toEqual([expected, expected])
    },
  )

  it('MUST accept CSRF tokens and ETags of each other', async () => {
    const fetched = await send('', { headers: { 'x-csrf-token': 'Fetch' } })
    const [cookie = ''] = fetched.headers['set-cookie'] ?? []
    const headers = {
      ...json,
      'x-csrf-token': String(fetched.headers['x-csrf-token']),
      cookie: cookie.replace(/;.*/, ''),
    }
    for (let version = 1; version <= 4; version++) {
      const { headers: read } = await send('Products(1)', { headers: json })
      const change = {
        method: 'MERGE',
        headers: { ...headers, 'If-Match': read.etag ?? '' },
        body: JSON.stringify({ Name: `changed ${String(version)}` }),
      }
      expect((await send('Products(1)', change)).status).toBe(204)
      expect((await send('Products(1)', change)).status).toBe(412)
      turn++
    }
  })

  it('MUST have the same ETag of $metadata', async () => {
    const { headers } = await send('$metadata')
    expect(headers.etag).toBeDefined()
    expect((await send('$metadata', { headers: { 'If-None-Match': headers.etag ?? '' } })).status).toBe(304)
  })
})
