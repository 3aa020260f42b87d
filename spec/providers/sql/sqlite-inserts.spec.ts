import SQLite from 'better-sqlite3'
import express from 'express'
import { Kysely, SqliteDialect } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { ODataError } from '../../../lib/errors/odata-error.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import type { ServiceOptions } from '../../../lib/options.js'
import type { Provider } from '../../../lib/provider/provider.js'
import { cacheStatements } from '../../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import type { HttpResponse } from '../../support/http-exchange.js'
import { TestServer } from '../../support/http-exchange.js'
import { statementLog } from '../../support/sql/logged-database.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'

const model = defineModel({
  namespace: 'Autocommit',
  entityTypes: {
    Shelf: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() },
      navigationProperties: { Items: { relationship: 'ShelfItems', fromRole: 'Shelf', toRole: 'Items' } },
    },
    Item: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Name: edm.String(),
        ShelfID: edm.Int32(),
        Made: edm.Int32(),
      },
    },
  },
  associations: {
    ShelfItems: {
      ends: {
        Shelf: { type: 'Shelf', multiplicity: '0..1' },
        Items: { type: 'Item', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Shelf', properties: ['ID'] },
        dependent: { role: 'Items', properties: ['ShelfID'] },
      },
    },
  },
  entityContainer: { entitySets: { Shelves: { entityType: 'Shelf' }, Items: { entityType: 'Item' } } },
})

const json = { Accept: 'application/json', 'Content-Type': 'application/json' }

describe('inserts of sqlProvider(model, db, { sqlite })', () => {
  let file: SQLite.Database
  let db: AnyDatabase
  let statements: () => string[]
  let server: TestServer | undefined
  let provider: Provider

  beforeEach(async () => {
    file = new SQLite(':memory:')
    file.pragma('foreign_keys = off')
    file.exec(`
      create table "Shelves" ("ID" integer primary key, "Name" text);
      create table "Items" ("ID" integer primary key, "Name" text, "ShelfID" integer, "Made" not null default 7);
      insert into "Shelves" values (1, 'first');
      insert into "Items" values (1, 'one', 1, 7)`)
    const sqlite = cacheStatements(file)
    const log = statementLog()
    statements = log.statements
    db = new Kysely({ dialect: new SqliteDialect({ database: sqlite }), log: log.note })
    const made = sqlProvider(model, db, { sqlite })
    await made.ready()
    provider = made
    statements()
  })

  afterEach(async () => {
    await server?.stop()
    server = undefined
    await db.destroy()
  })

  const serve = async (options: ServiceOptions = {}, served = provider): Promise<TestServer> => {
    const service = odataV2(model, served as never, { onError: () => undefined, ...options } as never)
    server = await TestServer.start(express().use('/s', service))
    return server
  }

  const insert = (to: TestServer, entity: object, set = 'Items'): Promise<HttpResponse> =>
    to.send(`/s/${set}`, { method: 'POST', headers: json, body: JSON.stringify(entity) })

  const items = (): unknown[] => file.prepare('select "ID", "Name" from "Items" order by "ID"').raw().all()

  const entityOf = ({ text }: HttpResponse): Record<string, unknown> =>
    (JSON.parse(text) as { d: Record<string, unknown> }).d

  it('MUST bypass the queue of Kysely, and return the entity as it is stored', async () => {
    const response = await insert(await serve(), { ID: 2, Name: 'two', ShelfID: 1 })
    expect(response.status).toBe(201)
    expect(response.headers.location).toMatch(/\/s\/Items\(2\)$/)
    expect(entityOf(response)).toMatchObject({ ID: 2, Name: 'two', ShelfID: 1, Made: 7 })
    expect(statements()).toEqual([])
    expect(file.inTransaction).toBe(false)
    expect(items()).toEqual([
      [1, 'one'],
      [2, 'two'],
    ])
  })

  it('MUST respond with 409 to a duplicate key, and leave the existing entity unchanged', async () => {
    const response = await insert(await serve(), { ID: 1, Name: 'another' })
    expect(response.status).toBe(409)
    expect(items()).toEqual([[1, 'one']])
    expect(file.inTransaction).toBe(false)
  })

  it('MUST respond with 409 to a foreign key without a target, and insert nothing', async () => {
    const response = await insert(await serve(), { ID: 2, ShelfID: 9 })
    expect(response.status).toBe(409)
    expect(items()).toEqual([[1, 'one']])
  })

  it('MUST generate a key that the client omits', async () => {
    const response = await insert(await serve(), { Name: 'two' })
    expect(response.status).toBe(201)
    expect(entityOf(response).ID).toBe(2)
  })

  it('MUST add nothing when the entity as it is stored cannot be written', async () => {
    file.exec('alter table "Items" drop column "Made"')
    file.exec(`alter table "Items" add column "Made" not null default 'no number'`)
    const response = await insert(await serve(), { ID: 2 })
    expect(response.status).toBe(500)
    expect(items()).toEqual([[1, 'one']])
    expect(file.inTransaction).toBe(false)
  })

  it('MUST wait for a transaction of the application', async () => {
    const to = await serve()
    const transaction = await db.startTransaction().execute()
    await transaction.insertInto('Items').values({ ID: 2, Name: 'uncommitted' }).execute()
    const response = insert(to, { ID: 2, Name: 'two' })
    await to.waitForRequests(1)
    await transaction.rollback().execute()
    expect((await response).status).toBe(201)
    expect(items()).toEqual([
      [1, 'one'],
      [2, 'two'],
    ])
  })

  it('MUST add nothing that the caller may not add', async () => {
    const filtered = await serve({
      authorize: ({ kind }) => (kind === 'insert' ? `Name eq 'mine'` : undefined),
    })
    expect((await insert(filtered, { ID: 2, Name: 'yours' })).status).toBe(403)
    expect(items()).toEqual([[1, 'one']])
    expect((await insert(filtered, { ID: 2, Name: 'mine' })).status).toBe(201)
  })

  it('MUST be rolled back when a later hook fails', async () => {
    const afterInsert = (): never => {
      throw new ODataError('Forbidden')
    }
    const response = await insert(await serve({ hooks: { Items: { afterInsert } } }), { ID: 2 })
    expect(response.status).toBe(403)
    expect(items()).toEqual([[1, 'one']])
  })

  it('MUST be one change with the entities that it brings along', async () => {
    const shelf = { ID: 2, Items: [{ ID: 2 }, { ID: 1 }] }
    expect((await insert(await serve(), shelf, 'Shelves')).status).toBe(409)
    expect(items()).toEqual([[1, 'one']])
    expect(file.prepare('select count(*) from "Shelves"').pluck().get()).toBe(1)
  })

  it('MUST call a method that the application has replaced', async () => {
    const alone: Provider = { entitySets: provider.entitySets }
    expect((await insert(await serve({}, alone), { ID: 2 })).status).toBe(201)
    expect(statements()).toContain('begin immediate')
    const { Items } = provider.entitySets as Record<string, Provider['entitySets'][string]>
    const named: Provider = {
      ...provider,
      entitySets: {
        ...provider.entitySets,
        Items: {
          ...Items,
          insert: (entity: object, call: never) => Items?.insert?.({ ...entity, Name: 'ours' }, call),
        },
      } as never,
    }
    await server?.stop()
    expect(entityOf(await insert(await serve({}, named), { ID: 3 }))).toMatchObject({ Name: 'ours' })
  })

  it('MUST NOT be inserted twice by concurrent requests', async () => {
    const to = await serve()
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) => insert(to, { ID: 2 + (index % 20) })),
    )
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(20)
    expect(items()).toHaveLength(21)
  })
})
