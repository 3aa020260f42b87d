import express from 'express'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { defineModel, edm, odataV2 } from '../../../lib/index.js'
import type { AnyKysely } from '../../../lib/providers/sql/dialect-of.js'
import { createTables, introspect, pruneChanges, sqlProvider, trackChanges } from '../../../lib/sql.js'
import { feedOf, getJson } from '../../support/delta-client.js'
import { deltaModel } from '../../support/delta-model.js'
import { TestServer } from '../../support/http-exchange.js'
import { createDeltaTables, deltaProvider, openSqlite } from '../../support/sql/delta-tables.js'
import { newDuckDb } from '../../support/sql/duckdb.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import { until } from '../../support/until.js'

/** Things with every kind of value, a key of two columns, and a derived type. */
const thingModel = defineModel({
  namespace: 'T',
  entityTypes: {
    Thing: {
      key: ['Code', 'At'],
      properties: {
        Code: edm.String({ nullable: false, maxLength: 20 }),
        At: edm.DateTimeOffset({ nullable: false, precision: 3 }),
        Real: edm.Double(),
        Small: edm.Single(),
        Large: edm.Int64(),
        Exact: edm.Decimal({ precision: 20, scale: 6 }),
        Flag: edm.Boolean(),
        Guid: edm.Guid(),
        Time: edm.Time({ precision: 3 }),
        Text: edm.String(),
        Bytes: edm.Binary(),
      },
    },
    Special: { baseType: 'Thing', properties: { Extra: edm.Int32() } },
  },
  entityContainer: { entitySets: { Things: { entityType: 'Thing' } } },
})

const thing = {
  Real: '0.30000000000000004',
  Small: '1.5',
  Large: '9007199254740993',
  Exact: '12345678901234.567891',
  Flag: true,
  Guid: '01234567-89ab-cdef-0123-456789abcdef',
  Time: 'PT13H20M1.5S',
  Text: 'a "quote" and \\ backslash, \u00fc, \u{1f600}',
  Bytes: 'AQI=',
}

const thingFilters = [
  'Real%20eq%200.30000000000000004d',
  'Small%20eq%201.5f',
  'Large%20eq%209007199254740993L',
  'Exact%20eq%2012345678901234.567891m',
  'Flag%20eq%20true',
  "Guid%20eq%20guid'01234567-89ab-cdef-0123-456789abcdef'",
  "Time%20eq%20time'PT13H20M1.5S'",
  "startswith(Text,'a%20%22quote%22%20and')",
  "isof('T.Special')",
  '',
]

describe.each(['sqlite', 'postgres'] as const)('trackChanges on %s', (database) => {
  const postgres = PostgresServer.shared()
  let db: AnyKysely
  let server: TestServer | undefined

  beforeEach(async () => {
    db = database === 'sqlite' ? openSqlite(true).db : await postgres.open()
  })
  afterEach(async () => {
    await server?.stop()
    server = undefined
    if (database === 'sqlite') await db.destroy()
  })
  afterAll(() => postgres.stop())

  const run = async (text: string): Promise<readonly Record<string, unknown>[]> =>
    (await sql.raw<Record<string, unknown>>(text).execute(db as never)).rows
  const serve = async (provider = deltaProvider(db), model: object = deltaModel): Promise<void> => {
    server = await TestServer.start(express().use('/s', odataV2(model as never, provider as never)))
  }
  const get = (url: string): ReturnType<typeof getJson> => {
    if (server === undefined) throw new Error('Serve first.')
    return getJson(server, url)
  }
  const deltaLink = async (path: string): Promise<string> => {
    const response = await get(path)
    expect([path, response.status, response.text]).toEqual([path, 200, expect.stringContaining('__delta')])
    return String(feedOf(response).__delta)
  }

  /** Waits until no transaction is older than the changes. Links that PostgreSQL creates meanwhile are no longer valid after `pruneChanges`. */
  const othersHaveEnded = async (): Promise<void> => {
    if (database !== 'postgres') return
    await until(async () => {
      const [row] = await run(
        'select pg_snapshot_xmin(pg_current_snapshot()) > max(xid) as ended from odata_changes',
      )
      return row?.ended === true
    })
  }

  it('MUST return the statements of a migration, and execute nothing, with print', async () => {
    for (const statement of createTables(deltaModel, database)) await run(statement)
    const statements = await trackChanges(deltaModel, db, { print: true, sets: ['Products'] })
    expect(statements.some((one) => one.includes('Categories'))).toBe(false)
    await expect(run('select * from odata_changes')).rejects.toMatchObject({
      message: expect.stringContaining('odata_changes'),
    })
    await expect(deltaProvider(db).ready()).rejects.toThrow(
      "the changes of 'Categories', 'Products' are not logged. Call trackChanges",
    )
    for (const statement of statements) await run(statement)
    await deltaProvider(db, { changeTracking: { sets: ['Products'] } }).ready()
    await expect(deltaProvider(db).ready()).rejects.toThrow("'Categories'")
  })

  it('MUST replace existing triggers, after which delta links are still valid', async () => {
    await createDeltaTables(db, database)
    await serve()
    const link = await deltaLink('/s/Products')
    await trackChanges(deltaModel, db)
    await run('delete from "Products" where "ID" = 1')
    expect(feedOf(await get(link)).results).toHaveLength(1)
    await trackChanges(deltaModel, db, { renew: true })
    expect((await get(link)).status).toBe(410)
  })

  it('MUST keep the secret of the log, add one to an existing log, and replace it with renew', async () => {
    await createDeltaTables(db, database)
    const secretOf = async (): Promise<unknown> =>
      (await run('select secret from odata_change_log'))[0]?.secret
    const first = await secretOf()
    expect(String(first)).toMatch(/^[\da-f-]{64,}$/)
    await trackChanges(deltaModel, db)
    expect(await secretOf()).toBe(first)
    await trackChanges(deltaModel, db, { renew: true })
    const second = await secretOf()
    expect(second).not.toBe(first)
    await serve()
    const link = await deltaLink('/s/Products')
    await run('alter table odata_change_log drop column secret')
    await expect(deltaProvider(db).ready()).rejects.toThrow(
      'the log has no secret that authenticates delta links. Call trackChanges(model, db) again.',
    )
    await trackChanges(deltaModel, db)
    await deltaProvider(db).ready()
    expect([first, second]).not.toContain(await secretOf())
    expect((await get(link)).status).toBe(410)
  })

  it('MUST remove old changes by pruneChanges, after which older delta links get 410', async () => {
    await createDeltaTables(db, database)
    await serve()
    const old = await deltaLink('/s/Products')
    await run(`update "Products" set "Name" = 'a' where "ID" = 1`)
    const middle = String(feedOf(await get(old)).__delta)
    await run('delete from "Categories" where "ID" = 1')
    await othersHaveEnded()
    const present = await deltaLink('/s/Products')
    expect(await pruneChanges(deltaModel, db, { before: new Date(0) })).toBe(0)
    expect((await get(old)).status).toBe(200)
    expect(await pruneChanges(deltaModel, db, { before: new Date(Date.now() + 60_000) })).toBe(5)
    expect([(await get(old)).status, (await get(middle)).status]).toEqual([410, 410])
    expect(feedOf(await get(present)).results).toEqual([])
    await run(`update "Products" set "Name" = 'b' where "ID" = 4`)
    expect(feedOf(await get(present)).results).toHaveLength(1)
    await expect(pruneChanges(deltaModel, db, { before: new Date('x') })).rejects.toThrow('valid Date')
  })

  it('MUST evaluate filters on earlier states of every type exactly', async () => {
    const mapping = {
      entitySets: {
        Things: { typeColumn: 'Kind' },
      },
    }
    for (const statement of createTables(thingModel, database, { mapping })) await run(statement)
    await trackChanges(thingModel, db, { mapping })
    const provider = sqlProvider(thingModel, db, { mapping, changeTracking: true })
    await serve(provider as never, thingModel)
    const send = async (method: string, path: string, body?: object): Promise<number> => {
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
      const response = await server?.send(`/s/${path}`, { method, headers, body: JSON.stringify(body ?? {}) })
      expect([response?.status, response?.text]).toEqual([
        expect.any(Number),
        expect.not.stringContaining('error'),
      ])
      return response?.status ?? 0
    }
    const key = { Code: 'a', At: '/Date(1700000000123+0000)/' }
    await send('POST', 'Things', { __metadata: { type: 'T.Special' }, ...key, ...thing, Extra: 7 })
    const links = await Promise.all(
      thingFilters.map((one) => deltaLink(one === '' ? '/s/Things' : `/s/Things?$filter=${one}`)),
    )
    const [{ __metadata: metadata } = {}] = feedOf(await get('/s/Things')).results
    await run(`delete from "Things"`)
    for (const [index, link] of links.entries()) {
      const { results } = feedOf(await get(link))
      expect([thingFilters[index], results]).toEqual([
        thingFilters[index],
        [expect.objectContaining({ id: metadata?.uri })],
      ])
    }
  })

  it('MUST leave the log out of introspected models', async () => {
    await createDeltaTables(db, database)
    const model = await introspect(db)
    expect(model.defaultContainer.entitySets.map(({ name }) => name).sort()).toEqual([
      'Categories',
      'Products',
    ])
  })

  it('MUST refuse views, unknown sets and options', async () => {
    await createDeltaTables(db, database)
    const viewed = { mapping: { entitySets: { Products: { table: 'seen' } } } }
    await run('create view seen as select * from "Products"')
    await expect(trackChanges(deltaModel, db, viewed)).rejects.toThrow("'Products' is a view")
    await expect(trackChanges(deltaModel, db, { sets: ['Product'] } as never)).rejects.toThrow(
      "mean 'Products'?",
    )
    await expect(trackChanges(deltaModel, db, { set: [] } as never)).rejects.toThrow("no option 'set'")
    const options = { replica: db } as never
    expect(() => deltaProvider(db, options)).toThrow("cannot be used with 'replica'")
  })

  if (database === 'sqlite')
    it('MUST log rows that are replaced by an insert', async () => {
      await createDeltaTables(db, database)
      await serve()
      const link = await deltaLink('/s/Products?$filter=Price%20gt%2035')
      await run(`insert or replace into "Products" ("ID", "Price") values (4, 1)`)
      expect(feedOf(await get(link)).results.map(({ id }) => id)).toEqual([expect.stringContaining('(4)')])
    })

  if (database === 'sqlite')
    it.each([
      [`insert or replace into "Products" ("ID", "Name") values (60, 'N4')`, '4'],
      [`insert or replace into "Products" ("ID", "Name") values (60, 'n4')`, '4'],
      [`insert or replace into "Products" ("ID", "Owner", "Price") values (60, 'ann', 40)`, '4'],
      [`update or replace "Products" set "Name" = 'N4' where "ID" = 1`, '4'],
      [`update or replace "Products" set "ID" = 4 where "ID" = 1`, '4'],
      [`replace into "Products" ("ID", "Name", "Price") values (5, 'N4', 1)`, '4', '5'],
    ])(
      'MUST log rows that a change replaces, although SQLite runs no delete trigger: %s',
      async (change, ...removed) => {
        await createDeltaTables(db, database)
        await run('create unique index "names" on "Products" ("Name" collate nocase)')
        await run('create unique index "owners" on "Products" ("Owner", "Price")')
        await run('create unique index "partial" on "Products" ("Price") where "ID" > 99')
        await run('create unique index "absolute" on "Products" (abs("Price"), "Name")')
        await trackChanges(deltaModel, db)
        await serve()
        const link = await deltaLink('/s/Products?$filter=Price%20gt%2035')
        await run(change)
        const { results } = feedOf(await get(link))
        const tombstones = results.filter((one) => one.__metadata === undefined)
        const ids = tombstones.map(({ id }) => /\((\d+)\)/.exec(String(id))?.[1])
        expect(ids).toEqual(removed)
      },
    )
  else {
    it('MUST lose no change of a transaction that commits after later ones', async () => {
      await createDeltaTables(db, database)
      await serve()
      const link = await deltaLink('/s/Products')
      let commit = (): void => undefined
      const isCommitted = new Promise<void>((resolve) => (commit = resolve))
      let changed = (): void => undefined
      const isChanged = new Promise<void>((resolve) => (changed = resolve))
      const long = (db as unknown as Kysely<unknown>).transaction().execute(async (transaction) => {
        await sql.raw('delete from "Products" where "ID" = 1').execute(transaction)
        changed()
        await isCommitted
      })
      await isChanged
      await run('delete from "Products" where "ID" = 2')
      const first = feedOf(await get(link))
      expect(first.results).toHaveLength(1)
      commit()
      await long
      const second = feedOf(await get(String(first.__delta)))
      expect(second.results.map(({ id }) => id)).toEqual([expect.stringContaining('Products(1)')])
      expect(feedOf(await get(String(second.__delta))).results).toEqual([])
    })

    it('MUST start a new log when a table is truncated', async () => {
      await createDeltaTables(db, database)
      await serve()
      const link = await deltaLink('/s/Products')
      await run('truncate "Products"')
      expect((await get(link)).status).toBe(410)
    })

    it('MUST log the same key for sessions with other time zones', async () => {
      await createDeltaTables(db, database)
      await serve()
      const link = await deltaLink(`/s/Products?$filter=Changed%20ne%20null`)
      await run(
        `set timezone = 'Asia/Tokyo'; update "Products" set "Changed" = now(); delete from "Products"`,
      )
      expect(feedOf(await get(link)).results).toHaveLength(5)
    })

    it('MUST let writers write that have no rights on the log', async () => {
      await createDeltaTables(db, database)
      await serve()
      const link = await deltaLink('/s/Products')
      const role = `writer_${String(process.pid)}`
      await run(`create role ${role}; grant all on "Products" to ${role}`)
      await run(`set role ${role}; update "Products" set "Name" = 'x' where "ID" = 3; reset role`)
      await run(`drop owned by ${role}; drop role ${role}`)
      expect(feedOf(await get(link)).results).toHaveLength(1)
    })
  }
})

describe('trackChanges', () => {
  it('MUST name databases whose changes cannot be tracked', async () => {
    const db = (await newDuckDb()) as unknown as AnyKysely
    await expect(trackChanges(deltaModel, db)).rejects.toThrow('DuckDB')
    expect(() => deltaProvider(db)).toThrow('not supported on duckdb')
  })
})
