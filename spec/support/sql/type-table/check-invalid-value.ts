import { sql } from 'kysely'
import type { AnyDatabase, DatabaseKind } from '../model-tables.js'
import { int32 } from './check-column-type.js'
import { TypedTable } from './typed-table.js'

/** A value that a column can store, but that is invalid for the type of its property. */
interface InvalidValueRow {
  readonly column: string
  /** The invalid value in SQL, and in the error. */
  readonly value: string
  readonly shown: string
  readonly edm: string
  /** A valid value in SQL, and in JSON. */
  readonly valid: readonly [sql: string, json: unknown]
}

function tables(kind: DatabaseKind, { column, value, valid: [valid] }: InvalidValueRow): readonly string[] {
  return [
    `create table things (id ${int32[kind]} primary key, v ${column} not null, name varchar(9), parent_id ${int32[kind]}, foreign key (parent_id) references things (id))`,
    `create table moments (v ${column} primary key)`,
    `insert into things values (1, ${value}, 'a', null), (2, ${valid}, 'b', 1)`,
    `insert into moments values (${value}), (${valid})`,
  ]
}

/** Checks that a page with an invalid value is an error that names the property, the key, the value and the reason. */
export async function checkInvalidValue(
  db: AnyDatabase,
  kind: DatabaseKind,
  row: InvalidValueRow,
): Promise<void> {
  const table = await TypedTable.open(db, tables(kind, row))
  for (const path of [
    'Things',
    'Things(1)',
    'Things(1)/V',
    'Things(1)/V/$value',
    'Things(2)/Parent',
    'Things(2)?$expand=Parent',
    'Things?$format=csv',
    'Things?$filter=length(Name)%20eq%201',
  ]) {
    const before = table.errors.length
    const { status } = await table.send('GET', path).catch(() => ({ status: 200 }))
    // The header of a file may have been sent.
    if (!path.endsWith('csv')) expect([path, status]).toEqual([path, 500])
    expect([path, table.errors.length]).toEqual([path, before + 1])
    for (const part of ["Things(1), property 'V': ", row.shown, `Edm.${row.edm}`, "invalidValues: 'null'"])
      expect([path, table.errors.at(-1)]).toEqual([path, expect.stringContaining(part)])
  }
}

/** Checks that an invalid value is null on every path with the option. */
export async function checkInvalidAsNull(
  db: AnyDatabase,
  kind: DatabaseKind,
  row: InvalidValueRow,
): Promise<void> {
  const [, valid] = row.valid
  const table = await TypedTable.open(db, tables(kind, row), { invalidValues: 'null' })
  expect(table.notices).toEqual([
    "'Moments': 1 row has null or an invalid value in the key and cannot be served.",
  ])
  expect(await table.values('$orderby=Id')).toEqual([null, valid])
  expect(table.notices.slice(1)).toEqual(["Things(1): the value of 'V' is invalid and served as null."])
  expect(await table.values('$orderby=V')).toEqual([null, valid])
  expect(await table.values('$orderby=V desc&$top=1')).toEqual([valid])
  for (const [filter, ids] of Object.entries({
    'V eq null': [1],
    'V ne null': [2],
    'Parent/V eq null and Parent/Id eq 1': [2],
    'V eq null and length(Name) eq 1': [1],
    "V ne null and indexof(Name, 'b') eq 0": [2],
  })) {
    expect([filter, await table.ids(`$filter=${filter}`)]).toEqual([filter, ids])
  }
  expect(await table.rows('$filter=Id eq 2&$expand=Parent')).toMatchObject([{ Parent: { Id: 1, V: null } }])
  expect((await table.send('GET', 'Things(1)')).status).toBe(200)
  expect((await table.send('GET', 'Things(1)/V/$value')).status).toBe(404)
  expect((await table.send('GET', 'Things(2)/Parent/V')).text).toBe('{"d":{"V":null}}')
  expect((await table.send('GET', 'Things?$format=csv')).text.split('\r\n')[1]).toMatch(/^1,,a,/)
  expect((await table.send('GET', 'Moments/$count')).text).toBe('1')
  const { text } = await table.send('GET', 'Moments')
  expect((JSON.parse(text) as { d: { results: unknown[] } }).d.results).toHaveLength(1)
  // Other changes leave the value, and clients can repair it.
  expect(await table.refusal('MERGE', 'Things(1)', { Name: 'c' })).toBe('204 ')
  const { rows } = await sql
    .raw<{ n: unknown }>(`select count(*) as n from things where v = ${row.value}`)
    .execute(db)
  expect(Number(rows[0]?.n)).toBe(1)
  expect(await table.refusal('MERGE', 'Things(1)', { V: valid })).toBe('204 ')
  expect(await table.values('$orderby=Id')).toEqual([valid, valid])
  expect((await table.send('DELETE', 'Things(2)')).status).toBe(204)
  expect(table.errors).toEqual([])
}
