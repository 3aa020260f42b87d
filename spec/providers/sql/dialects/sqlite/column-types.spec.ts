import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { isNumeric } from '../../../../../lib/edm/primitive-types/primitive-type-name.js'
import type { ColumnFacts } from '../../../../../lib/providers/sql/column.js'
import {
  fitsSqlite,
  sqliteColumnType,
} from '../../../../../lib/providers/sql/dialects/sqlite/column-types.js'
import { introspect } from '../../../../../lib/sql.js'
import { SqlServer } from '../../../../support/sql/databases.js'
import { introspectedService, outline, sqlite, useDatabases } from '../../../../support/sql/introspected.js'
import type { AnyDatabase } from '../../../../support/sql/model-tables.js'
import { fc, runs } from '../../../../support/random.js'

useDatabases()

const words =
  'int integer tiny big text blob char clob varchar real floa double boolean bit date time datetime stamp guid uuid decimal numeric json jsonb binary image money string point interval any serial'
const declared = fc
  .array(fc.constantFrom(...words.split(' ')), { minLength: 1, maxLength: 3 })
  .chain((parts) => fc.constantFrom(parts.join(''), parts.join(' ')))

const factsOf = (dataType: string): ColumnFacts => ({
  dataType,
  nullable: true,
  ordinal: true,
  hasDefault: false,
  isGenerated: false,
  isIdentity: false,
  typeArguments: [],
  defaultText: undefined,
  comment: undefined,
})

describe('The type of a column of SQLite', () => {
  it('MUST fit the column, whatever its declared type is', () => {
    fc.assert(
      fc.property(declared, (dataType) => {
        const facts = factsOf(dataType)
        expect([dataType, fitsSqlite(sqliteColumnType(facts).type, facts)]).toEqual([dataType, true])
      }),
      { numRuns: runs(2000) },
    )
  })

  it('MUST be numeric only if SQLite stores digits as numbers, and a string only if it can store it', () => {
    const database = new SQLite(':memory:')
    fc.assert(
      fc.property(declared, (dataType) => {
        database.exec(`drop table if exists t; create table t (c ${dataType}); insert into t values ('12')`)
        const { stored } = database.prepare('select typeof(c) as stored from t').get() as { stored: string }
        const { type } = sqliteColumnType(factsOf(dataType))
        if (isNumeric(type) && type !== 'Edm.Decimal')
          expect([dataType, stored]).not.toEqual([dataType, 'text'])
      }),
      { numRuns: runs(500) },
    )
    database.close()
  })

  it.each([
    ['varbinary(9)', 'Binary(9)'],
    ['textblob', 'String'],
    ['boolean text', 'String'],
    ['date_blob', 'Binary'],
    ['bit(8)', 'Int64'],
    ['tinyint(1)', 'Boolean'],
    ['tinyint', 'Int16'],
    ['floating point', 'Double'],
    ['interval', 'String'],
    ['datetime double', 'Double'],
    ['jsonb', 'String'],
    ['decimal(10,2)', 'Decimal(10,2)'],
    ['uuid', 'Guid'],
  ])('MUST follow the affinity of %s: %s', async (dataType, type) => {
    const model = await introspect(await sqlite(`create table t (id integer primary key, c ${dataType})`))
    expect(outline(model)['Ts: T']?.[1]).toBe(`C: ${type}?`)
  })

  it.each([
    ['point', "x'0001'", 'Binary'],
    ['date', "'12/31/2020'", 'String'],
    ['boolean', "'t'", 'String'],
    ['boolean', '7', 'Int64'],
    ['smallint', '70000', 'Int64'],
    ['uuid', "x'0f8fad5bd9cb469fa16570867728950e'", 'Binary'],
    ['datetime', '1700000000', 'Int64'],
    ['datetime', '1700000000000', 'DateTime'],
    ['blob', "'{}'", 'String'],
  ])('MUST be one that the values have, if no value of %s is like %s', async (dataType, value, type) => {
    const db = await sqlite(
      `create table t (id integer primary key, c ${dataType}); insert into t values (1, ${value})`,
    )
    const { model, get } = await introspectedService(db)
    expect(outline(model)['Ts: T']?.[1]).toBe(`C: ${type}?`)
    expect((await get('/Ts')).status).toBe(200)
  })
})

describe('A table that SQLite cannot read', () => {
  it('MUST be skipped with a notice, and not prevent others from being served', async () => {
    const notices: string[] = []
    const db = await sqlite(`
      create table good (id integer primary key, c textblob);
      create table dropped (id integer primary key);
      create view bad as select id from dropped;
      create view worse as select unknown_function(id) as id from good;
      drop table dropped`)
    const model = await introspect(db, { onNotice: (notice) => notices.push(notice) })
    await expect(introspect(db, { keys: { bad: ['id'] } })).rejects.toThrow("'bad' cannot be read (no such")
    expect(Object.keys(outline(model))).toEqual(['Goods: Good'])
    expect(notices).toEqual([
      expect.stringMatching(/^Skipped 'bad': it cannot be read \(.*no such table: main.dropped\)\.$/),
      expect.stringMatching(/^Skipped 'worse': it cannot be read \(no such function: unknown_function\)\.$/),
    ])
  })

  it('MUST be skipped if it is virtual and its module is missing', async () => {
    const database = new SQLite(':memory:').unsafeMode()
    database.exec(`create table good (id integer primary key);
      pragma writable_schema = on;
      insert into sqlite_master values ('table', 'words', 'words', 0, 'create virtual table words using missing(a)');
      pragma writable_schema = reset`)
    const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database }) })
    const notices: string[] = []
    const model = await introspect(db, { onNotice: (notice) => notices.push(notice) })
    expect(Object.keys(outline(model))).toEqual(['Goods: Good'])
    expect(notices).toEqual([expect.stringContaining('no such module: missing')])
    await db.destroy()
  })
})

describe('Columns of SQLite without type', () => {
  it('MUST be served when they hold numbers, strings and bytes, in tables and views', async () => {
    const db = await sqlite(`
      create table mixed (id integer primary key, a, b, c any, d text);
      insert into mixed values (1, 'x', x'00', 1, '5'), (2, 7, 'y', 1.5, 'z'), (3, 0.1, 5, 2, null);
      create view both as select id, a as x, d as y from mixed union all select id + 10, d, id from mixed`)
    const { model, get } = await introspectedService(db, { keys: { both: ['id'] } })
    expect(outline(model)).toEqual({
      'Mixeds: Mixed': ['*Id: Int64', 'A: String?', 'B: Binary?', 'C: Double?', 'D: String?'],
      'Boths: Both': ['*Id: Int64', 'X: String?', 'Y: String?'],
    })
    expect(await get('/Mixeds')).toMatchObject({
      d: [
        { A: 'x', B: 'AA==', C: '1', D: '5' },
        { A: '7', B: 'eQ==', C: '1.5' },
        { A: '0.1', B: 'NQ==' },
      ],
    })
    expect(await get("/Mixeds?$filter=A eq '7'")).toMatchObject({ d: [{ Id: '2' }] })
    expect(await get("/Mixeds?$filter=B eq X'79'")).toMatchObject({ d: [{ Id: '2' }] })
    expect(await get('/Mixeds?$orderby=A desc&$top=1')).toMatchObject({ d: [{ A: 'x' }] })
    expect(await get("/Boths?$filter=Y eq '2'")).toMatchObject({ d: [{ Id: '12' }] })
  })

  it('MUST find keys that are numbers and strings', async () => {
    const db = await sqlite(`
      create table kv (key primary key, value);
      insert into kv values (7, 'number'), ('07', 'string'), ('a', 1), (2.5, null)`)
    const { get } = await introspectedService(db)
    expect(await get("/Kvs('7')")).toMatchObject({ d: { Value: 'number' } })
    expect(await get("/Kvs('07')")).toMatchObject({ d: { Value: 'string' } })
    expect(await get("/Kvs('2.5')")).toMatchObject({ d: { Value: null } })
    expect(await get("/Kvs('7.0')")).toMatchObject({ status: 404 })
  })

  it('MUST have the type of the values at both ends of a table', async () => {
    const db = await sqlite(`
      create table late (id integer primary key, c);
      with n(i) as (select 1 union all select i + 1 from n where i < 2000) insert into late select i, i from n;
      insert into late values (5000, 'x')`)
    const { get } = await introspectedService(db)
    expect(await get('/Lates?$filter=Id ge 2000')).toMatchObject({ d: [{ C: '2000' }, { C: 'x' }] })
  })
})

describe('JSON in the binary format of SQLite', () => {
  const script = `
    create table docs (id integer primary key, doc jsonb, other json);
    insert into docs values (1, jsonb('{"a":[1,2.50]}'), '{"b": 1}'), (2, jsonb('"x"'), '5'), (3, null, null)`

  it('MUST be shown as text, filtered, and written in the same format', async () => {
    const db = await sqlite(script)
    const service = await SqlServer.start(await introspect(db), db)
    expect((await service.send('GET', 'Docs')).json.results).toMatchObject([
      { Doc: '{"a":[1,2.50]}', Other: '{"b": 1}' },
      { Doc: '"x"', Other: '5' },
      { Doc: null },
    ])
    const filter = encodeURIComponent(`Doc eq '{"a":[1,2.50]}'`)
    expect((await service.send('GET', `Docs?$filter=${filter}`)).json.results).toMatchObject([{ Id: '1' }])
    expect((await service.send('MERGE', 'Docs(2L)', { Doc: '{"c": null}' })).status).toBe(204)
    expect((await service.send('POST', 'Docs', { Id: '9', Doc: '[1]' })).json).toMatchObject({ Doc: '[1]' })
    const rows = await db.selectFrom('docs').select(['id', 'doc']).execute()
    expect(rows.map(({ doc }) => Buffer.isBuffer(doc))).toEqual([true, true, false, true])
    expect((await service.send('GET', 'Docs(2L)')).json).toMatchObject({ Doc: '{"c":null}' })
    await service.stop()
  })

  it('MUST respond with 400 to strings that are not JSON', async () => {
    const db = await sqlite(script)
    const service = await SqlServer.start(await introspect(db), db)
    expect((await service.send('MERGE', 'Docs(1L)', { Doc: '{' })).status).toBe(400)
    expect((await service.send('POST', 'Docs', { Doc: 'x' })).status).toBe(400)
    await service.stop()
  })
})
