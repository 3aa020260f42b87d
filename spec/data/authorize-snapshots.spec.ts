import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import express from 'express'
import type { EdmModel, ODataV2Options, Operation, Provider } from '../../lib/index.js'
import { defineModel, edm, filter, memoryProvider, ODataError, odataV2 } from '../../lib/index.js'
import { cacheStatements } from '../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import { sqlProvider } from '../../lib/providers/sql/sql-provider.js'
import { yieldToEventLoop } from '../../lib/util/time-slice.js'
import { batchBody, get, postBatch, responsesIn, written } from '../support/batch-exchange.js'
import { TestServer } from '../support/http-exchange.js'
import { fc, runs } from '../support/random.js'

const storeModel = defineModel({
  namespace: 'Store',
  entityTypes: {
    Product: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), Name: edm.String(), Cost: edm.Int32() },
      navigationProperties: {
        Parent: { relationship: 'Parts', fromRole: 'Part', toRole: 'Whole' },
        Parts: { relationship: 'Parts', fromRole: 'Whole', toRole: 'Part' },
      },
    },
  },
  associations: {
    Parts: {
      ends: {
        Whole: { type: 'Product', multiplicity: '0..1' },
        Part: { type: 'Product', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Whole', properties: ['ID'] },
        dependent: { role: 'Part', properties: ['Cost'] },
      },
    },
  },
  entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
})
const model = storeModel as EdmModel

const rows = Array.from({ length: 30 }, (_, index) => ({ ID: index, Name: `P${index}`, Cost: index % 7 }))

interface Store {
  readonly provider: Provider
  /** True while a read snapshot is open. */
  readonly isInSnapshot: () => boolean
  readonly snapshots: () => number
  readonly stop: () => unknown
}

/** Observes the read snapshots of a provider. */
function observed(provider: Provider, stop: () => unknown): Store {
  let isOpen = false
  let count = 0
  const readSnapshot: Provider['readSnapshot'] = (work) => {
    count++
    isOpen = true
    try {
      return provider.readSnapshot?.(work) ?? work()
    } finally {
      isOpen = false
    }
  }
  return {
    provider: { ...provider, readSnapshot },
    isInSnapshot: () => isOpen,
    snapshots: () => count,
    stop,
  }
}

async function openSqlite(): Promise<Store> {
  const file = new SQLite(':memory:')
  file.exec('create table "Products" ("ID" integer primary key, "Name" text, "Cost" integer)')
  const insert = file.prepare('insert into "Products" values (?, ?, ?)')
  for (const { ID, Name, Cost } of rows) insert.run(ID, Name, Cost)
  const sqlite = cacheStatements(file)
  const db = new Kysely<never>({ dialect: new SqliteDialect({ database: sqlite }) })
  const provider = sqlProvider(model, db, { sqlite })
  await provider.ready()
  return observed(provider, () => db.destroy())
}

function openMemory(): Store {
  return observed(memoryProvider(storeModel, { Products: rows }), () => undefined)
}

/** The calls of `authorize`, and whether a snapshot was open. */
interface Record {
  readonly operations: Operation[]
  isCalledInSnapshot: boolean
}

type Rights = 'none' | 'filter' | 'hidden' | 'refused' | 'failed' | 'late' | 'late hidden'

const rights: readonly Rights[] = ['none', 'filter', 'hidden', 'refused', 'failed', 'late', 'late hidden']

function resultOf(right: Rights): unknown {
  switch (right) {
    case 'filter':
      return filter`Cost ne ${3}`
    case 'hidden':
      return { hidden: ['Name'] }
    case 'refused':
      throw new ODataError('Forbidden')
    case 'failed':
      throw new TypeError('Rights are not available.')
    case 'late':
      return Promise.resolve(undefined)
    case 'late hidden':
      return Promise.resolve({ filter: 'Cost ne 4', hidden: ['Cost'] })
    default:
      return undefined
  }
}

function inspectCall(call: unknown): string {
  return JSON.stringify(call)
}

describe.each([
  ['SQLite', openSqlite],
  ['memory', openMemory],
] as const)('Reads of a batch with authorize: %s', (_, open) => {
  let store: Store
  const servers: TestServer[] = []

  beforeEach(async () => {
    store = await open()
  })

  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop()
    await store.stop()
  })

  /** @param rightsOf the rights of each key; those of collections have the key 0 */
  async function start(
    provider: Provider,
    rightsOf: (key: number) => Rights,
    options: ODataV2Options = {},
  ): Promise<Record & { readonly port: number }> {
    const record: Record = { operations: [], isCalledInSnapshot: false }
    const authorize = (operation: Operation): never => {
      record.operations.push(operation)
      record.isCalledInSnapshot ||= store.isInSnapshot()
      const key = 'key' in operation ? Number(operation.key?.ID ?? 0) : 0
      return resultOf(rightsOf(key)) as never
    }
    const service = odataV2(model, provider, { authorize, onError: () => undefined, ...options })
    const server = await TestServer.start(express().use('/n', service))
    servers.push(server)
    return Object.assign(record, { port: server.port })
  }

  it('MUST share a read snapshot, in which authorize is not called', async () => {
    const server = await start(store.provider, () => 'filter')
    const body = batchBody(...rows.slice(0, 20).map(({ ID }) => get(`Products(${ID})`)))
    const statuses = responsesIn(await postBatch(server.port, body)).map(
      (one) => 'status' in one && one.status,
    )
    expect(statuses).toEqual(rows.slice(0, 20).map(({ Cost }) => (Cost === 3 ? 404 : 200)))
    expect(server.operations.map((one) => 'key' in one && one.key)).toEqual(
      rows.slice(0, 20).map(({ ID }) => ({ ID })),
    )
    expect(server.isCalledInSnapshot).toBe(false)
    // A batch yields to other requests after some milliseconds.
    expect(store.snapshots()).toBeGreaterThan(0)
  })

  it('MUST wait for an asynchronous authorize together, and have the responses of reads without a batch', async () => {
    let pending = 0
    let mostPending = 0
    const authorize = async ({ key }: Operation & { readonly key?: unknown }): Promise<unknown> => {
      mostPending = Math.max(mostPending, ++pending)
      await yieldToEventLoop()
      pending--
      const id = Number((key as { readonly ID: number }).ID)
      if (id === 3) throw new ODataError('Forbidden')
      return id === 4 ? { hidden: ['Name'] } : undefined
    }
    const server = await start(store.provider, () => 'none', { authorize: authorize as never })
    const keys = [1, 2, 3, 4, 99]
    const body = batchBody(...keys.map((ID) => get(`Products(${ID})`)))
    // A batch yields to other requests after some milliseconds, which the first ones take.
    for (let count = 0; count < 300 && mostPending < keys.length; count++) {
      const responses = responsesIn(await postBatch(server.port, body))
      const statuses = responses.map((one) => 'status' in one && one.status)
      expect(statuses).toEqual([200, 200, 403, 200, 404])
      const hasName = responses.map((one) => 'body' in one && String(one.body).includes('"Name"'))
      expect(hasName).toEqual([true, true, false, false, false])
    }
    expect(mostPending).toBe(keys.length)
  })

  const path = fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(
          fc.nat(40),
          fc.constantFrom(
            '',
            '',
            '?$expand=Parent',
            '?$select=Name',
            '/Parent',
            '/Parts',
            '/Name',
            '/Name/$value',
            '/$links/Parent',
            '/None',
          ),
        )
        .map(([key, rest]) => `Products(${key})${rest}`),
    },
    fc.constantFrom(
      'Products?$top=2',
      'Products/$count',
      "Products?$filter=Name eq 'P3'".replaceAll(' ', '%20'),
      'Products?$orderby=Parent/Cost,ID&$top=3&$inlinecount=allpages',
      'None',
      '/elsewhere/x',
      '$metadata',
    ),
  )
  const parts = fc.array(
    fc.oneof(
      { weight: 9, arbitrary: path },
      { weight: 1, arbitrary: fc.nat(35).map((key) => ({ changed: key })) },
    ),
    { minLength: 2, maxLength: 45 },
  )

  it('MUST be those without snapshots, with the same calls of authorize', async () => {
    const plain = { ...store.provider, readSnapshot: undefined } as unknown as Provider
    const errors: string[][] = [[], []]
    let chosen: readonly Rights[] = []
    const rightsOf = (key: number): Rights => chosen[key % chosen.length] ?? 'none'
    const started = await Promise.all(
      [store.provider, plain].map((provider, index) =>
        start(provider, rightsOf, {
          readOnly: false,
          pageCache: { maxBytes: 0 },
          onError: (error) => errors[index]?.push(error.message),
        }),
      ),
    )
    const root = await start(plain, () => 'none', { readOnly: false })
    const merge = (key: number, name: string): string =>
      written(`MERGE Products(${key})`, JSON.stringify({ Name: name }))
    await fc.assert(
      fc.asyncProperty(
        parts,
        fc.array(fc.constantFrom(...rights), { minLength: 1, maxLength: 9 }),
        async (all, given) => {
          chosen = given
          const body = batchBody(
            ...all.map((one) => (typeof one === 'string' ? get(one) : [merge(one.changed, 'changed')])),
          )
          const found: unknown[] = []
          for (const [index, server] of started.entries()) {
            for (const one of all)
              if (typeof one !== 'string') await postBatch(root.port, batchBody([merge(one.changed, 'P')]))
            server.operations.length = 0
            errors[index]?.splice(0)
            const responses = responsesIn(await postBatch(server.port, body, { host: 'store.example' }))
            const calls: unknown[][] = [[...server.operations], [...(errors[index] ?? [])]]
            // Reads that wait together call authorize in any order.
            const isLate = given.some((one) => one.startsWith('late'))
            found.push([responses, isLate ? calls.map((list) => list.map(inspectCall).sort()) : calls])
          }
          expect(found[0]).toEqual(found[1])
        },
      ),
      { numRuns: runs(200) },
    )
    expect(started.map(({ isCalledInSnapshot }) => isCalledInSnapshot)).toEqual([false, false])
  })
})
