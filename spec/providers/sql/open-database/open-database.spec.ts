import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { defineModel, edm } from '../../../../lib/edm/define-model.js'
import { MissingPackageError, optionalPackage } from '../../../../lib/providers/sql/open-database/driver.js'
import type { OpenDatabaseOptions, OpenedDatabase } from '../../../../lib/sql.js'
import { openDatabase } from '../../../../lib/sql.js'
import { requestListener } from '../../../../lib/request-listener.js'
import { PostgresServer } from '../../../support/sql/postgres-server.js'

const directory = mkdtempSync(join(tmpdir(), 'open-database-'))
const file = join(directory, 'shop.sqlite')
const tables = [
  'create table products (id integer primary key, name text not null)',
  'create table notes (text text)',
]

beforeAll(() => {
  const database = new SQLite(file)
  for (const statement of tables) database.exec(statement)
  database.exec("insert into products values (1, 'Gouda'), (2, 'Edam')")
  database.close()
})

afterAll(() => {
  rmSync(directory, { recursive: true })
})

/** The response to a request, and closes nothing. */
async function get(opened: OpenedDatabase, path: string, init?: RequestInit): Promise<string> {
  const server = createServer(requestListener(opened.model, opened.provider, { onError: () => undefined }))
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const response = await fetch(`http://localhost:${(server.address() as AddressInfo).port}/${path}`, init)
  const text = `${response.status} ${await response.text()}`
  server.closeAllConnections()
  server.close()
  return text
}

const model = defineModel({
  namespace: 'Shop',
  entityTypes: { Product: { key: ['Id'], properties: { Id: edm.Int64(), Name: edm.String() } } },
  entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
})

describe('openDatabase on SQLite', () => {
  it('MUST serve the tables of a file, reading repeated requests from the cache of sqlProvider', async () => {
    const notices: string[] = []
    const shop = await openDatabase(file, { onNotice: (notice) => notices.push(notice) })
    expect(notices).toEqual([])
    expect(shop.model.defaultContainer.entitySets.map(({ name }) => name)).toEqual(['Notes', 'Products'])
    expect(await get(shop, 'Products(2L)/Name/$value')).toBe('200 Edam')
    await shop.close()
    expect(await get(shop, 'Products(2L)/Name/$value')).toMatch(/^500/)
  })

  it('MUST accept a model, and options of introspect and sqlProvider', async () => {
    const own = await openDatabase(file, { model })
    expect(own.model).toBe(model)
    expect(await get(own, 'Products/$count')).toBe('200 2')
    await own.close()
    const shop = await openDatabase(file, { namespace: 'S', keys: { notes: ['text'] }, functions: {} })
    expect([...shop.model.entityTypes.keys()]).toEqual(['S.Note', 'S.Product'])
    await shop.close()
  })

  it('MUST open files for reading only with readOnly', async () => {
    const shop = await openDatabase(file, { readOnly: true })
    expect(await get(shop, 'Products(1L)', { method: 'DELETE' })).toMatch(
      /^403 .*The database is read-only\./,
    )
    expect(await get(shop, 'Products/$count')).toBe('200 2')
    await shop.close()
  })

  it('MUST serve a Kysely instance, and leave it open', async () => {
    const db = new Kysely({ dialect: new SqliteDialect({ database: new SQLite(file) }) })
    const shop = await openDatabase(db)
    expect(await get(shop, 'Products/$count')).toBe('200 2')
    await shop.close()
    expect((await sql`select 1`.execute(db)).rows).toHaveLength(1)
    await db.destroy()
  })

  it.each<[string, OpenDatabaseOptions, RegExp]>([
    ['missing.sqlite', {}, /missing\.sqlite' cannot be opened: there is no such file\.$/],
    ['broken.sqlite', {}, /broken\.sqlite' is not an SQLite database, or it is encrypted\.$/],
    ['shop.sqlite', { tables: () => false }, /^introspect: 'tables' excludes all tables of the database\.$/],
    ['shop.sqlite', { cursors: 2 }, /^sqlProvider: cursors is not supported on sqlite\. /],
  ])('MUST report the error of %s and %j', async (name, options, message) => {
    writeFileSync(join(directory, 'broken.sqlite'), 'This is no database, however long it is.'.repeat(40))
    await expect(openDatabase(join(directory, name), options)).rejects.toThrow(message)
  })

  it.each<[string, object, string]>([
    ['mssql://localhost/shop', {}, "'mssql://' is not supported. Use postgres://, mysql://, pglite:"],
    ['postgres://a b:c d@[/', {}, 'Write postgres://user:password@host/database'],
    ['mysql://localhost', {}, 'The URL must end with the name of the database: localhost/database.'],
    ['shop.sqlite', { keyz: {} }, "openDatabase: there is no option 'keyz'. Did you mean 'keys'?"],
    ['shop.sqlite', { namespace: 'S', model }, "openDatabase: 'namespace' has no effect with 'model'."],
    ['shop.sqlite', { driver: 'sqlite3' }, "driver must be 'better-sqlite3' or 'node:sqlite'."],
  ])('MUST refuse %s with a TypeError, case %#', async (source, options, message) => {
    const opening = openDatabase(source, options)
    await expect(opening).rejects.toThrow(message)
    await expect(opening).rejects.toMatchObject({ name: 'TypeError' })
  })

  it('MUST name the package to install', async () => {
    const missing = (name: string) => () =>
      Promise.reject(
        Object.assign(new Error(`Cannot find package '${name}'`), { code: 'ERR_MODULE_NOT_FOUND' }),
      )
    const opening = optionalPackage(missing('pg'), ['kysely', 'pg'], 'To open a PostgreSQL database')
    await expect(opening).rejects.toThrow(
      "To open a PostgreSQL database, install 'pg': npm install kysely pg",
    )
    await expect(opening).rejects.toBeInstanceOf(MissingPackageError)
    await expect(optionalPackage(missing('other'), ['kysely'], 'To open')).rejects.toThrow("'other'")
  })
})

describe('openDatabase on PostgreSQL', () => {
  const server = PostgresServer.shared()
  let address: string

  beforeAll(async () => {
    const name = await server.newDatabase()
    address = server.addressOf(name)
    const db = server.connect(name)
    await sql.raw('create table products (id bigint primary key, name text not null)').execute(db)
    await sql.raw("insert into products values (1, 'Gouda'), (2, 'Edam')").execute(db)
    await db.destroy()
  })

  afterAll(() => server.stop())

  it.each<[string, OpenDatabaseOptions]>([
    ['a model of the tables', {}],
    ['another model', { model }],
    ['statements that are not prepared', { prepareStatements: false }],
    ['cursors and a time limit', { cursors: 2, statementTimeout: 5000 }],
  ])('MUST serve the tables with %s', async (_name, options) => {
    const shop = await openDatabase(address, options)
    expect(await get(shop, 'Products(2L)/Name/$value')).toBe('200 Edam')
    expect(await get(shop, 'Products?$format=json&$select=Name')).toContain('"Name":"Gouda"')
    await shop.close()
  })

  it.each([
    ['port', '1', /^No server listens at 127\.0\.0\.1:1\/test_\w+\./],
    ['pathname', '/nowhere', /^There is no database 'nowhere' at 127/],
    ['password', 'wrong', /^PostgreSQL does not accept this password for the user 'tester'/],
  ] as const)('MUST report a wrong %s, with a model and without', async (part, value, message) => {
    const url = new URL(address)
    url[part] = value
    await expect(openDatabase(url.href)).rejects.toThrow(message)
    await expect(openDatabase(url.href, { model })).rejects.toThrow(message)
  })
})
