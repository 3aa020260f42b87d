import { AsyncLocalStorage } from 'node:async_hooks'
import SQLite from 'better-sqlite3'
import express from 'express'
import { Kysely, SqliteDialect } from 'kysely'
import { defineModel, edm } from '../../lib/edm/define-model.js'
import { ODataError } from '../../lib/errors/odata-error.js'
import type { Row } from '../../lib/evaluation/row.js'
import { odataV2 } from '../../lib/odata-v2.js'
import type { ServiceOptions } from '../../lib/options.js'
import type { ChangeSet } from '../../lib/provider/change-set.js'
import type { AutocommitChanges, EntitySetProvider, Provider } from '../../lib/provider/provider.js'
import { memoryProvider } from '../../lib/providers/memory/memory-provider.js'
import type { CachedDatabase } from '../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import { cacheStatements } from '../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import { sqlProvider } from '../../lib/providers/sql/sql-provider.js'
import { batchBody, get, written } from '../support/batch-exchange.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'

const model = defineModel({
  namespace: 'Capabilities',
  entityTypes: {
    Item: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() } },
  },
  entityContainer: { entitySets: { Items: { entityType: 'Item' } } },
})

let server: TestServer | undefined
let sqlite: CachedDatabase | undefined
/** The statements that Kysely has run: synchronous calls bypass it. */
let queries: string[] = []

afterEach(async () => {
  await server?.stop()
  sqlite?.close()
  server = undefined
  sqlite = undefined
})

async function serve(provider: Provider, options: ServiceOptions = {}): Promise<TestServer> {
  const service = odataV2(model, provider as never, { onError: () => undefined, ...options } as never)
  server = await TestServer.start(express().use('/s', service))
  return server
}

async function readBatch(from: TestServer): Promise<readonly string[]> {
  const { text } = await from.send('/s/$batch', {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
    body: batchBody(get('Items(1)'), get('Items(2)')),
  })
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status)
}

const insert = (to: TestServer, entity: Row): Promise<HttpResponse> =>
  to.send('/s/Items', {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify(entity),
  })

/** A provider as an application could write it. Its log has the calls in their order. */
function ownProvider(log: string[]): Provider {
  const rows: Row[] = [{ ID: 1 }, { ID: 2 }]
  const Items: EntitySetProvider = {
    read: () => rows,
    readByKey: ({ ID }) => {
      log.push(`read ${String(ID)}`)
      return rows.find((row) => row.ID === ID)
    },
    insert: (entity) => {
      log.push('insert')
      rows.push(entity)
      return entity
    },
  }
  return {
    entitySets: { Items },
    beginChangeSet: () => changeSet(log),
    readSnapshot: (work) => {
      log.push('begin snapshot')
      try {
        return work()
      } finally {
        log.push('end snapshot')
      }
    },
  }
}

const changeSets = new AsyncLocalStorage<string>()

const changeSet = (log: string[]): ChangeSet => ({
  commit: () => {
    log.push('commit')
  },
  rollBack: () => {
    log.push('roll back')
  },
  run: (work) => changeSets.run('in the change set', work),
})

async function sqliteProvider(): Promise<Provider> {
  const file = new SQLite(':memory:')
  file.exec(`create table "Items" ("ID" integer primary key, "Name" text)`)
  file.exec(`insert into "Items" values (1, 'one'), (2, 'two')`)
  const database = cacheStatements(file)
  sqlite = database
  const db = new Kysely({
    dialect: new SqliteDialect({ database }),
    log: ({ query }) => {
      queries.push(query.sql)
    },
  })
  const provider = sqlProvider(model, db, { sqlite: database })
  await provider.ready()
  queries = []
  return provider
}

const hasSnapshot = (): boolean => sqlite?.has('savepoint odata_reads') === true

type Wrap = (provider: Provider) => Provider

const wrappers: readonly (readonly [name: string, wrap: Wrap])[] = [
  ['not wrapped', (provider) => provider],
  ['spread', (provider) => ({ ...provider })],
  ['a prototype', (provider) => Object.create(provider) as Provider],
  ['behind a Proxy', (provider) => new Proxy(provider, {})],
]

describe('readSnapshot', () => {
  it.each(wrappers)('MUST be called for the reads of a batch by an own provider: %s', async (_name, wrap) => {
    const log: string[] = []
    const from = await serve(wrap(ownProvider(log)))
    // Code that runs for the first time is slow, and a part that has to wait for its turn is read outside of it.
    await readBatch(from)
    log.length = 0
    expect(await readBatch(from)).toEqual(['200', '200'])
    expect(log[0]).toBe('begin snapshot')
    expect([...log].sort()).toEqual(['begin snapshot', 'end snapshot', 'read 1', 'read 2'])
  })

  it.each(wrappers)('MUST be a transaction of sqlProvider on SQLite: %s', async (_name, wrap) => {
    expect(await readBatch(await serve(wrap(await sqliteProvider())))).toEqual(['200', '200'])
    expect(hasSnapshot()).toBe(true)
  })

  it('MUST be the one of the wrapper when it has one', async () => {
    let calls = 0
    const readSnapshot = <T>(work: () => T): T => {
      calls++
      return work()
    }
    for (const provider of [
      await sqliteProvider(),
      memoryProvider(model, { Items: [{ ID: 1 }, { ID: 2 }] }),
    ]) {
      await server?.stop()
      expect(await readBatch(await serve({ ...provider, readSnapshot }))).toEqual(['200', '200'])
    }
    expect(calls).toBe(2)
    expect(hasSnapshot()).toBe(false)
  })
})

describe('run of a change set', () => {
  it.each(wrappers)('MUST call hooks in the scope of an own provider: %s', async (_name, wrap) => {
    const log: string[] = []
    const afterInsert = async (): Promise<void> => {
      await Promise.resolve()
      log.push(changeSets.getStore() ?? 'outside')
    }
    const to = await serve(wrap(ownProvider(log)), { hooks: { Items: { afterInsert } } })
    expect((await insert(to, { ID: 3 })).status).toBe(201)
    expect(log).toEqual(['insert', 'in the change set', 'commit'])
  })

  it('MUST be optional', async () => {
    const log: string[] = []
    const inner = changeSet(log)
    const withoutRun: ChangeSet = { commit: () => inner.commit(), rollBack: () => inner.rollBack() }
    const provider: Provider = { ...ownProvider(log), beginChangeSet: () => withoutRun }
    const afterInsert = (): void => {
      log.push(changeSets.getStore() ?? 'outside')
    }
    expect(
      (await insert(await serve(provider, { hooks: { Items: { afterInsert } } }), { ID: 3 })).status,
    ).toBe(201)
    expect(log).toEqual(['insert', 'outside', 'commit'])
  })

  it('MUST be a function', async () => {
    const broken = { ...changeSet([]), run: 'not a function' } as unknown as ChangeSet
    const to = await serve({ ...ownProvider([]), beginChangeSet: () => broken })
    expect((await insert(to, { ID: 3 })).status).toBe(500)
  })
})

/** A provider with `autocommit`, whose `insert` leaves one key to the change set. */
function autocommitProvider(log: string[]): Provider {
  const provider = ownProvider(log)
  const sets = provider.entitySets as Readonly<Record<string, EntitySetProvider>>
  const { Items } = sets
  const insert = (entity: Row, call: never): never => Items?.insert?.(entity, call) as never
  const beginChangeSet = (): ChangeSet => {
    log.push('begin')
    return changeSet(log)
  }
  const autocommit: AutocommitChanges = {
    replaces: { insert, beginChangeSet },
    insert: (entity, respond) => {
      if (entity.ID === 1) return false
      respond(entity)
      log.push('autocommit')
      return true
    },
  }
  return { ...provider, entitySets: { Items: { ...Items, insert, autocommit } as never }, beginChangeSet }
}

const itemsOf = ({ entitySets }: Provider): EntitySetProvider =>
  (entitySets as Readonly<Record<string, EntitySetProvider>>).Items ?? { read: () => [] }

const withItems = (provider: Provider, Items: EntitySetProvider): Provider => ({
  ...provider,
  entitySets: { Items },
})

const deepWrappers: typeof wrappers = [
  ...wrappers,
  ['set spread', (provider) => withItems(provider, { ...itemsOf(provider) })],
  ['set behind a Proxy', (provider) => withItems(provider, new Proxy(itemsOf(provider), {}))],
]

describe('autocommit', () => {
  it.each(deepWrappers)('MUST insert without a change set in an own provider: %s', async (_name, wrap) => {
    const log: string[] = []
    const { status, headers, text } = await insert(await serve(wrap(autocommitProvider(log))), {
      ID: 3,
      Name: 'a',
    })
    expect(status).toBe(201)
    expect(headers.location).toMatch(/Items\(3\)$/)
    expect(JSON.parse(text)).toMatchObject({ d: { ID: 3, Name: 'a' } })
    expect(log).toEqual(['autocommit'])
  })

  it.each(deepWrappers)('MUST insert past the queue of Kysely with sqlProvider: %s', async (_name, wrap) => {
    expect((await insert(await serve(wrap(await sqliteProvider())), { ID: 3 })).status).toBe(201)
    expect(queries).toEqual([])
  })

  it('MUST leave the entity to insert when it returns false', async () => {
    const log: string[] = []
    expect((await insert(await serve(autocommitProvider(log)), { ID: 1 })).status).toBe(201)
    expect(log).toEqual(['begin', 'insert', 'commit'])
  })

  it('MUST be the error of the response when it throws', async () => {
    const provider = autocommitProvider([])
    const { autocommit, ...Items } = itemsOf(provider)
    const failed = (): never => {
      throw new ODataError('Conflict')
    }
    const failing = withItems(provider, {
      ...Items,
      ...(autocommit && { autocommit: { ...autocommit, insert: failed } }),
    })
    expect((await insert(await serve(failing), { ID: 3 })).status).toBe(409)
  })

  it('MUST not be called in a change set, with hooks or with authorize', async () => {
    const log: string[] = []
    await insert(await serve(autocommitProvider(log), { authorize: () => undefined }), { ID: 3 })
    await server?.stop()
    const hooks = { Items: { afterInsert: () => undefined } }
    const to = await serve(autocommitProvider(log), { hooks })
    await insert(to, { ID: 4 })
    await to.send('/s/$batch', {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
      body: batchBody([written('POST Items', '{"ID":5}'), written('POST Items', '{"ID":6}')]),
    })
    expect(log).not.toContain('autocommit')
    expect(log.filter((entry) => entry === 'insert')).toHaveLength(4)
  })

  it.each<[string, (log: string[]) => Promise<Provider> | Provider]>([
    ['an own provider', autocommitProvider],
    ['sqlProvider', sqliteProvider],
    ['memoryProvider', () => memoryProvider(model)],
  ])('MUST not replace overridden insert and beginChangeSet: %s', async (_name, create) => {
    const log: string[] = []
    const provider = await create([])
    const Items = itemsOf(provider)
    const overridesInsert = withItems(provider, {
      ...Items,
      insert: (entity, call) => {
        log.push('own insert')
        return Items.insert?.({ ...entity, Name: 'own' }, call) ?? entity
      },
    })
    const { text } = await insert(await serve(overridesInsert), { ID: 3, Name: 'a' })
    expect(JSON.parse(text)).toMatchObject({ d: { Name: 'own' } })
    await server?.stop()
    const overridesChangeSets: Provider = {
      ...provider,
      beginChangeSet: (call) => {
        log.push('own change set')
        return provider.beginChangeSet?.(call) ?? changeSet([])
      },
    }
    expect((await insert(await serve(overridesChangeSets), { ID: 4 })).status).toBe(201)
    expect(log).toEqual(['own insert', 'own change set'])
  })

  it('MUST roll back when an override of insert fails after it', async () => {
    const provider = await sqliteProvider()
    const Items = itemsOf(provider)
    const failing: EntitySetProvider = {
      ...Items,
      insert: async (entity, call) => {
        await Items.insert?.(entity, call)
        throw new ODataError('Forbidden')
      },
    }
    const to = await serve(withItems(provider, failing))
    expect((await insert(to, { ID: 3 })).status).toBe(403)
    expect((await to.send('/s/Items(3)')).status).toBe(404)
  })

  it('MUST be the one of a wrapper that overrides insert and autocommit', async () => {
    const log: string[] = []
    const provider = autocommitProvider([])
    const { autocommit, ...Items } = itemsOf(provider)
    const insertOwn: EntitySetProvider['insert'] = (entity, call) => Items.insert?.(entity, call) ?? entity
    const insertAlone: AutocommitChanges['insert'] = (entity, respond, call) => {
      log.push('own autocommit')
      return autocommit?.insert({ ...entity, Name: 'own' }, respond, call) ?? false
    }
    const both: EntitySetProvider = {
      ...Items,
      insert: insertOwn,
      ...(autocommit && {
        autocommit: { replaces: { ...autocommit.replaces, insert: insertOwn }, insert: insertAlone },
      }),
    }
    const { text } = await insert(await serve(withItems(provider, both)), { ID: 3 })
    expect(JSON.parse(text)).toMatchObject({ d: { Name: 'own' } })
    expect(log).toEqual(['own autocommit'])
  })

  it('MUST be a call of its own for those who observe the service', async () => {
    const log: string[] = []
    const to = await serve(autocommitProvider(log), { serverTiming: true })
    const { status, headers } = await insert(to, { ID: 3 })
    expect([status, log]).toEqual([201, ['autocommit']])
    expect(headers['server-timing']).toBeDefined()
  })

  it('MUST return whether the entity was inserted', async () => {
    const provider = autocommitProvider([])
    const { autocommit, ...Items } = itemsOf(provider)
    const nothing = (): boolean => undefined as unknown as boolean
    const broken = withItems(provider, {
      ...Items,
      ...(autocommit && { autocommit: { ...autocommit, insert: nothing } }),
    })
    expect((await insert(await serve(broken), { ID: 3 })).status).toBe(500)
  })
})
