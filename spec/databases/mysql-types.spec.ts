import type { AnyDatabase } from '../support/sql/model-tables.js'
import { isMariaDb } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'
import type { ColumnTypeRow } from '../support/sql/type-table.js'
import { checkType, TypedTable } from '../support/sql/type-table.js'

let db: AnyDatabase

beforeEach(async () => {
  db = await openMysql()
})

afterEach(async () => {
  await TypedTable.stopAll()
  await db.destroy()
})

const wellKnownText =
  "it must be well-known text such as 'POINT(8.64 49.29)' or 'SRID=4326;POINT(8.64 49.29)'"

const types: readonly ColumnTypeRow[] = [
  {
    column: 'tinyint(1)',
    edm: 'Boolean',
    values: [
      ['2', true],
      ['0', false],
      ['-1', true],
      ['1', true],
    ],
    filter: 'V eq true and (Id eq 1 or Id eq 100)',
    isAmbiguous: true,
  },
  {
    column: 'tinyint',
    edm: 'SByte',
    values: [
      ['2', 2],
      ['-128', -128],
    ],
    filter: 'V eq 2',
  },
  {
    column: 'bit(1)',
    edm: 'Boolean',
    values: [
      ["b'1'", true],
      ["b'0'", false],
    ],
    filter: 'V eq true',
  },
  {
    column: 'bit(12)',
    edm: 'Binary',
    values: [
      ["b'101'", 'AAU='],
      ["b'111111111111'", 'D/8='],
    ],
    filter: "V eq X'0005'",
    refused: { '//8=': 'it is longer than 12 bits' },
  },
  {
    column: 'year',
    edm: 'Int16',
    values: [
      ['1901', 1901],
      ["'0000'", 0],
    ],
    filter: 'V eq 1901',
  },
  {
    column: "enum('sad','it''s','1')",
    edm: 'String',
    values: [
      ["'it''s'", "it's"],
      ["'1'", '1'],
    ],
    refused: { '2': "it must be one of 'sad', 'it's', '1'", SAD: "it must be one of 'sad', 'it's', '1'" },
  },
  {
    column: "set('a','b','c')",
    edm: 'String',
    values: [
      ["'b,a'", 'a,b'],
      ["''", ''],
      ["'c'", 'c'],
    ],
    refused: { '3': "'3' must be a list, without blanks, of 'a', 'b', 'c'" },
  },
  {
    column: 'json',
    edm: 'String',
    values: [
      ['\'{"a": [1, 2]}\'', '{"a": [1, 2]}'],
      ["'null'", 'null'],
    ],
    refused: { '{x': 'it is not valid JSON' },
  },
  {
    column: "varchar(10) check (v in ('open', 'closed'))",
    edm: 'String',
    values: [
      ["'open'", 'open'],
      ["'closed'", 'closed'],
    ],
    refused: { ajar: "it must be one of 'open', 'closed'" },
  },
  {
    column: 'geometry',
    edm: 'String',
    values: [
      ['point(0.1, 1e300)', 'POINT(0.1 1e300)'],
      ["st_geomfromtext('POINT(8.64 49.29)', 4326)", 'SRID=4326;POINT(8.64 49.29)'],
      [
        "st_geomfromtext('GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(0 0,1 1))')",
        'GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(0 0,1 1))',
      ],
      ['point(cast(1 as double) / 3, -5e-324)', 'POINT(0.3333333333333333 -5e-324)'],
    ],
    refused: {
      nonsense: wellKnownText,
      'POINT(1)': "the database does not accept the value as 'geometry'",
      'POLYGON((0 0,1 1))': "the database does not accept the value as 'geometry'",
      "POINT(1 2)'); drop table things; --": wellKnownText,
    },
  },
  {
    column: 'point',
    edm: 'String',
    values: [['point(1, 2)', 'POINT(1 2)']],
    refused: { 'LINESTRING(0 0,1 1)': "the database does not accept the value as 'point'" },
  },
]

/** Types of MariaDB. */
const mariaDbTypes: readonly ColumnTypeRow[] = [
  {
    column: 'inet6',
    edm: 'String',
    values: [
      ["'::1'", '::1'],
      ["'2001:db8::ff'", '2001:db8::ff'],
    ],
    refused: { nowhere: "the database does not accept the value as 'inet6'" },
  },
  {
    column: 'uuid',
    edm: 'Guid',
    values: [["'0f8fad5b-d9cb-469f-a165-70867728950e'", '0f8fad5b-d9cb-469f-a165-70867728950e']],
    filter: "V eq guid'0F8FAD5B-D9CB-469F-A165-70867728950E'",
  },
]

const titled = (rows: readonly ColumnTypeRow[]) => rows.map((row) => [row.column, row] as const)

describe('A column of MySQL or MariaDB', () => {
  it.each(titled(types))('MUST keep its values when clients send them back: %s', (_, row) =>
    checkType(db, row, 'hex(v)'),
  )

  it.each(titled(mariaDbTypes))('MUST keep its values when clients send them back: %s', async (_, row) => {
    if (await isMariaDb(db)) await checkType(db, row, 'hex(v)')
  })

  it('MUST refuse years that the database stores as others', async () => {
    const table = await TypedTable.ofRow(db, { column: 'year', edm: 'Int16', values: [['1901', 1901]] })
    expect(await table.refusal('MERGE', 'Things(1)', { V: 1 })).toBe(
      "400 Property 'V': the year must be 0, or from 1901 to 2155.",
    )
  })
})

describe('A Boolean of MySQL or MariaDB', () => {
  it('MUST be true for every number but 0, on every path', async () => {
    const table = await TypedTable.open(db, [
      'create table parents (id int primary key, v tinyint(1))',
      'create table things (id int primary key, v tinyint(1), w bit(1), parent_id int, n int, foreign key (parent_id) references parents (id))',
      'insert into parents values (1, 2), (2, 0)',
      "insert into things values (1, 2, b'1', 1, 1), (2, 0, b'0', 2, 1), (3, -1, null, null, 1), (4, null, b'0', 1, 1), (5, 1, b'1', 1, 1)",
    ])
    expect(await table.values('$orderby=Id')).toEqual([true, false, true, null, true])
    for (const [filter, ids] of Object.entries({
      'V eq true': [1, 3, 5],
      'true eq V': [1, 3, 5],
      V: [1, 3, 5],
      'not V': [2],
      'V eq false': [2],
      'V ne true': [2, 4],
      'V ne false': [1, 3, 4, 5],
      'V eq W': [1, 2, 5],
      'W eq true': [1, 5],
      W: [1, 5],
      'V and W': [1, 5],
      'V eq (W or V)': [1, 2, 3, 4, 5],
      'Parent/V eq true': [1, 4, 5],
      'Parent/V eq V': [1, 2, 5],
      "V eq true and concat('a', 'b') eq 'ab'": [1, 3, 5],
      "V eq true and length('a') eq 1": [1, 3, 5],
    })) {
      expect([filter, await table.ids(`$filter=${filter}&$orderby=Id`)]).toEqual([filter, ids])
    }
    expect(await table.ids('$orderby=V desc,Id')).toEqual([1, 3, 5, 2, 4])
    expect(await table.send('GET', 'Things(1)/V/$value')).toMatchObject({ text: 'true' })
    expect(await table.send('GET', 'Things(3)/W/$value')).toMatchObject({ status: 404 })
  })
})
