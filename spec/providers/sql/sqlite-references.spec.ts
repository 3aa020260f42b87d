import { TypedTable } from '../../support/sql/type-table/typed-table.js'
import { sqlite } from '../../support/sql/introspected.js'

afterAll(() => TypedTable.stopAll())

const open = async (key: string, reference: string): Promise<TypedTable> =>
  TypedTable.open(
    await sqlite(`
      pragma foreign_keys = on;
      create table groups (code ${key}, name text, primary key (code));
      create table things (id integer primary key, v ${reference} references groups(code), n int);
      create table owners (v ${reference} primary key references groups(code), n int);
      create table tags (id integer primary key, name text);
      create table group_tags (code ${reference} references groups(code), tag int references tags(id),
        primary key (code, tag));
      insert into groups values ('ABC', 'x'), ('DEF', 'y');
      insert into things values (1, 'abc', 1), (2, 'ABC', 1), (3, 'DEF', 1), (4, null, 1);
      insert into owners values ('aBC', 1);
      insert into tags values (7, 'red');
      insert into group_tags values ('abc', 7);`),
    [],
  )

describe('Foreign keys of SQLite', () => {
  it.each([
    ['text collate nocase', 'text'],
    ['text collate NOCASE', 'text collate nocase'],
    ['text collate nocase', 'text collate rtrim'],
  ])('MUST be compared with the collation of the key in both directions: %s, %s', async (key, reference) => {
    const table = await open(key, reference)
    const count = async (path: string): Promise<string> => (await table.send('GET', path)).text
    expect(await count("Groups('ABC')/Things/$count")).toBe('2')
    expect(await count("Groups('ABC')/$links/Things/$count")).toBe('2')
    const things = await table.rows('$expand=Things&$orderby=Code', 'Groups')
    expect(things.map(({ Things }) => (Things as { results: unknown[] }).results.length)).toEqual([2, 1])
    expect(await table.ids("$filter=Group/Name eq 'x'&$orderby=Id")).toEqual(['1', '2'])
    expect(await count('Things(1)/Group/Name/$value')).toBe('x')
    expect(await count("Groups('ABC')/Owner/N/$value")).toBe('1')
    expect((await table.rows('$filter=Owner/N eq 1', 'Groups')).length).toBe(1)
    expect(await count("Groups('ABC')/Tags/$count")).toBe('1')
    expect(await count('Tags(7)/Groups/$count')).toBe('1')
    expect(await table.refusal('POST', 'Things', { Id: 5, V: 'aBc' })).toBe('201 ')
    expect(await table.refusal('POST', 'Things', { Id: 6, V: 'nobody' })).toMatch(/^409/)
    // References of a deleted entity are removed.
    expect(await table.refusal('DELETE', "Groups('ABC')/$links/Tags(7)")).toBe('204 ')
    expect(await count("Groups('ABC')/Tags/$count")).toBe('0')
    expect(await table.refusal('DELETE', "Owners('aBC')")).toBe('204 ')
    expect(await table.refusal('DELETE', "Groups('ABC')")).toBe('204 ')
    expect(await table.values('$orderby=Id')).toEqual([null, null, 'DEF', null, null])
    expect(table.errors).toEqual([])
  })

  it('MUST be compared byte for byte where only the foreign key ignores case', async () => {
    const db = await sqlite(`
      create table groups (code text primary key, name text);
      create table things (id integer primary key, v text collate nocase references groups(code), n int);
      insert into groups values ('ABC', 'x'), ('abc', 'y');
      insert into things values (1, 'abc', 1), (2, 'ABC', 1);`)
    const table = await TypedTable.open(db, [])
    expect((await table.send('GET', "Groups('ABC')/Things/$count")).text).toBe('1')
    const things = await table.rows('$expand=Things&$orderby=Code', 'Groups')
    expect(things.map(({ Things }) => (Things as { results: unknown[] }).results.length)).toEqual([1, 1])
  })
})
