import { sql } from 'kysely'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'
import { TypedTable } from '../support/sql/type-table/typed-table.js'

let db: AnyDatabase

beforeEach(async () => {
  db = await openMysql()
})

afterEach(async () => {
  await TypedTable.stopAll()
  await db.destroy()
})

const script = (text: string): readonly string[] => [
  `create table groups (code ${text} primary key, name varchar(20))`,
  `create table things (id int primary key, v ${text}, n int, foreign key (v) references groups (code))`,
  `create table tags (code ${text} primary key)`,
  `create table thing_tags (thing_id int, tag ${text}, primary key (thing_id, tag),
    foreign key (thing_id) references things (id), foreign key (tag) references tags (code))`,
  "insert into groups values ('ALFKI', 'Alfreds'), ('BOLID', 'Bólido')",
  "insert into things values (1, 'alfki', 1), (2, 'Alfki ', 1), (3, 'BOLID', 1), (4, null, 1)",
  "insert into tags values ('RED')",
  "insert into thing_tags values (1, 'red')",
]

describe('Navigation on MySQL and MariaDB', () => {
  it.each(['varchar(10)', 'varchar(10) character set latin1', 'varchar(10) collate utf8mb4_unicode_ci'])(
    'MUST follow foreign keys as the database compares them: %s',
    async (text) => {
      const table = await TypedTable.open(db, script(text))
      const groups = (await table.rows('$orderby=Id&$expand=Group')).map(
        ({ Group }) => (Group as { Name?: string } | null)?.Name,
      )
      expect(groups).toEqual(['Alfreds', 'Alfreds', 'Bólido', undefined])
      expect(await table.ids("$filter=Group/Name eq 'Alfreds'&$orderby=Id")).toEqual([1, 2])
      expect(await table.ids('$orderby=Group/Name desc,Id desc')).toEqual([3, 2, 1, 4])
      const things = JSON.parse((await table.send('GET', 'Groups?$expand=Things&$format=json')).text) as {
        d: { results: { Things: { results: unknown[] } }[] }
      }
      expect(things.d.results.map(({ Things }) => Things.results.length)).toEqual([2, 1])
      expect((await table.send('GET', "Groups('ALFKI')/Things/$count")).text).toBe('2')
      expect((await table.send('GET', 'Things(2)/Group/Name/$value')).text).toBe('Alfreds')
      expect((await table.send('GET', 'Things(1)/Tags/$count')).text).toBe('1')
      expect((await table.send('GET', "Tags('RED')/Things/$count")).text).toBe('1')
      // Stored as sent.
      expect(await table.refusal('POST', 'Things', { Id: 5, V: 'bolid' })).toBe('201 ')
      expect(await table.refusal('MERGE', 'Things(3)', { V: 'alFKI' })).toBe('204 ')
      expect(await table.refusal('MERGE', 'Things(3)', { V: 'nobody' })).toMatch(/^409/)
      expect(await table.refusal('POST', 'Things', { Id: 6, V: 'nobody' })).toMatch(/^409/)
      expect(await table.values('$orderby=Id')).toEqual(['alfki', 'Alfki ', 'alFKI', null, 'bolid'])
      // Links and foreign keys of a deleted entity are removed.
      expect((await table.send('DELETE', "Tags('RED')")).status).toBe(204)
      expect((await table.send('DELETE', "Groups('ALFKI')")).status).toBe(204)
      expect(await table.values('$orderby=Id')).toEqual([null, null, null, null, 'bolid'])
      // Keys are compared exactly.
      expect((await table.send('GET', "Groups('bolid')")).status).toBe(404)
      expect((await table.send('GET', "Groups('%F0%9F%98%80')")).status).toBe(404)
      expect(await table.ids("$filter=V eq 'bolid'")).toEqual([5])
      expect(await table.ids("$filter=V eq '😀'")).toEqual([])
      expect(table.errors).toEqual([])
    },
  )

  it('MUST find keys of bits and small numbers', async () => {
    const table = await TypedTable.open(db, [
      'create table flags (k bit(12) primary key, name varchar(9))',
      'create table things (id tinyint(1) primary key, v bit(12), foreign key (v) references flags (k))',
      "insert into flags values (b'101', 'five')",
      "insert into things values (1, b'101'), (2, null)",
    ])
    expect(await table.ids('$orderby=Id')).toEqual([1, 2])
    expect(JSON.parse((await table.send('GET', "Flags(X'0005')")).text)).toMatchObject({
      d: { Name: 'five' },
    })
    expect((await table.send('GET', "Flags(X'0005')/Things/$count")).text).toBe('1')
    expect((await table.send('GET', 'Things(1)/Flag/Name/$value')).text).toBe('five')
    expect((await table.send('MERGE', 'Things(2)', { V: 'AAU=' })).status).toBe(204)
    expect((await table.send('GET', "Flags(X'0005')/Things/$count")).text).toBe('2')
    expect(await table.refusal('POST', 'Flags', { K: 'AAY=', Name: 'six' })).toBe('201 ')
    expect((await table.send('DELETE', "Flags(X'0006')")).status).toBe(204)
    const { rows } = await sql`select k + 0 as n from flags`.execute(db)
    expect(rows).toEqual([{ n: 5 }])
  })

  it('MUST have Boolean default values of bits', async () => {
    const table = await TypedTable.open(db, [
      "create table things (id int primary key, v bit(1) not null default b'1', n int)",
    ])
    expect(await table.refusal('POST', 'Things', { Id: 1 })).toBe('201 ')
    expect(await table.values()).toEqual([true])
    expect(table.model.defaultContainer.entitySets[0]?.entityType.property('V')?.defaultValue).toBe('true')
  })
})
