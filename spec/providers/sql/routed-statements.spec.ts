import express from 'express'
import SQLite from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { ODataV2Options } from '../../../lib/odata-v2.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import { cacheStatements } from '../../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { batchBody, written } from '../../support/batch-exchange.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { TestServer } from '../../support/http-exchange.js'

const model = defineModel({
  namespace: 'Routed',
  entityTypes: {
    Item: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() } },
  },
  entityContainer: {
    entitySets: { Items: { entityType: 'Item' } },
    functionImports: { Log: { httpMethod: 'POST', returnType: 'Edm.Int32' } },
  },
})

interface Tables {
  readonly log: { readonly text: string }
}

type Work = () => unknown

/** The statements that the application runs on its own database in hooks, `authorize` and functions. */
interface Application {
  readonly hook?: Work
  readonly authorize?: Work
  readonly function?: Work
}

describe.each([
  ['Kysely', false],
  ['direct reads', true],
])('Statements of the application on the same SQLite database, with %s', (_name, isDirect) => {
  let db: Kysely<Tables>
  let server: TestServer
  let errors: unknown[]

  const log = (text: string): Promise<unknown> => db.insertInto('log').values({ text }).execute()
  const logged = async (): Promise<unknown> =>
    (await db.selectFrom('log').select('text').orderBy('text').execute()).map(({ text }) => text)

  const start = async (application: Application): Promise<void> => {
    const database = cacheStatements(new SQLite(':memory:'))
    db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) })
    await sql`create table "Items" ("ID" integer primary key, "Name" text)`.execute(db)
    await sql`create table log (text text primary key)`.execute(db)
    errors = []
    const provider = sqlProvider(model, db, {
      ...(isDirect ? { sqlite: database } : {}),
      functions: {
        Log: async () => {
          await application.function?.()
          return 1
        },
      },
    })
    const options: Partial<ODataV2Options> = {
      hooks: { Items: { afterInsert: () => application.hook?.() } },
      authorize: async () => {
        await application.authorize?.()
        return undefined
      },
      onError: (error) => errors.push(error.cause),
    }
    const service = odataV2(model, provider, options)
    server = await TestServer.start(express().use('/s', service))
  }

  afterEach(async () => {
    await server.stop()
    await db.destroy()
  })

  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
  const post = (json: unknown): Promise<HttpResponse> =>
    server.send('/s/Items', { method: 'POST', headers, body: JSON.stringify(json) })
  const batch = (...parts: readonly string[]): Promise<HttpResponse> =>
    server.send('/s/$batch', {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
      body: batchBody(parts),
    })

  it('MUST be part of the change set of the hook that runs them', async () => {
    await start({ hook: () => log('hook') })
    expect((await post({ ID: 1, Name: 'a' })).status).toBe(201)
    expect(await logged()).toEqual(['hook'])
  })

  it('MUST see the changes of the change set', async () => {
    const names: unknown[] = []
    await start({
      hook: async () => {
        await new Promise((resolve) => setImmediate(resolve))
        const other = db.withSchema('main')
        names.push(...(await sql`select "Name" from "Items"`.execute(other)).rows)
      },
    })
    expect((await post({ ID: 1, Name: 'a' })).status).toBe(201)
    expect(names).toEqual([{ Name: 'a' }])
  })

  it('MUST be rolled back with it', async () => {
    await start({
      hook: async () => {
        await log('hook')
        throw new Error('refused')
      },
    })
    expect((await post({ ID: 1, Name: 'a' })).status).toBe(500)
    expect(await logged()).toEqual([])
  })

  it('MUST run when they are not awaited', async () => {
    let work: Promise<unknown> | undefined
    await start({
      hook: () => {
        work = new Promise((resolve) => setTimeout(resolve, 20)).then(() => log('late'))
      },
    })
    expect((await post({ ID: 1, Name: 'a' })).status).toBe(201)
    await work
    expect(await logged()).toEqual(['late'])
  })

  it('MUST run in authorize and in functions, within change sets too', async () => {
    let calls = 0
    await start({
      authorize: () => log(`authorize ${String(++calls)}`),
      function: () => log('function'),
    })
    const add = (ID: number): string => written('POST Items', JSON.stringify({ ID, Name: 'a' }))
    const { status, text } = await batch(add(1), add(2), written('POST Log', ''))
    expect([status, text.match(/HTTP\/1\.1 \d+/g)]).toEqual([
      202,
      ['HTTP/1.1 201', 'HTTP/1.1 201', 'HTTP/1.1 200'],
    ])
    expect(await logged()).toContain('function')
  })

  it('MUST be rejected immediately when they begin a transaction of their own', async () => {
    await start({ hook: () => db.transaction().execute((trx) => sql`select 1`.execute(trx)) })
    expect((await post({ ID: 1, Name: 'a' })).status).toBe(500)
    expect(errors).toEqual([
      expect.objectContaining({ message: expect.stringContaining('connectionOf(call)') as string }),
    ])
  })
})
