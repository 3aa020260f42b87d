import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import express from 'express'
import { Kysely, sql, SqliteDialect } from 'kysely'
import type { EdmModel, ODataV2Options, Operation, Provider } from '../../lib/index.js'
import { filter, memoryProvider, ODataError, odataV2 } from '../../lib/index.js'
import { cacheStatements } from '../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import { sqlProvider } from '../../lib/providers/sql/sql-provider.js'
import { responsesIn, batchBody, get, postBatch, single, written } from '../support/batch-exchange.js'
import { readAndLeave, TestServer } from '../support/http-exchange.js'
import { Library, libraryModel, libraryPages } from '../support/library-provider.js'
import { fc, runs } from '../support/random.js'
import { PostgresServer } from '../support/sql/postgres-server.js'
import { withHandlers } from '../support/with-handlers.js'

const model = libraryModel as EdmModel

/** Data of one kind, which a step of the random test changes past the service. */
interface Store {
  readonly provider: Provider
  readonly change: (how: string, id: number, title: string) => unknown
  readonly stop: () => unknown
}

const tables = [
  'create table "Shelves" ("ID" integer primary key, "Room" text, "Version" integer not null)',
  'create table "Books" ("ID" integer primary key, "Title" text, "Owner" text, "ShelfID" integer)',
  `insert into "Shelves" values (1, 'A', 7), (2, 'B', 8)`,
  `insert into "Books" values (1, 'Emma', 'ada', 1), (2, 'Persuasion', 'bob', 1), (3, 'Ωmega', 'ada', 2)`,
]

function statementsFor(how: string, id: number, title: string): string {
  const update = `update "Books" set "Title" = '${title}' where "ID" = ${String(id)}`
  switch (how) {
    case 'insert':
      return `insert into "Books" select ${String(id)}, '${title}', 'bob', 2 where not exists (select 1 from "Books" where "ID" = ${String(id)})`
    case 'delete':
      return `delete from "Books" where "ID" = ${String(id)}`
    case 'shelf':
      return `update "Shelves" set "Room" = '${title}', "Version" = "Version" + 1 where "ID" = ${String(id)}`
    default:
      return update
  }
}

const stores: Readonly<Record<string, () => Promise<Store> | Store>> = {
  memory() {
    const rows = new Library().books
    const provider = memoryProvider(libraryModel, {
      Shelves: [
        { ID: 1, Room: 'A', Version: 7 },
        { ID: 2, Room: 'B', Version: 8 },
      ],
      Books: rows,
    })
    const open = async (isCached: boolean, id: number, title: string): Promise<void> => {
      const call = { context: undefined, signal: new AbortController().signal, customOptions: [] }
      const outer = { ...call, messages: { add: () => undefined } }
      const changeSet = await provider.beginChangeSet?.(outer)
      await provider.entitySets.Books.update?.({ ID: id }, { Title: title }, {}, { ...outer, changeSet })
      await (isCached ? changeSet?.commit() : changeSet?.rollBack())
    }
    return {
      provider: provider,
      change: (how, id, title) => open(how !== 'rollback', id, title),
      stop: () => undefined,
    }
  },

  async sqlite() {
    const folder = mkdtempSync(join(tmpdir(), 'pages-'))
    const path = join(folder, 'library.sqlite')
    const file = new SQLite(path)
    file.pragma('journal_mode = wal')
    file.exec(tables.join(';'))
    const other = new SQLite(path)
    const child = fork(join(__dirname, '../support/sql/sqlite-process.mjs'), [path])
    const sqlite = cacheStatements(file)
    const db = new Kysely<never>({ dialect: new SqliteDialect({ database: sqlite }) })
    const provider = sqlProvider<EdmModel>(model as EdmModel<EdmModel>, db, { sqlite })
    await provider.ready()
    return {
      provider: provider,
      async change(how, id, title) {
        const statement = statementsFor(how, id, title)
        const text = how === 'rollback' ? `begin; ${statement}; rollback` : statement
        if (id % 3 === 0) file.exec(text)
        else if (id % 3 === 1) other.exec(text)
        else {
          const done = once(child, 'message')
          child.send(text)
          await done
        }
      },
      async stop() {
        other.close()
        const exit = once(child, 'exit')
        child.disconnect()
        await exit
        await db.destroy()
        rmSync(folder, { recursive: true })
      },
    }
  },

  async postgres() {
    const server = PostgresServer.shared()
    const db = await server.open()
    for (const statement of tables) await sql.raw(statement).execute(db)
    const provider = sqlProvider<EdmModel>(model as EdmModel<EdmModel>, db, { snapshotVersion: true })
    await provider.ready()
    return {
      provider: provider,
      async change(how, id, title) {
        const transaction = await db.startTransaction().execute()
        await sql.raw(statementsFor(how, id, title)).execute(transaction)
        await (how === 'rollback' ? transaction.rollback() : transaction.commit()).execute()
      },
      stop: () => server.stop(),
    }
  },

  own() {
    const library = new Library()
    let version = 0
    library.version = () => (version % 5 === 4 ? undefined : version)
    return {
      provider: library.provider,
      change(how, id, title) {
        version++
        if (how === 'rollback') return
        if (how === 'delete') library.books = library.books.filter(({ ID }) => ID !== id)
        else if (how === 'insert') {
          const others = library.books.filter(({ ID }) => ID !== id)
          library.books = [...others, { ID: id, Title: title, Owner: 'bob', ShelfID: 2 }]
        } else library.books = library.books.map((row) => (row.ID === id ? { ...row, Title: title } : row))
      },
      stop: () => undefined,
    }
  },
}

interface User {
  readonly name: string
}

const options: ODataV2Options<User> = {
  pageSize: 2,
  onError: () => undefined,
  context: ({ headers }) => ({ name: String(headers['x-user']) }),
  authorize({ kind, ...operation }: Operation, { name }) {
    const set = 'entitySet' in operation ? operation.entitySet : undefined
    if (name === 'eve' && set === 'Shelves') throw new ODataError('Forbidden')
    if (name === 'root' || kind === 'update') return undefined
    return set === 'Books' ? filter`Owner eq ${name} or Shelf/Room eq 'A'` : undefined
  },
}

const someone = fc.constantFrom('root', 'ada', 'bob', 'eve')
const id = fc.integer({ min: 1, max: 3 })
const title = fc.constantFrom('x', 'y', 'Ω', 'a<b')
const asking = fc.record({
  path: fc.constantFrom(
    ...libraryPages,
    '/Books(1)',
    '/',
    '/Books?$skip=1',
    '/Books?$filter=startswith(Title,%27E%27)',
  ),
  user: someone,
  headers: fc.constantFrom<Record<string, string>>(
    {},
    { accept: 'application/json' },
    { accept: 'application/json', maxdataserviceversion: '1.0' },
    { accept: 'application/json', host: 'other.example' },
    { 'if-match': '*' },
  ),
  custom: fc.constantFrom('', '', 'sap-language=DE'),
  how: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'batch', 'leave'),
})
const changing = fc.record({
  change: fc.constantFrom('update', 'insert', 'delete', 'shelf', 'rollback'),
  id,
  title,
})
/** Reads of one batch, with a change between two of them. */
const batching = fc.record({
  reads: fc.array(asking, { minLength: 2, maxLength: 8 }),
  before: fc.nat(8),
  id,
  title,
})
const merging = fc.record({ merge: id, title, isRefused: fc.boolean() })
const steps = fc.array(
  fc.oneof(
    { arbitrary: asking, weight: 10 },
    { arbitrary: batching, weight: 3 },
    { arbitrary: changing, weight: 1 },
    { arbitrary: merging, weight: 1 },
  ),
  { minLength: 20, maxLength: 60 },
)

describe.each(Object.keys(stores))('Cached pages of random requests: %s', (kind) => {
  let store: Store
  let cached: TestServer
  let fresh: TestServer

  beforeAll(async () => {
    const made = stores[kind]
    if (made === undefined) throw new Error(kind)
    store = await made()
    const start = (more: ODataV2Options<User>): Promise<TestServer> =>
      TestServer.start(
        express().use(
          '/n',
          odataV2(model as EdmModel<never>, withHandlers(store.provider, model) as never, {
            ...options,
            ...more,
          }),
        ),
      )
    cached = await start({})
    fresh = await start({ pageCache: { maxBytes: 0 } })
  })

  afterAll(async () => {
    await cached.stop()
    await fresh.stop()
    await store.stop()
  })

  const untimed = (text: string): string => text.replace(/<updated>[^<]*/g, '')

  async function responseOf(
    server: TestServer,
    { path, user, headers, custom, how }: Asking,
  ): Promise<unknown> {
    const target = custom === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${custom}`
    const given = { host: 'library.example', 'x-user': user, ...headers }
    if (how === 'batch') {
      // A part cannot have an empty address.
      const address = path === '/' ? `/n${target}` : target.slice(1)
      const body = batchBody(get(address, headers.accept === undefined ? { Accept: '*/*' } : {}))
      const responses = responsesIn(await postBatch(server.port, body, { host: given.host, 'x-user': user }))
      return JSON.parse(
        untimed(JSON.stringify(responses)).replace(/"content-length":"\d+",?/gi, ''),
      ) as unknown
    }
    const method = how === 'HEAD' ? 'HEAD' : 'GET'
    const { status, text, headers: sent } = await server.send(`/n${target}`, { method, headers: given })
    const { date, 'transfer-encoding': _encoding, 'content-length': _length, ...others } = sent
    return { status, text: untimed(text), others, hasDate: date !== undefined }
  }

  async function expectSame(one: Asking): Promise<void> {
    if (one.how === 'leave') await readAndLeave(cached, `/n${one.path}`, 1).catch(() => undefined)
    expect([one, await responseOf(cached, one)]).toEqual([one, await responseOf(fresh, one)])
  }

  /** Compares the reads of a batch with single reads before and after its change. */
  async function expectSameInBatch({ reads, before, id: key, title: text }: Batching): Promise<void> {
    const custom = { 'x-user': reads[0]?.user ?? 'root', host: 'library.example' }
    const parts = reads.map(({ path, headers }) =>
      get(path === '/' ? '/n/' : path.slice(1), { Accept: '*/*', ...headers, host: custom.host }),
    )
    const alone = (some: readonly Asking[]): Promise<unknown[]> =>
      Promise.all(
        some.map(async ({ path, headers }) => {
          const given = { accept: '*/*', ...headers, ...custom }
          const response = await fresh.send(`/n${path}`, { method: 'GET', headers: given })
          return [response.status, untimed(response.text)]
        }),
      )
    const change = [written(`MERGE Books(${String(key)})`, JSON.stringify({ Title: text }))]
    const expected = await alone(reads.slice(0, before))
    const body = batchBody(...parts.slice(0, before), change, ...parts.slice(before))
    const responses = responsesIn(await postBatch(cached.port, body, custom))
    expected.push(...(await alone(reads.slice(before))))
    responses.splice(Math.min(before, reads.length), 1)
    const found = responses.map((one) => {
      const { status, body: latin1 } = single(one)
      return [status, untimed(Buffer.from(latin1, 'latin1').toString())]
    })
    expect([reads, found]).toEqual([reads, expected])
  }

  /** Within a change set, which is rolled back if its second request is refused. */
  async function merge({ merge: key, title: text, isRefused }: Merging): Promise<void> {
    const requests = [written(`MERGE Books(${String(key)})`, JSON.stringify({ Title: `merged ${text}` }))]
    if (isRefused) requests.push(written('MERGE Books(99)', '{"Title":"none"}'))
    await postBatch(cached.port, batchBody(requests), { 'x-user': 'root' })
  }

  type Asking = typeof asking extends fc.Arbitrary<infer T> ? T : never
  type Batching = typeof batching extends fc.Arbitrary<infer T> ? T : never
  type Merging = typeof merging extends fc.Arbitrary<infer T> ? T : never

  it('MUST be the bytes that a service without cache sends', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        for (const one of all) {
          if ('change' in one) await store.change(one.change, one.id, one.title)
          else if ('merge' in one) await merge(one)
          else if ('reads' in one) await expectSameInBatch(one)
          else for (let time = 0; time < 3; time++) await expectSame(one)
        }
      }),
      { numRuns: runs(60) },
    )
  })
})
