import type { ODataV2Options, PageStore, Provider } from '../../lib/index.js'
import { defineModel, edm, filter, memoryProvider, odataV2 } from '../../lib/index.js'
import { sqlProvider } from '../../lib/sql.js'
import express from 'express'
import { sql } from 'kysely'
import { manualClock } from '../support/manual-clock.js'
import { TestServer } from '../support/http-exchange.js'
import { PostgresServer } from '../support/sql/postgres-server.js'

const model = defineModel({
  namespace: 'Shared',
  entityTypes: {
    Note: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Owner: edm.String() } },
  },
  entityContainer: { entitySets: { Notes: { entityType: 'Note' } } },
})
const rows = Array.from({ length: 40 }, (_, index) => ({
  ID: index + 1,
  Owner: index % 2 === 0 ? 'ada' : 'bob',
}))

/** A store in memory that counts its hits. */
class MemoryStore implements PageStore {
  readonly pages = new Map<string, Uint8Array>()
  readonly lifetimes = new Set<number>()
  gets = 0
  hits = 0

  async get(key: string): Promise<Uint8Array | undefined> {
    this.gets++
    const page = this.pages.get(key)
    if (page !== undefined) this.hits++
    return page
  }

  async set(key: string, page: Uint8Array, ttl: number): Promise<void> {
    this.lifetimes.add(ttl)
    this.pages.set(key, page)
  }
}

/** The services of two processes. They have the same URL, which the proxy in front of them determines. */
class TwoProcesses {
  reads = 0
  version = 1

  private constructor(readonly servers: readonly TestServer[]) {}

  static async start(
    store: PageStore,
    options: ODataV2Options<{ user: string }> = {},
    ofSecond = options,
  ): Promise<TwoProcesses> {
    const servers: TestServer[] = []
    const both = new TwoProcesses(servers)
    for (const own of [options, ofSecond]) {
      const { entitySets, ...others } = memoryProvider(model, { Notes: rows })
      const provider = {
        ...others,
        dataVersion: () => both.version,
        shareDataVersion: () => undefined,
        entitySets: {
          Notes: {
            ...entitySets.Notes,
            read: (...given: Parameters<typeof entitySets.Notes.read>) => {
              both.reads++
              return entitySets.Notes.read(...given)
            },
          },
        },
      }
      const service = odataV2(model, provider as Provider<typeof model>, {
        serviceRoot: 'http://shop.example/',
        context: (req) => ({ user: req.get('x-user') ?? '' }),
        pageCache: { store, timeout: 60_000 },
        ...own,
      })
      servers.push(await TestServer.start(express().use(service)))
    }
    return both
  }

  /** Sends a request to one of them. @returns its body */
  async get(
    index: number,
    path = '/Notes?$format=json',
    headers: Record<string, string> = {},
  ): Promise<string> {
    const response = await this.servers[index]?.send(path, { headers })
    expect(response?.status).toBe(200)
    return response?.text ?? ''
  }

  async stop(): Promise<void> {
    for (const server of this.servers) await server.stop()
  }
}

let both: TwoProcesses | undefined
afterEach(async () => {
  await both?.stop()
  both = undefined
})

describe('A page in the store', () => {
  it.each([
    '/Notes?$format=json',
    '/Notes',
    '/Notes/$count',
    '/Notes?$format=json&$top=3&$inlinecount=allpages',
  ])('MUST be a hit in another process, with the same bytes: %s', async (path) => {
    const store = new MemoryStore()
    both = await TwoProcesses.start(store)
    const rendered = [await both.get(0, path), await both.get(0, path)]
    expect(store.pages.size).toBe(1)
    const { reads } = both
    const withoutTime = (text: string): string => text.replaceAll(/<updated>[^<]*/g, '')
    const shared = await both.get(1, path)
    expect(withoutTime(shared)).toBe(withoutTime(rendered[1] ?? ''))
    expect([both.reads - reads, store.hits]).toEqual([0, 1])
    // From now on, it is a page of this process.
    await both.get(1, path)
    expect([both.reads - reads, store.hits]).toEqual([0, 1])
    expect([...store.lifetimes]).toEqual([600_000])
  })

  it('MUST NOT be a hit after the data have changed', async () => {
    const store = new MemoryStore()
    both = await TwoProcesses.start(store)
    await both.get(0)
    await both.get(0)
    both.version++
    await both.get(1)
    expect(store.hits).toBe(0)
  })

  it('MUST NOT be a hit for a caller with other rights', async () => {
    const store = new MemoryStore()
    const authorize: ODataV2Options<{ user: string }>['authorize'] = (_operation, { user }) =>
      user === 'root'
        ? undefined
        : { filter: filter`Owner eq ${user}`, hidden: user === 'bob' ? ['Owner'] : [] }
    both = await TwoProcesses.start(store, { authorize })
    const users = ['ada', 'bob', 'root']
    const expected = new Map<string, string>()
    for (const user of users) {
      await both.get(0, undefined, { 'x-user': user })
      expected.set(user, await both.get(0, undefined, { 'x-user': user }))
    }
    expect(new Set(expected.values()).size).toBe(3)
    for (const user of users)
      expect(await both.get(1, undefined, { 'x-user': user })).toBe(expected.get(user))
    expect(store.hits).toBe(3)
  })

  it.each<[string, ODataV2Options]>([
    ['pageSize', { pageSize: 10 }],
    ['languages', { languages: { default: 'en', texts: { en: {}, de: {} } } }],
    ['serviceRoot', { serviceRoot: 'http://other.example/' }],
    ['doubleAsNumber', { doubleAsNumber: true }],
  ])('MUST NOT be a hit in a process with other options: %s', async (_name, options) => {
    const store = new MemoryStore()
    both = await TwoProcesses.start(store, {}, options as ODataV2Options<{ user: string }>)
    await both.get(0)
    await both.get(0)
    await both.get(1)
    expect(store.hits).toBe(0)
  })

  it('MUST be ignored if it is damaged', async () => {
    const store = new MemoryStore()
    both = await TwoProcesses.start(store)
    await both.get(0)
    const rendered = await both.get(0)
    const [[key, page] = ['', new Uint8Array()]] = store.pages
    for (const damaged of [
      page.subarray(0, -1),
      page.subarray(0, 3),
      Buffer.alloc(0),
      Buffer.alloc(50, 255),
    ]) {
      store.pages.set(key, damaged)
      expect(await both.get(1)).toBe(rendered)
    }
  })
})

describe('A store that fails', () => {
  const clock = manualClock()

  const failures: readonly (readonly [string, () => Promise<never>])[] = [
    ['rejects', () => Promise.reject(new Error('closed'))],
    [
      'throws',
      () => {
        throw new Error('closed')
      },
    ],
    ['never responds', () => new Promise(() => undefined)],
  ]

  it.each(failures)('MUST cost only the hit, and let no further request wait: %s', async (_name, fail) => {
    let gets = 0
    const store: PageStore = {
      get: () => {
        gets++
        return fail()
      },
      set: fail,
    }
    both = await TwoProcesses.start(store, { pageCache: { store, timeout: 5 } })
    for (let index = 0; index < 5; index++) await both.get(0)
    expect(gets).toBe(1)
    // Pages of the process itself are still hits.
    expect(both.reads).toBe(2)
  })

  it('MUST be used again after it has responded to a request that nothing waits for', async () => {
    let isBroken = true
    const store = new MemoryStore()
    const get = store.get.bind(store)
    store.get = async (key) => {
      if (isBroken) throw new Error('closed')
      return get(key)
    }
    both = await TwoProcesses.start(store)
    await both.get(0, '/Notes?$top=1')
    isBroken = false
    await both.get(0, '/Notes?$top=2')
    expect(store.gets).toBe(0)
    clock.now += 1001
    await both.get(0, '/Notes?$top=3')
    await both.get(0, '/Notes?$top=4')
    expect(store.gets).toBe(2)
  })
})

describe('The option pageCache.store', () => {
  const store = new MemoryStore()
  it.each<[object, string]>([
    [
      { store },
      "pageCache.store requires a provider with 'shareDataVersion', such as sqlProvider on PostgreSQL",
    ],
    [{ store, maxBytes: 0 }, 'pageCache.store has no effect with maxBytes: 0.'],
    [{ store: {} }, 'pageCache.store must be an object with the methods get and set'],
    [{ ttl: 0 }, 'pageCache.ttl must be a positive whole number of milliseconds'],
    [{ timeout: 0.5 }, 'pageCache.timeout must be a positive whole number of milliseconds'],
  ])('MUST be refused at the start: %j', (pageCache, message) => {
    expect(() => odataV2(model, memoryProvider(model, {}), { pageCache })).toThrow(message)
  })
})

describe('The store of services on PostgreSQL', () => {
  const postgres = PostgresServer.shared()
  afterAll(() => postgres.stop())

  it('MUST have hits for the same data only', async () => {
    const store = new MemoryStore()
    const names = [await postgres.newDatabase(), await postgres.newDatabase()]
    const databases = [names[0], names[0], names[1]].map((name = '') => postgres.connect(name))
    const servers: TestServer[] = []
    for (const [index, db] of databases.entries()) {
      if (index !== 1) {
        await sql`create table "Notes" ("ID" int primary key, "Owner" text)`.execute(db)
        await sql`insert into "Notes" values (1, ${`owner ${String(index)}`})`.execute(db)
      }
    }
    for (const db of databases) {
      const provider = sqlProvider(model, db, { snapshotVersion: true })
      await provider.ready()
      const service = odataV2(model, provider, {
        serviceRoot: 'http://shop.example/',
        pageCache: { store, timeout: 60_000 },
      })
      servers.push(await TestServer.start(express().use(service)))
    }
    const get = async (index: number): Promise<string | undefined> =>
      (await servers[index]?.send('/Notes?$format=json'))?.text
    // Other specs change data of the server meanwhile, which changes the version.
    while (store.hits === 0) {
      await get(0)
      await get(0)
      expect(await get(1)).toContain('"Owner":"owner 0"')
    }
    expect(await get(2)).toContain('"Owner":"owner 2"')
    await sql`update "Notes" set "Owner" = 'new'`.execute(databases[1] as (typeof databases)[0])
    expect(await get(0)).toContain('"Owner":"new"')
    for (const server of servers) await server.stop()
  })
})
