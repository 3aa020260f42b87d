import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import type { SqliteDatabase } from 'kysely'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { Provider } from '../../../lib/provider/provider.js'
import { cacheStatements } from '../../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import type { SqlProvider, SqlProviderOptions } from '../../../lib/providers/sql/sql-provider.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { callWith } from '../../support/provider-call.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

const named = { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() } } as const

const model = defineModel({
  namespace: 'Versions',
  entityTypes: {
    Item: {
      ...named,
      navigationProperties: { Tags: { relationship: 'ItemTags', fromRole: 'Item', toRole: 'Tag' } },
    },
    Tag: named,
    Dice: named,
  },
  associations: {
    ItemTags: {
      ends: { Item: { type: 'Item', multiplicity: '*' }, Tag: { type: 'Tag', multiplicity: '*' } },
    },
  },
  entityContainer: {
    entitySets: {
      Items: { entityType: 'Item' },
      Tags: { entityType: 'Tag' },
      Dices: { entityType: 'Dice' },
      Words: { entityType: 'Dice' },
    },
    associationSets: {
      ItemTagsSet: { association: 'ItemTags', ends: { Item: 'Items', Tag: 'Tags' } },
    },
  },
})

const mapping = { associationSets: { ItemTagsSet: { table: 'ItemTags' } } }

const tables = [
  `create table "Items" ("ID" integer primary key, "Name" text)`,
  `create table "Tags" ("ID" integer primary key, "Name" text)`,
  `create table "ItemTags" ("Item_ID" integer references "Items" ("ID"), "Tag_ID" integer references "Tags" ("ID"))`,
  `create view "Dices" as select 1 as "ID", cast(random() as text) as "Name"`,
  `insert into "Items" values (1, 'one'), (2, 'two')`,
  `insert into "Tags" values (1, 'red')`,
]

describe('dataVersion of a provider on SQLite', () => {
  let folder = ''
  let file: SQLite.Database
  let db: AnyDatabase
  let provider: SqlProvider<typeof model, unknown>

  const open = async (database: SqliteDatabase = file): Promise<void> => {
    const sqlite = cacheStatements(database)
    db = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) })
    provider = sqlProvider(model, db, { sqlite, mapping })
    await provider.ready()
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'versions-'))
    file = new SQLite(join(folder, 'items.sqlite'))
    file.pragma('journal_mode = wal')
    file.exec([...tables, `create virtual table "Words" using fts5("ID", "Name")`].join(';'))
    await open()
  })

  afterEach(async () => {
    await db.destroy()
    rmSync(folder, { recursive: true })
  })

  const version = (...sets: string[]): unknown => provider.dataVersion?.(sets, callWith())

  const changes: readonly (readonly [string, string])[] = [
    ['insert', `insert into "Items" values (9, 'nine')`],
    ['update', `update "Items" set "Name" = 'changed' where "ID" = 2`],
    ['delete', `delete from "Items" where "ID" = 1`],
    ['delete of all rows', `delete from "Items"`],
    ['replace', `insert or replace into "Items" values (2, 'replaced')`],
    ['link', `insert into "ItemTags" values (1, 1)`],
    ['transaction', `begin; update "Items" set "Name" = 'x'; commit`],
    ['rename', `alter table "Items" rename to "Old"; alter table "Tags" rename to "Items"`],
    ['drop and create', `drop table "Items"; create table "Items" as select 7 as "ID", 'new' as "Name"`],
  ]

  it('MUST be the same while nothing changes', () => {
    const first = version('Items')
    expect(typeof first).toBe('string')
    file.prepare('select * from "Items"').all()
    expect(version('Items')).toBe(first)
  })

  it.each(changes)('MUST change with a change on the same connection: %s', (_name, statements) => {
    const before = version('Items')
    file.exec(statements)
    expect(version('Items')).not.toBe(before)
  })

  it.each(changes)('MUST change with a change on another connection: %s', (_name, statements) => {
    const before = version('Items')
    const other = new SQLite(join(folder, 'items.sqlite'))
    other.exec(statements)
    other.close()
    expect(version('Items')).not.toBe(before)
  })

  it('MUST be undefined within a transaction, and not return to an earlier value after a rollback', () => {
    const before = version('Items')
    file.exec(`begin; update "Items" set "Name" = 'uncommitted'`)
    expect(version('Items')).toBeUndefined()
    file.exec('rollback')
    expect(typeof version('Items')).toBe('string')
    expect(version('Items')).not.toBe(before)
  })

  it('MUST be undefined in calls of a change set', async () => {
    const changeSet = await provider.beginChangeSet?.(callWith())
    expect(await provider.dataVersion?.(['Items'], { ...callWith(), changeSet })).toBeUndefined()
    await changeSet?.rollBack()
  })

  it('MUST be undefined while the application takes rows of a statement that may fail', () => {
    file.exec(
      `create table "Deferred" ("ID" integer references "Items" ("ID") deferrable initially deferred);
       create trigger d after update on "Items" begin insert into "Deferred" values (99); end`,
    )
    const rows = file.prepare(`update "Items" set "Name" = 'rolled back' returning "ID"`).iterate()
    rows.next()
    expect(version('Items')).toBeUndefined()
    expect(() => [...rows]).toThrow('FOREIGN KEY')
    file.unsafeMode(true)
    const others = file.prepare(`update "Tags" set "Name" = 'x' returning "ID"`).iterate()
    others.next()
    expect(version('Items')).toBeUndefined()
    expect([...others]).toEqual([])
    file.unsafeMode(false)
    expect(file.inTransaction).toBe(false)
    expect(typeof version('Items')).toBe('string')
  })

  it.each(['Dices', 'Words'])('MUST be undefined for views and virtual tables: %s', (set) => {
    expect(version(set)).toBeUndefined()
    expect(version('Items', set)).toBeUndefined()
    expect(typeof version('Items')).toBe('string')
  })

  it('MUST be undefined for a table that has become a view, whatever the case of its name', () => {
    expect(typeof version('Items')).toBe('string')
    file.exec(`alter table "Items" rename to "Base"; create view "ITEMS" as select * from "Base"`)
    expect(version('Items')).toBeUndefined()
    expect(typeof version('Tags')).toBe('string')
  })

  it('MUST be undefined for links in a view', () => {
    file.exec(`alter table "ItemTags" rename to "Base"; create view "ItemTags" as select * from "Base"`)
    expect(version('Items')).toBeUndefined()
    expect(version('Tags')).toBeUndefined()
  })

  it.each([
    [
      'table of an attached file',
      `attach ':memory:' as other; create table other."Items" as select * from main."Items"; drop table main."Items"`,
      `create table main."Items" as select * from other."Items"; detach other`,
    ],
    [
      'temporary table',
      `create temp table "Items" as select 1 as "ID", 'x' as "Name"`,
      'drop table temp."Items"',
    ],
    ['temporary view', `create temp view "Items" as select * from main."Items"`, 'drop view temp."Items"'],
  ])('MUST be undefined while changes are invisible: %s', (_name, begin, end) => {
    file.exec(begin)
    expect(version('Items')).toBeUndefined()
    file.exec(end)
    expect(typeof version('Items')).toBe('string')
  })

  it('MUST cover the tables of the file while another file is attached', () => {
    file.exec(`attach ':memory:' as other; create table other."Items" as select * from main."Items"`)
    const before = version('Items')
    expect(typeof before).toBe('string')
    file.exec(`insert into "Items" values (9, 'nine')`)
    expect(version('Items')).not.toBe(before)
  })

  const failing = (
    isFailing: (text: string) => boolean,
    error: Error,
  ): SqliteDatabase & Pick<SQLite.Database, 'inTransaction'> => ({
    close: () => undefined,
    get inTransaction() {
      return file.inTransaction
    },
    prepare(text: string) {
      if (isFailing(text)) throw error
      return file.prepare(text)
    },
  })

  it('MUST be undefined if SQLite does not support the pragmas', async () => {
    await open(failing((text) => text.includes('data_version'), new Error('no such table')))
    expect(version('Items')).toBeUndefined()
  })

  it('MUST fail as the read would while the file is locked', async () => {
    let isLocked = true
    const locked = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
    await open(failing((text) => isLocked && text.includes('data_version'), locked))
    expect(() => version('Items')).toThrow()
    isLocked = false
    expect(typeof version('Items')).toBe('string')
  })

  it('MUST find views even if reading their names failed once', async () => {
    let isLocked = true
    const locked = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
    await open(failing((text) => isLocked && text.startsWith('select name from main.sqlite_master'), locked))
    expect(() => version('Dices')).toThrow()
    isLocked = false
    expect(version('Dices')).toBeUndefined()
  })

  it('MUST be undefined for entity sets that an application has replaced', async () => {
    const { entitySets } = provider
    const Items = { ...entitySets.Items }
    const copies: Provider<typeof model>[] = [{ ...provider, entitySets: { ...entitySets, Items } }]
    for (const copy of copies) {
      expect(await copy.dataVersion?.(['Items'], callWith())).toBeUndefined()
      expect(await copy.dataVersion?.(['Tags'], callWith())).toEqual(version('Tags'))
    }
  })

  it('MUST be absent without the option sqlite', () => {
    expect('dataVersion' in sqlProvider(model, db, { mapping })).toBe(false)
  })

  it('MUST not be read from a snapshot, which SQLite does not have', () => {
    expect(() => sqlProvider(model, db, { snapshotVersion: true })).toThrow(/requires PostgreSQL/)
  })
})

describe('dataVersion of a provider on PostgreSQL', () => {
  let server: PostgresServer
  let db: AnyDatabase
  let provider: SqlProvider<typeof model, unknown>

  beforeAll(async () => {
    server = PostgresServer.shared()
    db = await server.open()
    for (const statement of [...tables, 'create view "Words" as select * from "Items"']) {
      await sql.raw(statement).execute(db)
    }
    provider = sqlProvider(model, db, { mapping, snapshotVersion: true })
    await provider.ready()
  })

  afterAll(() => server.stop())

  const version = async (...sets: string[]): Promise<unknown> => provider.dataVersion?.(sets, callWith())

  it('MUST change with every commit', async () => {
    const before = await version('Items')
    expect(typeof before).toBe('string')
    await sql`update "Items" set "Name" = 'changed' where "ID" = 1`.execute(db)
    expect(await version('Items')).not.toBe(before)
  })

  it('MUST not be that of an open transaction, also after its rollback', async () => {
    const before = await version('Items')
    const transaction = await db.startTransaction().execute()
    await sql`update "Items" set "Name" = 'uncommitted'`.execute(transaction)
    const during = await version('Items')
    await transaction.rollback().execute()
    const after = await version('Items')
    expect(new Set([before, after]).size).toBe(2)
    expect(during).not.toBe(after)
  })

  it.each(['Dices', 'Words'])('MUST be undefined for views: %s', async (set) => {
    expect(await version(set)).toBeUndefined()
    expect(await version('Items', set)).toBeUndefined()
  })

  it('MUST be undefined for tables and links with row-level security', async () => {
    await sql`alter table "ItemTags" enable row level security`.execute(db)
    const secured = sqlProvider(model, db, { mapping, snapshotVersion: true })
    await secured.ready()
    expect(await secured.dataVersion?.(['Items'], callWith())).toBeUndefined()
    await sql`alter table "ItemTags" disable row level security`.execute(db)
  })

  it('MUST be undefined in calls of a change set', async () => {
    const changeSet = await provider.beginChangeSet?.(callWith())
    expect(await provider.dataVersion?.(['Items'], { ...callWith(), changeSet })).toBeUndefined()
    await changeSet?.rollBack()
  })

  it('MUST be absent without the option', () => {
    expect('dataVersion' in sqlProvider(model, db, { mapping })).toBe(false)
  })

  it('MUST not be used with a replica', () => {
    const options: SqlProviderOptions = { snapshotVersion: true, replica: db }
    expect(() => sqlProvider(model, db, options)).toThrow(/cannot be used with 'replica'/)
  })
})
