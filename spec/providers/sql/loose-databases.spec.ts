import SQLite from 'better-sqlite3'
import { CamelCasePlugin, Kysely, SqliteDialect, sql } from 'kysely'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { introspect } from '../../../lib/providers/sql/introspection/introspect.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { ContractServices } from '../../contracts/contract-service.js'
import { alikeModel } from '../../support/sql/alike-model.js'
import { SqlServer } from '../../support/sql/databases.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { createTables } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

/** Covers schemas that were not created for this library. */
describe('a database with ways of its own', () => {
  let services: ContractServices

  beforeAll(async () => {
    services = await ContractServices.start()
  })

  afterAll(async () => {
    await services.close()
  })

  const mount = async (db: AnyDatabase): Promise<void> => {
    const provider = sqlProvider<EdmModel>(alikeModel() as EdmModel<EdmModel>, db)
    await provider.ready()
    services.mount('shop', provider, { pageSize: 3 }, alikeModel())
  }

  const ids = (query: string): Promise<string[]> => services.ids('shop', `/Products?${query}`)
  const products = (...keys: readonly number[]): string[] => keys.map((key) => `Products(${key})`)

  it('MUST be read with equal values when SQLite has dates in several forms', async () => {
    const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
    await createTables(db, alikeModel(), 'sqlite')
    const forms = [
      '2012-02-29',
      '2012-02-29 00:00',
      '2012-02-29T00:00:00',
      '2012-02-29 00:00:00.000',
      '2012-02-29T00:00:00.0000001',
      '2012-02-29 00:00:01.5',
      '2012-02-28 23:59:59.9999999',
    ]
    for (const [index, text] of forms.entries()) {
      await sql`insert into "Products" ("ID", "Released", "Changed", "Opens")
        values (${index + 1}, ${text}, ${`${text}${text.length > 10 ? 'Z' : ''}`}, ${text.slice(11) || null})`.execute(
        db,
      )
    }
    await mount(db)
    const feed = await services.json('shop', '/Products?$select=Released,Changed&$top=3')
    expect(feed.results).toHaveLength(3)
    for (const { Released, Changed } of feed.results ?? []) {
      expect(Released).toBe('/Date(1330473600000)/')
      expect(Changed).toBe('/Date(1330473600000+0000)/')
    }
    const midnight = "datetime'2012-02-29T00:00:00'"
    expect(await ids(`$filter=Released%20eq%20${midnight}&$top=9&$orderby=ID%20desc`)).toEqual(
      products(4, 3, 2),
    )
    expect(await ids(`$filter=Released%20gt%20${midnight}`)).toEqual(products(5, 6))
    expect(await ids(`$filter=Released%20lt%20${midnight}`)).toEqual(products(7))
    expect(await ids(`$filter=not%20(Released%20ge%20${midnight})`)).toEqual(products(7))
    expect(await services.pages('shop', '/Products?$orderby=Released%20desc,ID')).toEqual([
      products(6, 5, 1),
      products(2, 3, 4),
      products(7),
    ])
    expect(await services.pages('shop', '/Products?$orderby=Changed,ID%20desc')).toEqual([
      products(7, 4, 3),
      products(2, 1, 5),
      products(6),
    ])
    expect(await ids("$filter=Opens%20eq%20time'PT0S'")).toEqual(products(2, 3, 4))
    await db.destroy()
  })

  it('MUST compare dates as it shows them when JavaScript has written them to SQLite', async () => {
    const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
    await createTables(db, alikeModel(), 'sqlite')
    const forms = [
      '2012-02-29T10:00:00.000Z',
      '2012-02-29T10:00:00Z',
      '2012-02-29 10:00:00',
      '2012-02-29T10:00Z',
    ]
    for (const [index, text] of forms.entries()) {
      await sql`insert into "Products" ("ID", "Released") values (${index + 1}, ${text})`.execute(db)
    }
    await mount(db)
    const { results } = await services.json('shop', '/Products?$select=Released&$top=4')
    for (const { Released } of results ?? []) expect(Released).toBe('/Date(1330509600000)/')
    const moment = "datetime'2012-02-29T10:00:00'"
    expect(await ids(`$filter=Released%20eq%20${moment}&$top=9&$orderby=ID%20desc`)).toEqual(
      products(4, 3, 2),
    )
    expect(await ids(`$filter=Released%20ge%20${moment}%20and%20ID%20eq%201`)).toEqual(products(1))
    expect(await ids(`$filter=Released%20gt%20${moment}`)).toEqual([])
    expect(await services.pages('shop', '/Products?$orderby=Released%20desc,ID')).toEqual([
      products(1, 2, 3),
      products(4),
    ])
    await db.destroy()
  })

  it('MUST be given keys that SQLite does not count up itself', async () => {
    const database = new SQLite(':memory:')
    database.exec('create table things (id integer primary key desc, note text)')
    const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database }) })
    const service = await SqlServer.start(await introspect(db), db)
    expect((await service.send('POST', 'Things', { Note: 'a' })).json).toMatchObject({ Id: '1' })
    expect((await service.send('POST', 'Things', { Note: 'b' })).json).toMatchObject({ Id: '2' })
    await service.stop()
    await db.destroy()
  })

  it('MUST be read by their columns when a plug-in of Kysely changes names', async () => {
    const database = new SQLite(':memory:')
    const plain: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database }) })
    await createTables(plain, alikeModel(), 'sqlite')
    await sql`insert into "Products" ("ID", "Name", "Dims_Unit") values (1, 'a', 'cm')`.execute(plain)
    await mount(new Kysely({ dialect: new SqliteDialect({ database }), plugins: [new CamelCasePlugin()] }))
    expect(await services.json('shop', '/Products(1)')).toMatchObject({ Name: 'a', Dims: { Unit: 'cm' } })
    await plain.destroy()
  })

  it('MUST be read with the same values when PostgreSQL writes dates and numbers in another form', async () => {
    const server = PostgresServer.shared()
    try {
      const name = await server.newDatabase()
      const main = server.connect('postgres')
      await sql.raw(`alter database ${name} set datestyle = 'SQL, DMY'`).execute(main)
      await sql.raw(`alter database ${name} set extra_float_digits = -5`).execute(main)
      await sql.raw(`alter database ${name} set timezone = 'Asia/Tokyo'`).execute(main)
      const db = server.connect(name)
      await createTables(db, alikeModel(), 'postgres')
      await sql`insert into "Products" ("ID", "Released", "Changed", "Weight")
        values (1, '2012-02-03 04:05:06.7', '2012-02-03 04:05:06.7Z', 0.30000000000000004)`.execute(db)
      await mount(db)
      expect(await services.json('shop', '/Products(1)')).toMatchObject({
        Released: '/Date(1328241906700)/',
        Changed: '/Date(1328241906700+0000)/',
        Weight: '0.30000000000000004',
      })
      const offset = encodeURIComponent("datetimeoffset'2012-02-03T05:05:06.7+01:00'")
      expect(await ids(`$filter=Changed%20eq%20${offset}`)).toEqual(products(1))
      expect(await ids('$filter=hour(Changed)%20eq%204%20and%20day(Released)%20eq%203')).toEqual(products(1))
    } finally {
      await server.stop()
    }
  })
})
