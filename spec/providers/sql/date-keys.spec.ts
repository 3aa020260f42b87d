import SQLite from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { introspect } from '../../../lib/providers/sql/introspection/introspect.js'
import { SqlServer } from '../../support/sql/databases.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'

async function open(
  statements: readonly string[],
  log: (statement: string) => unknown = () => undefined,
): Promise<{ db: AnyDatabase; service: SqlServer }> {
  const database = new SQLite(':memory:', { verbose: (text) => log(String(text)) })
  const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database }) })
  for (const statement of statements) await sql.raw(statement).execute(db)
  return { db, service: await SqlServer.start(await introspect(db), db) }
}

/** Keys of SQLite whose values have several forms, as other programs write them. */
const keys: readonly (readonly [type: string, ...stored: readonly string[]])[] = [
  ['date', '2023-01-01', '2023-01-01 00:00:00', '2023-01-01T00:00:00.000'],
  ['datetime', '2023-01-01 10:20:00', '2023-01-01T10:20', '2023-01-01 10:20:00.000Z', '2023-01-01'],
  ['timestamp with time zone', '2023-01-01 10:20:30+00:00', '2023-01-01T10:20:30Z'],
  ['time', '10:20', '10:20:00', '10:20:30.5', '23:59:59.0000000'],
  ['guid', '0F8FAD5B-D9CB-469F-A165-70867728950E', '0f8fad5b-d9cb-469f-a165-70867728950e'],
]
const cases = keys.flatMap(([type, ...stored]) => stored.map((text) => ({ type, text })))

describe('A key of SQLite', () => {
  let db: AnyDatabase
  let service: SqlServer

  afterEach(async () => {
    await service.stop()
    await db.destroy()
  })

  it.each(cases)('of type $type that is stored as $text MUST be found, changed and deleted', async (one) => {
    const { type, text } = one
    ;({ db, service } = await open([
      `create table prices (product integer, since ${type}, amount integer, primary key (product, since))`,
      `create table notes (id integer primary key, product integer, since ${type}, text text,
         foreign key (product, since) references prices (product, since))`,
      `insert into prices values (7, '${text}', 1), (8, '${text}', 2)`,
      `insert into notes values (1, 7, '${text}', 'a')`,
    ]))
    const feed = (await service.send('GET', 'Prices?$orderby=Product')).json.results as Record<
      string,
      unknown
    >[]
    const { uri } = feed[0]?.__metadata as { readonly uri: string }
    const path = uri.slice(uri.indexOf('/s/') + 3)
    expect((await service.send('GET', path)).json).toMatchObject({ Amount: '1' })
    expect((await service.send('GET', `${path}/Notes`)).json.results).toHaveLength(1)
    expect((await service.send('GET', 'Notes(1L)/Price')).json).toMatchObject({ Amount: '1' })
    expect((await service.send('MERGE', path, { Amount: '5' })).status).toBe(204)
    const { Product, Since } = feed[0] ?? {}
    expect(await service.refusal('POST', 'Prices', { Product, Since, Amount: '9' })).toEqual([
      409,
      expect.stringContaining('already exists'),
    ])
    const note = { Id: '2', Product, Since, Text: 'b' }
    expect((await service.send('POST', 'Notes', note)).status).toBe(201)
    const count = await service.send('GET', `${path}/Notes/$count`, undefined, { Accept: 'text/plain' })
    expect(count.text).toBe('2')
    expect((await service.refusal('DELETE', path))[0]).toBe(204)
    expect((await service.send('GET', 'Prices')).json.results).toHaveLength(1)
  })

  it('MUST be sorted, paged and filtered as a guid in upper case too', async () => {
    const guids = ['A', 'b', '1', 'C', 'd'].map((letter) => `${letter.repeat(8)}-0000-0000-0000-000000000000`)
    ;({ db, service } = await open([
      'create table things (id guid primary key)',
      ...guids.map((guid) => `insert into things values ('${guid.toUpperCase()}')`),
    ]))
    const ids = async (query: string): Promise<unknown> => {
      const { results } = (await service.send('GET', `Things?${query}`)).json
      return (results as { readonly Id: string }[]).map(({ Id }) => Id.charAt(0).toLowerCase())
    }
    expect(await ids('$orderby=Id')).toEqual(['1', 'a', 'b', 'c', 'd'])
    expect(await ids("$skiptoken=guid'bbbbbbbb-0000-0000-0000-000000000000'")).toEqual(['c', 'd'])
    for (const operator of ['eq', 'ge']) {
      const filter = `Id ${operator} guid'dddddddd-0000-0000-0000-000000000000'`
      expect(await ids(`$filter=${encodeURIComponent(filter)}`)).toEqual(['d'])
    }
  })

  it('MUST be looked up by an index', async () => {
    const statements: string[] = []
    ;({ db, service } = await open(
      [
        'create table days (day date primary key, guid uuid unique not null)',
        'create table others (guid uuid primary key, day date references days (day))',
      ],
      (statement) => statements.push(statement),
    ))
    statements.length = 0
    for (const path of [
      "Days(datetime'2023-01-01T00:00:00')",
      "Days(datetime'2023-01-01T00:00:00')/Others",
      "Others(guid'0f8fad5b-d9cb-469f-a165-70867728950e')",
    ]) {
      await service.send('GET', path)
    }
    expect(statements.length).toBeGreaterThanOrEqual(2)
    for (const statement of statements.slice()) {
      const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(statement)}`.execute(db)
      expect(rows[0]?.detail).toMatch(/^SEARCH/)
    }
  })
})

describe('A date that is written to SQLite', () => {
  it.each([
    ['date', [], '2023-05-06T00:00:00', '2023-05-06'],
    ['date', ['2023-01-01T00:00:00'], '2023-05-06T00:00:00', '2023-05-06T00:00:00'],
    ['date', [], '2023-05-06T07:08:09', '2023-05-06T07:08:09'],
    ['datetime', [], '2023-05-06T07:08:09', '2023-05-06T07:08:09'],
    ['datetime', ['2023-01-01 10:20:30'], '2023-05-06T07:08:09', '2023-05-06 07:08:09'],
    ['datetime', ['2023-01-01 10:20:30'], '2023-05-06T07:08:09.25', '2023-05-06 07:08:09.25'],
    ['datetime', ['2023-01-01T10:20:30.000Z'], '2023-05-06T07:08:09', '2023-05-06T07:08:09.000Z'],
    ['datetime', ['2023-01-01', '2023-01-02', '2023-01-02 10:00'], '2023-05-06T00:00:00', '2023-05-06'],
    ['datetime', ['2023-01-01 10:00'], '2023-05-06T07:08:00', '2023-05-06 07:08'],
    ['timestamptz', ['2023-01-01 10:00:00+00:00'], '2023-05-06T07:08:09Z', '2023-05-06 07:08:09+00:00'],
    ['time', ['10:00'], 'PT7H8M', '07:08'],
    ['time', [], 'PT7H8M', '07:08:00'],
  ])('MUST have the form of its column: %s with %j', async (type, stored, given, written) => {
    const { db, service } = await open([
      `create table things (id integer primary key, at ${type})`,
      ...stored.map((text) => `insert into things (at) values ('${text}')`),
    ])
    expect((await service.send('POST', 'Things', { Id: '77', At: given })).status).toBe(201)
    const { rows } = await sql<{ at: string }>`select at from things where id = 77`.execute(db)
    expect(rows).toEqual([{ at: written }])
    await service.stop()
    await db.destroy()
  })
})
