import { AsyncLocalStorage } from 'node:async_hooks'
import SQLite from 'better-sqlite3'
import express from 'express'
import { Kysely, SqliteDialect } from 'kysely'
import { defineModel, edm } from '../../lib/edm/define-model.js'
import type { Row } from '../../lib/evaluation/row.js'
import { odataV2 } from '../../lib/odata-v2.js'
import type { ServiceOptions } from '../../lib/options.js'
import type { ChangeSet } from '../../lib/provider/change-set.js'
import type { EntitySetProvider, Provider } from '../../lib/provider/provider.js'
import { memoryProvider } from '../../lib/providers/memory/memory-provider.js'
import type { KeptDatabase } from '../../lib/providers/sql/keep-statements.js'
import { keepStatements } from '../../lib/providers/sql/keep-statements.js'
import { sqlProvider } from '../../lib/providers/sql/sql-provider.js'
import { batchBody, get } from '../support/batch-exchange.js'
import type { Answer } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'

const model = defineModel({
  namespace: 'Capabilities',
  entityTypes: {
    Item: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() } },
  },
  entityContainer: { entitySets: { Items: { entityType: 'Item' } } },
})

let server: TestServer | undefined
let sqlite: KeptDatabase | undefined

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
  const { text } = await from.ask('/s/$batch', {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
    body: batchBody(get('Items(1)'), get('Items(2)')),
  })
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status)
}

const insert = (to: TestServer, entity: Row): Promise<Answer> =>
  to.ask('/s/Items', {
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
  const database = keepStatements(file)
  sqlite = database
  const provider = sqlProvider(model, new Kysely({ dialect: new SqliteDialect({ database }) }), {
    sqlite: database,
  })
  await provider.ready()
  return provider
}

const hasSnapshot = (): boolean => sqlite?.keeps('savepoint odata_reads') === true

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
