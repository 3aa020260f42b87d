import { introspect, sqlProvider } from '../../../lib/sql.js'
import { openDatabase } from '../../../lib/providers/sql/open-database/open-database.js'
import { SqlServer } from '../../support/sql/databases.js'
import {
  introspectedService,
  outline,
  postgres,
  sqlite,
  useDatabases,
} from '../../support/sql/introspected.js'

useDatabases()

const sales = `
  create table sales (region varchar(9), amount integer);
  insert into sales values ('north', 1), ('south', 2), ('north', 3)`

describe.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
] as const)('A key that is not unique on %s', (_name, open) => {
  it('MUST be rejected at the start, with a value of it', async () => {
    const db = await open(`${sales}; create view totals as select region, amount from sales`)
    await expect(openDatabase(db, { keys: { totals: ['region'] } })).rejects.toThrow(
      "The key 'Region' of 'Totals' is not unique: several rows have 'north'. Use other columns as the key.",
    )
    await expect(openDatabase(db, { keys: { sales: ['region'] } })).rejects.toThrow(
      /^The key 'Region' of 'Sales' is not unique: several rows have 'north'\./,
    )
    await expect(openDatabase(db, { keys: { sales: ['region', 'amount'] } })).resolves.toBeDefined()
  })

  it('MUST be rejected if a row has null in it', async () => {
    const db = await open(`${sales}; create view totals as select nullif(amount, 2) as n from sales`)
    await expect(openDatabase(db, { keys: { totals: ['n'] } })).rejects.toThrow(
      "The key 'N' of 'Totals' is not unique: a row has null.",
    )
  })

  it('MUST be reported if there are too many rows to check them all', async () => {
    const notices: string[] = []
    const db = await open(
      'create view numbers as with recursive n(i) as (select 1 union all select i + 1 from n where i < 100002) select i from n',
    )
    await openDatabase(db, { keys: { numbers: ['i'] }, onNotice: (notice) => notices.push(notice) })
    expect(notices).toEqual([
      "'Numbers': its key 'I' was checked only within 100,000 rows and 5 seconds. Rows with equal keys would be lost.",
    ])
  })

  it('MUST differ in case and accents', async () => {
    const db = await open(
      "create table words (word varchar(9)); insert into words values ('a'), ('A'), ('ä')",
    )
    await expect(openDatabase(db, { keys: { words: ['word'] } })).resolves.toBeDefined()
  })
})

describe('The row id of SQLite', () => {
  it('MUST be the key of tables without one, which can be read in pages and changed', async () => {
    const db = await sqlite(`${sales}; create table odd ("rowid" text, _rowid_ int, n int)`)
    const model = await introspect(db)
    expect(outline(model)).toEqual({
      'Odds: Odd': ['*Oid: Int64', 'Rowid: String?', 'Rowid2: Int64?', 'N: Int64?'],
      'Sales: Sale': ['*Rowid: Int64', 'Region: String(9)?', 'Amount: Int64?'],
    })
    const service = await SqlServer.start(model, db, { pageSize: 2 })
    expect((await service.send('GET', 'Sales?$orderby=Region')).json.results).toMatchObject([
      { Rowid: '1' },
      { Rowid: '3' },
    ])
    expect((await service.send('POST', 'Sales', { Region: 'west' })).json).toMatchObject({ Rowid: '4' })
    expect((await service.send('MERGE', 'Sales(3L)', { Amount: '9' })).status).toBe(204)
    expect((await service.send('GET', 'Sales(3L)')).json).toMatchObject({ Region: 'north', Amount: '9' })
    expect((await service.send('DELETE', 'Sales(1L)')).status).toBe(204)
    expect((await service.send('GET', 'Sales/$count')).text).toBe('3')
    await service.stop()
  })

  it('MUST be a key that can be named, and not belong to views and tables without it', async () => {
    const db = await sqlite(`${sales}; create table plain (id integer primary key);
      create view totals as select region from sales`)
    const { model, get } = await introspectedService(db, { keys: { sales: ['rowid'] } })
    expect(outline(model)['Sales: Sale']?.[0]).toBe('*Rowid: Int64')
    expect(await get('/Sales(2L)')).toMatchObject({ d: { Region: 'south' } })
    await expect(introspect(db, { keys: { totals: ['rowid'] } })).rejects.toThrow("no column 'rowid'")
  })

  it('MUST be a key of virtual tables that can be named, and they are read-only', async () => {
    const db = await sqlite(`${sales}; create virtual table words using fts5(title, body);
      insert into words values ('b', 'two'), ('a', 'one'); create virtual table areas using rtree(id, low, high)`)
    const notices: string[] = []
    const { model, get } = await introspectedService(db, {
      keys: { words: ['rowid'] },
      onNotice: (notice) => notices.push(notice),
    })
    expect(notices).toEqual([
      "Skipped table 'areas': it has no key. Name its columns: keys: { 'areas': ['rowid'] }.",
    ])
    // Columns such as `rank` are hidden.
    expect(outline(model)['Words: Word']).toEqual(['*Rowid: Int64', 'Title: String?', 'Body: String?'])
    expect(model.defaultContainer.entitySet('Words')?.annotations.attributes).toHaveLength(3)
    expect(await get('/Words?$orderby=Title&$filter=length(Body) eq 3')).toMatchObject({
      d: [{ Rowid: '2' }, { Rowid: '1' }],
    })
  })
})

describe('Tables of PostgreSQL', () => {
  it('MUST be named at the start if they cannot be read', async () => {
    const db = await postgres(`create table rows (id integer); insert into rows values (0);
      create view shares as select 1 / id as id from rows`)
    await expect(openDatabase(db, { keys: { shares: ['id'] } })).rejects.toThrow(
      "'Shares' cannot be read: division by zero",
    )
  })

  it('MUST be skipped if rows of tables that inherit from them have the same key', async () => {
    const notices: string[] = []
    const db = await postgres(`
      create table cities (id integer primary key, name text);
      create table capitals (country text, primary key (id)) inherits (cities);
      create table animals (id integer primary key);
      create table cats (primary key (id)) inherits (animals);
      insert into cities values (1, 'Bonn');
      insert into capitals values (1, 'Berlin', 'DE');
      insert into animals values (1);
      insert into cats values (2)`)
    const model = await introspect(db, { onNotice: (notice) => notices.push(notice) })
    expect(Object.keys(outline(model))).toEqual(['Animals: Animal', 'Capitals: Capital', 'Cats: Cat'])
    expect(notices).toEqual([
      "Skipped table 'cities': rows of it, or of tables that inherit from it, have the same keys.",
    ])
    await expect(sqlProvider(model, db).ready()).resolves.toBeUndefined()
  })

  it('MUST be served without their partitions, except those that are selected without them', async () => {
    const db = await postgres(`
      create table events (id integer, at date, primary key (id, at)) partition by range (at);
      create table events_2024 partition of events for values from ('2024-01-01') to ('2025-01-01');
      create table events_2025 partition of events for values from ('2025-01-01') to ('2026-01-01');
      insert into events values (1, '2024-05-05'), (2, '2025-05-05')`)
    const { model, get } = await introspectedService(db)
    expect(Object.keys(outline(model))).toEqual(['Events: Event'])
    expect(await get('/Events')).toMatchObject({ d: [{ Id: 1 }, { Id: 2 }] })
    const part = await introspect(db, { tables: (name) => name === 'events_2024' })
    expect(Object.keys(outline(part))).toEqual(['Events2024s: Events2024'])
  })
})
