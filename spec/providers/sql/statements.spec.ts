import { setTimeout } from 'node:timers/promises'
import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { ContractServices } from '../../contracts/contract-service.js'
import { alikeModel } from '../../support/sql/alike-model.js'
import { alikeDatabase } from '../../support/sql/alike-services.js'
import { batchBody, get, postBatch } from '../../support/batch-exchange.js'
import { loggedDatabase, statementLog } from '../../support/sql/logged-database.js'
import type { AnyDatabase, DatabaseKind } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import { until } from '../../support/until.js'

const count = 30
const numbers = Array.from({ length: count }, (_, index) => index + 1)
const rows = {
  Categories: numbers.slice(0, 6).map((ID) => ({ ID, Name: `c${ID}`, ParentID: ID > 1 ? 1 : null })),
  Products: numbers.map((ID) => ({ ID, Name: `p${ID}`, Dims: { Box: {} }, CategoryID: (ID % 6) + 1 })),
  Manuals: numbers.slice(0, 9).map((ID) => ({ Title: `m${ID}`, Edition: 1, ProductID: ID })),
  successions: numbers.slice(1).map((ID) => [ID - 1, ID] as const),
}

describe.each<DatabaseKind>(['sqlite', 'postgres'])('requests on %s', (kind) => {
  let server: PostgresServer | undefined
  let services: ContractServices
  let db: AnyDatabase
  let address = ''
  let statements: () => string[]

  beforeAll(async () => {
    services = await ContractServices.start()
    if (kind === 'postgres') {
      server = PostgresServer.shared()
      address = server.addressOf(await server.newDatabase())
      ;({ db, statements } = loggedDatabase(address))
    } else {
      const log = statementLog()
      statements = log.statements
      db = new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }), log: log.note })
    }
    await alikeDatabase(db, kind, rows)
    const read = sqlProvider(alikeModel(), db)
    await read.ready()
    services.mount('shop', read, { pageSize: 20 }, alikeModel())
    services.mount('whole', read, { pageSize: 0 }, alikeModel())
    // The sizes of filtered tables are read once a minute.
    for (const service of ['shop', 'whole']) {
      await services.status(service, '/Products?$filter=ID%20eq%201')
    }
  })

  afterAll(async () => {
    await services.close()
    await db.destroy()
    await server?.stop()
  })

  it.each([
    ['/Categories', 1],
    ['/Products(7)', 1],
    [
      "/Products?$filter=Category/Parent/Name eq 'c1' and Successor/Name ne 'p9'&$orderby=Manual/Title desc&$top=5",
      1,
    ],
    ['/Products/$count?$filter=Manual ne null', 1],
    ['/Categories?$expand=Products', 2],
    ['/Categories?$expand=Products/Successor/Category', 4],
    ['/Categories?$expand=Products/Successor,Products/Manual,Parent', 5],
    ['/Products?$expand=Category/Parent/Products&$orderby=Name desc&$top=25', 4],
    ['/Categories(2)/Products?$expand=Successor', 3],
    ['/Products?$inlinecount=allpages&$top=5', 2],
    ['/Products?$inlinecount=allpages&$expand=Manual&$top=5', 3],
  ])('MUST run one statement for each level and no more: %s', async (path, expected) => {
    statements()
    const encoded = path.replaceAll(' ', '%20')
    expect(await services.status('shop', encoded)).toBe(200)
    expect(statements()).toHaveLength(expected)
    expect(await services.status('whole', encoded)).toBe(200)
    expect(statements()).toHaveLength(expected)
  })

  it.each([
    ['/Products?$orderby=Name%20desc&$top=500', kind === 'sqlite'],
    ['/Products?$orderby=Category/Name,ID&$top=500&$expand=Category', kind === 'sqlite'],
    ['/Products?$orderby=Name%20desc&$skip=500&$top=5', kind === 'sqlite'],
    // Few cells, which are sorted with their rows.
    ['/Products?$orderby=Name%20desc&$top=20&$select=ID,Name', false],
    ['/Products?$orderby=ID%20desc&$top=5', false],
    // Not known by a number of SQLite.
    ['/Manuals?$orderby=Edition%20desc&$top=5', false],
  ])(
    'MUST sort the numbers of rows alone, where they have some that are not sorted yet: %s',
    async (path, expected) => {
      statements()
      expect(await services.status('shop', path)).toBe(200)
      expect(/ order by .*\) as sorted cross join /.test(statements()[0] ?? '')).toBe(expected)
    },
  )

  it.each(['shop', 'whole'])('MUST NOT rank related rows that fit their pages (%s)', async (service) => {
    statements()
    expect(await services.status(service, '/Categories?$expand=Products')).toBe(200)
    expect(statements().filter((text) => text.includes('row_number'))).toEqual([])
  })

  it('MUST read all pages of $skip by one statement, which is prepared once', async () => {
    statements()
    for (const skip of [3, 4, 25])
      expect(await services.status('shop', `/Products?$top=2&$skip=${skip}`)).toBe(200)
    expect(new Set(statements()).size).toBe(1)
  })

  it('MUST rank related rows where those of all entities are more than their pages, and remember it', async () => {
    const provider = sqlProvider(alikeModel(), db)
    await provider.ready()
    services.mount('single', provider, { pageSize: 1 }, alikeModel())
    for (const isRanked of [
      [false, false, true],
      [false, true],
    ]) {
      statements()
      const page = await services.json('single', '/Categories?$expand=Products')
      expect(page).toMatchObject({
        results: [{ ID: 1, Products: { results: [{ ID: 6 }], __next: expect.any(String) as string } }],
      })
      expect(statements().map((text) => text.includes('row_number'))).toEqual(isRanked)
    }
  })

  it('MUST read the columns that are shown and no others', async () => {
    statements()
    expect(await services.status('shop', '/Products?$select=Name&$orderby=Price')).toBe(200)
    const [text = ''] = statements()
    const selected = text.slice(0, text.indexOf(' from '))
    expect(selected).toContain('"Name"')
    for (const other of ['Pic', 'Stock', 'Dims_W', 'Released']) expect(selected).not.toContain(`"${other}"`)
  })

  it('MUST look for the place of the last entity where it is not in itself, for the next page', async () => {
    statements()
    expect(await services.status('shop', '/Products?$orderby=Manual/Title')).toBe(200)
    expect(statements()).toHaveLength(2)
  })

  it.each([
    [
      'a table of UI5',
      3,
      2,
      [
        'Products/$count?$filter=CategoryID ge 2',
        'Products?$filter=CategoryID ge 2&$top=5&$orderby=Name&$expand=Category&$inlinecount=allpages',
      ],
    ],
    [
      'a table of UI5 whose page comes first',
      3,
      1,
      [
        'Products?$filter=ID gt 7&$top=5&$inlinecount=allpages',
        'Products/$count?$filter=ID gt 7',
        'Categories',
      ],
    ],
    [
      'a table of UI5 with related entities',
      kind === 'sqlite' ? 4 : 3,
      2,
      ['Categories(2)/Products/$count', 'Categories(2)/Products?$top=2&$inlinecount=allpages'],
    ],
    ['counts that differ', 2, 1, ['Products/$count?$filter=ID gt 7', 'Products/$count?$filter=ID gt 8']],
    ['20 keys', kind === 'sqlite' ? 20 : 1, 1, numbers.slice(0, 20).map((ID) => `Products(${ID})`)],
    ['equal keys', kind === 'sqlite' ? 3 : 1, 1, ['Products(1)', 'Products(1)', 'Products(999)']],
    [
      'keys of several sets',
      kind === 'sqlite' ? 4 : 2,
      1,
      ['Products(1)', 'Categories(1)', 'Products(2)', 'Categories(9)'],
    ],
  ])('MUST run no more statements than needed for a batch: %s', async (_name, expected, writes, uris) => {
    const path = '/shop/$batch'
    statements()
    const body = batchBody(...uris.map((uri) => get(uri.replaceAll(' ', '%20'))))
    const { status } = await postBatch(services.port, body, {}, path)
    expect(status).toBe(202)
    const sent = statements()
    expect(sent.flatMap((text) => text.split('; '))).toHaveLength(expected)
    // PostgreSQL gets those that start together in one write.
    if (kind === 'postgres') expect(sent).toHaveLength(writes)
  })

  it.each([
    ['/Products?$inlinecount=allpages&$filter=ID%20gt%2020&$top=20', 1],
    ['/Products?$inlinecount=allpages&$filter=ID%20gt%2020&$top=10', 2],
    ['/Products?$inlinecount=allpages&$filter=ID%20gt%2020&$top=20&$skip=1', 2],
    ['/Products?$inlinecount=allpages&$filter=ID%20lt%200', 1],
    ['/Categories(2)/Products?$inlinecount=allpages', 2],
    ['/Products?$inlinecount=allpages&$filter=substringof(%27p1%27,Name)&$top=20', 1],
  ])('MUST NOT count entities that are all on the first page: %s', async (path, expected) => {
    statements()
    expect(await services.status('shop', path)).toBe(200)
    expect(statements()).toHaveLength(expected)
  })

  if (kind === 'sqlite') return

  /** Statements that wait for a lock. */
  const waiting = async (): Promise<number> => {
    const { rows: found } = await sql<{ n: string }>`
      select count(*) as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return Number(found[0]?.n)
  }

  it('MUST count while the page is read', async () => {
    const release = await locked(db, 'Products')
    const response = services.json('shop', '/Products?$inlinecount=allpages&$top=5&$skip=3')
    await until(async () => (await waiting()) >= 2)
    expect(await waiting()).toBe(2)
    await release()
    expect(await response).toMatchObject({ __count: String(count), results: { length: 5 } })
  })

  it('MUST run the statements of a batch at the same time only if they were slow three times in a row', async () => {
    const uris = ['Products/$count?$filter=ID%20gt%203', 'Products?$filter=ID%20gt%203&$top=5']
    const status = async (): Promise<number> =>
      (await postBatch(services.port, batchBody(...uris.map((uri) => get(uri))), {}, '/shop/$batch')).status
    // Sends the batch while the table is locked, until that number of statements waits for it.
    const slowStatus = async (atTheSameTime: number): Promise<number> => {
      const release = await locked(db, 'Products')
      const response = status()
      await until(async () => (await waiting()) === atTheSameTime)
      await setTimeout(150)
      await release()
      return response
    }
    for (const atTheSameTime of [1, 1, 1, 2]) expect(await slowStatus(atTheSameTime)).toBe(202)
    // Each of them is quick alone once, and joined again.
    expect(await status()).toBe(202)
    statements()
    expect(await status()).toBe(202)
    expect(statements().map((text) => text.split('; ').length)).toEqual([2])
  })

  it('MUST end both when one of them fails', async () => {
    const broken = loggedDatabase(address)
    const provider = sqlProvider(alikeModel(), broken.db)
    await provider.ready()
    services.mount('broken', provider, { pageSize: 5 }, alikeModel())
    await sql`alter table "Products" rename column "Name" to "Other"`.execute(db)
    try {
      const path = "/Products?$inlinecount=allpages&$filter=Name%20ne%20'x'&$select=Price"
      expect(await services.status('broken', path)).toBe(500)
      expect(await services.status('broken', '/Products?$inlinecount=allpages&$select=Price')).toBe(200)
      expect(broken.pool.idleCount).toBe(broken.pool.totalCount)
    } finally {
      await sql`alter table "Products" rename column "Other" to "Name"`.execute(db)
      await broken.db.destroy()
    }
  })
})

/** Locks a table until the returned function is called. */
async function locked(db: AnyDatabase, table: string): Promise<() => Promise<void>> {
  const transaction = await db.startTransaction().execute()
  await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(transaction)
  return async () => {
    await transaction.commit().execute()
  }
}

describe('feeds without a page size on SQLite', () => {
  // Its driver blocks the event loop while a statement runs.
  it('MUST be read by statements of at most 250 rows, so that other requests run in between', async () => {
    const services = await ContractServices.start()
    const { note, statements } = statementLog()
    const db: AnyDatabase = new Kysely({
      dialect: new SqliteDialect({ database: new SQLite(':memory:') }),
      log: note,
    })
    const categories = Array.from({ length: 600 }, (_, index) => ({ ID: index + 1, Name: 'c' }))
    await alikeDatabase(db, 'sqlite', { ...rows, Categories: categories })
    const provider = sqlProvider(alikeModel(), db)
    await provider.ready()
    services.mount('long', provider, { pageSize: 0 }, alikeModel())
    statements()
    expect(await services.status('long', '/Categories')).toBe(200)
    expect(statements()).toHaveLength(3)
    await services.close()
    await db.destroy()
  })
})
