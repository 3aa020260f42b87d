import type { IncomingMessage } from 'node:http'
import { get } from 'node:http'
import { sql } from 'kysely'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import type { SqlProviderOptions } from '../../../lib/providers/sql/sql-provider.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { LiveServer } from '../../support/live-server.js'
import { alikeModel } from '../../support/sql/alike-model.js'
import type { LoggedDatabase } from '../../support/sql/logged-database.js'
import { loggedDatabase } from '../../support/sql/logged-database.js'
import { createTables } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import { until } from '../../support/until.js'

const count = 20_000

describe('feeds of any length on PostgreSQL', () => {
  let server: PostgresServer
  let live: LiveServer
  let logged: LoggedDatabase

  beforeAll(async () => {
    server = PostgresServer.shared()
    live = await LiveServer.start()
    logged = loggedDatabase(server.addressOf(await server.newDatabase()))
    const { db } = logged
    await createTables(db, alikeModel(), 'postgres')
    await sql`
      insert into "Products" ("ID", "Name", "Rating", "CategoryID")
      select n, repeat('x', 1000) || n, n % 7, 1 from generate_series(1, ${sql.lit(count)}) as n`.execute(db)
    await sql`insert into "Categories" ("ID", "Name") values (1, 'c')`.execute(db)
    await sql`insert into "Manuals" ("Title", "Edition") values ('slow', 1)`.execute(db)
    await sql`create view slow as select * from "Manuals" where pg_sleep(3600)::text is not null`.execute(db)
  })

  afterAll(async () => {
    await live.close()
    await logged.db.destroy()
    await server.stop()
  })

  const mount = async (name: string, options: SqlProviderOptions): Promise<void> => {
    const provider = sqlProvider<EdmModel>(alikeModel() as EdmModel<EdmModel>, logged.db, options)
    await provider.ready()
    live.mount(name, odataV2(alikeModel(), provider, { pageSize: 0, onError: () => undefined }))
    logged.statements()
  }

  const idsOf = async (path: string): Promise<number[]> => {
    const { status, text } = await live.get(path, { accept: 'application/json' })
    if (status !== 200) throw new Error(`${path}: ${String(status)} ${text}`)
    const { d } = JSON.parse(text) as { d: { results: readonly { ID: number }[] } }
    return d.results.map(({ ID }) => ID)
  }

  const open = (path: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get({ port: live.port, path, headers: { accept: 'application/json' } }, resolve).on('error', reject)
    })

  /** Counts the sessions of the database that are not idle. */
  const busySessions = async (): Promise<number> => {
    const { rows } = await sql<{ n: string }>`
      select count(*) as n from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`.execute(logged.db)
    return Number(rows[0]?.n)
  }

  /** Waits until the service has released all connections and no session runs a statement. */
  const waitForIdleConnections = (): Promise<void> =>
    until(async () => (await busySessions()) === 0 && logged.pool.idleCount === logged.pool.totalCount)

  const everyId = Array.from({ length: count }, (_, index) => index + 1)

  it('MUST be read in batches that go on where the one before ended', async () => {
    await mount('batches', {})
    expect(await idsOf('/batches/Products')).toEqual(everyId)
    // Of 1,000, 2,000, 4,000 and then 8,000 rows.
    expect(logged.statements()).toHaveLength(5)
    const byRating = await idsOf('/batches/Products?$orderby=Rating%20desc&$select=ID')
    expect(byRating).toEqual(everyId.toSorted((a, b) => (b % 7) - (a % 7) || a - b))
    expect(logged.statements()).toHaveLength(5)
  })

  it('MUST be read by one statement through a cursor', async () => {
    await mount('cursor', { cursors: 2 })
    const byRating = await idsOf('/cursor/Products?$orderby=Rating%20desc&$select=ID')
    expect(byRating).toEqual(everyId.toSorted((a, b) => (b % 7) - (a % 7) || a - b))
    expect(logged.statements()).toHaveLength(1)
    // Expanded entities are read while the cursor is open.
    expect(await idsOf('/cursor/Products?$expand=Category&$orderby=Category/Name,Name')).toHaveLength(count)
  })

  it('MUST wait for a slow client, and use at most the allowed number of connections', async () => {
    await mount('cursor', { cursors: 2 })
    const slow = await Promise.all(Array.from({ length: 6 }, () => open('/cursor/Products')))
    try {
      const held = (): number => logged.pool.totalCount - logged.pool.idleCount
      // The others are read in batches, until their clients take no more.
      await until(async () => (await busySessions()) === 2 && held() === 2)
      // Others are served meanwhile.
      expect(await idsOf('/cursor/Products?$top=3')).toEqual([1, 2, 3])
    } finally {
      for (const response of slow) response.destroy()
    }
    await waitForIdleConnections()
  })

  it('MUST release the connection when the client disconnects during the response', async () => {
    await mount('cursor', { cursors: 2 })
    for (let round = 0; round < 10; round++) {
      const response = await open('/cursor/Products')
      await new Promise((resolve) => response.once('data', resolve))
      response.destroy()
    }
    await waitForIdleConnections()
    expect(logged.pool.waitingCount).toBe(0)
    expect(await idsOf('/cursor/Products')).toHaveLength(count)
  })

  it('MUST stop a statement whose client has left', async () => {
    const mapping = { entitySets: { Manuals: { table: 'slow' } } }
    for (const cursors of [0, 1]) {
      await mount('slow', { mapping, cursors })
      const request = get({ port: live.port, path: '/slow/Manuals' })
      request.on('error', () => undefined)
      await until(async () => (await busySessions()) > 0)
      request.destroy()
      await waitForIdleConnections()
    }
  })

  it('MUST respond with 503 when a statement exceeds its timeout', async () => {
    const mapping = { entitySets: { Manuals: { table: 'slow' } } }
    const { db } = loggedDatabase(logged.pool.options.connectionString ?? '', 2)
    try {
      const provider = sqlProvider(alikeModel(), db, { mapping, statementTimeout: 200 })
      await provider.ready()
      live.mount('limited', odataV2(alikeModel(), provider, { onError: () => undefined }))
      const { status, text } = await live.get('/limited/Manuals', { accept: 'application/json' })
      expect({ status, text }).toMatchObject({ status: 503 })
      expect(text).toContain('The database query timed out.')
      // The connection is usable afterwards.
      const unlimited = sqlProvider(alikeModel(), db, { mapping })
      await unlimited.ready()
      live.mount('unlimited', odataV2(alikeModel(), unlimited, { onError: () => undefined }))
      expect((await live.get('/unlimited/Products?$top=1')).status).toBe(200)
    } finally {
      await db.destroy()
    }
  })

  it('MUST reject invalid numbers', () => {
    const make = (options: SqlProviderOptions) => () => sqlProvider(alikeModel(), logged.db, options)
    expect(make({ statementTimeout: -1 })).toThrow('statementTimeout must be a whole number')
    expect(make({ cursors: 1.5 })).toThrow('cursors must be a whole number')
  })
})
