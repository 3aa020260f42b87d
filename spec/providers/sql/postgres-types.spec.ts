import { sql } from 'kysely'
import { readEdmx } from '../../../lib/csdl/read-edmx.js'
import { writeEdmx } from '../../../lib/csdl/write-edmx.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import type { ColumnTypeRow } from '../../support/sql/type-table.js'
import { checkType, TypedTable } from '../../support/sql/type-table.js'

let server: PostgresServer
let db: AnyDatabase

beforeAll(async () => {
  server = PostgresServer.shared()
  db = await server.open()
})

afterEach(async () => {
  await TypedTable.stopAll()
  await sql.raw('drop table if exists things, others cascade').execute(db)
})

afterAll(() => server.stop())

const as = (type: string): string => `the database does not accept the value as '${type}'`
const isJson = 'it is not valid JSON'

const types: readonly ColumnTypeRow[] = [
  { column: 'point', edm: 'String', values: [["'(1.5,-2)'", '(1.5,-2)']], refused: { x: as('point') } },
  { column: 'box', edm: 'String', values: [["'((3,4),(1,2))'", '(3,4),(1,2)']], refused: { x: as('box') } },
  { column: 'line', edm: 'String', values: [["'{1,2,3}'", '{1,2,3}']], refused: { x: as('line') } },
  { column: 'lseg', edm: 'String', values: [["'[(0,0),(1,1)]'", '[(0,0),(1,1)]']] },
  {
    column: 'path',
    edm: 'String',
    values: [
      ["'[(0,0),(1,1)]'", '[(0,0),(1,1)]'],
      ["'((0,0),(1,1))'", '((0,0),(1,1))'],
    ],
  },
  { column: 'polygon', edm: 'String', values: [["'((0,0),(1,1),(1,0))'", '((0,0),(1,1),(1,0))']] },
  { column: 'circle', edm: 'String', values: [["'<(0.1,0.2),3>'", '<(0.1,0.2),3>']] },
  {
    column: 'inet',
    edm: 'String',
    values: [
      ["'10.0.0.1/8'", '10.0.0.1/8'],
      ["'::1'", '::1'],
    ],
    refused: { nowhere: as('inet') },
  },
  {
    column: 'cidr',
    edm: 'String',
    values: [["'10.0.0.0/8'", '10.0.0.0/8']],
    refused: { '10.0.0.1/8': as('cidr') },
  },
  { column: 'macaddr', edm: 'String', values: [["'08:00:2b:01:02:03'", '08:00:2b:01:02:03']] },
  { column: 'tsvector', edm: 'String', values: [["'fat:2 cat:3'", "'cat':3 'fat':2"]] },
  {
    column: 'tsquery',
    edm: 'String',
    values: [["'fat & !cat'", "'fat' & !'cat'"]],
    filter: "substringof('fat', V)",
    refused: { 'a &': as('tsquery') },
  },
  {
    column: 'xml',
    edm: 'String',
    values: [['\'<a b="1">x</a>\'', '<a b="1">x</a>']],
    refused: { '<a>': as('xml') },
  },
  { column: 'json', edm: 'String', values: [['\'{"a":  1}\'', '{"a":  1}']], refused: { '{x': isJson } },
  { column: 'jsonb', edm: 'String', values: [['\'{"a":1.50}\'', '{"a": 1.50}']], refused: { '{x': isJson } },
  {
    column: 'money',
    edm: 'String',
    values: [
      ["'1234.5'", '$1,234.50'],
      ["'-0.01'", '-$0.01'],
    ],
    refused: { x: as('money') },
  },
  {
    column: 'interval',
    edm: 'String',
    values: [["'1 mon -3 days 04:05:06.789'", '1 mon -3 days +04:05:06.789']],
    refused: { x: as('interval') },
  },
  {
    column: 'int4range',
    edm: 'String',
    values: [
      ["'[1,5]'", '[1,6)'],
      ["'empty'", 'empty'],
    ],
    refused: { x: as('int4range') },
  },
  {
    column: 'tstzrange',
    edm: 'String',
    values: [["'[2024-01-01 00:00Z,infinity)'", '["2024-01-01 00:00:00+00",infinity)']],
  },
  { column: 'int4multirange', edm: 'String', values: [["'{[1,2),[5,7)}'", '{[1,2),[5,7)}']] },
  {
    column: 'int4[]',
    edm: 'String',
    values: [
      ["'{1,NULL,3}'", '{1,NULL,3}'],
      ["'[0:1]={5,6}'", '[0:1]={5,6}'],
    ],
    refused: { x: as('_int4') },
  },
  { column: 'text[]', edm: 'String', values: [['\'{"a,b",NULL,"NULL"}\'', '{"a,b",NULL,"NULL"}']] },
  { column: 'float8[]', edm: 'String', values: [["'{0.1,1e-300}'", '{0.1,1e-300}']] },
  {
    column: 'bit(3)',
    edm: 'String',
    values: [["'101'", '101']],
    refused: { '2': as('bit'), '10': as('bit') },
  },
  { column: 'varbit', edm: 'String', values: [["'10110'", '10110']], refused: { '2': as('varbit') } },
  { column: 'oid', edm: 'String', values: [['4294967295', '4294967295']], refused: { x: as('oid') } },
  {
    column: 'regclass',
    edm: 'String',
    values: [["'pg_class'", 'pg_class']],
    refused: { nowhere: as('regclass') },
  },
  {
    column: 'timetz',
    edm: 'String',
    values: [["'10:11:12.5+02'", '10:11:12.5+02']],
    refused: { x: as('timetz') },
  },
  { column: 'name', edm: 'String', values: [["'abc'", 'abc']] },
  { column: '"char"', edm: 'String', values: [["'x'", 'x']] },
  { column: 'char(4)', edm: 'String', values: [["'ab'", 'ab  ']], filter: "V eq 'ab  '" },
  {
    column: 'pg_lsn',
    edm: 'String',
    values: [["'16/B374D848'", '16/B374D848']],
    refused: { x: as('pg_lsn') },
  },
  {
    column: 'mood',
    edm: 'String',
    before: ['drop type if exists mood', "create type mood as enum ('sad', 'it''s')"],
    values: [["'it''s'", "it's"]],
    refused: { SAD: "it must be one of 'sad', 'it's'" },
  },
  {
    column: 'pair',
    edm: 'String',
    before: ['drop type if exists pair', 'create type pair as (a int, b text)'],
    values: [["(1,'x y')", '(1,"x y")']],
    refused: { x: as('pair') },
  },
  {
    column: "text check (v in ('open', 'closed'))",
    edm: 'String',
    values: [["'open'", 'open']],
    refused: { ajar: "it must be one of 'open', 'closed'" },
  },
  {
    column: "varchar(9) check (v in ('open', 'closed'))",
    edm: 'String',
    values: [["'open'", 'open']],
    refused: { ajar: "it must be one of 'open', 'closed'" },
  },
]

/** Types of extensions, where they are installed. */
const extensions: readonly (ColumnTypeRow & { readonly extension: string })[] = [
  { extension: 'citext', column: 'citext', edm: 'String', values: [["'Ab'", 'Ab']] },
  {
    extension: 'hstore',
    column: 'hstore',
    edm: 'String',
    values: [["'a=>1,b=>NULL'", '"a"=>"1", "b"=>NULL']],
    refused: { x: as('hstore') },
  },
  {
    extension: 'ltree',
    column: 'ltree',
    edm: 'String',
    values: [["'a.b'", 'a.b']],
    refused: { 'a..b': as('ltree') },
  },
]

describe('A column of PostgreSQL', () => {
  it.each(types.map((row) => [row.column, row] as const))(
    'MUST keep its values when clients send them back: %s',
    (_, row) => checkType(db, row, 'v::text'),
  )

  it.each(extensions.map((row) => [row.column, row] as const))(
    'MUST keep its values when clients send them back: %s',
    async (_, row) => {
      const { rows } = await sql`select 1 from pg_available_extensions where name = ${row.extension}`.execute(
        db,
      )
      if (rows.length === 0) return
      await sql.raw(`create extension if not exists ${row.extension}`).execute(db)
      await checkType(db, row, 'v::text')
    },
  )

  it('MUST list the members of its enumeration or check in the metadata, also after it was printed', async () => {
    const table = await TypedTable.open(db, [
      "create table things (id int primary key, v varchar(9) check (v in ('open', 'it''s')))",
    ])
    const { text } = await table.send('GET', '$metadata')
    const members = [...text.matchAll(/<PropertyValue Property="Value" String="([^"]*)"/g)].map(
      ([, one]) => one,
    )
    expect(members).toEqual(['open', "it's"])
    expect(text).toContain('Term="Org.OData.Validation.V1.AllowedValues"')
    expect(writeEdmx(readEdmx(writeEdmx(table.model)))).toBe(writeEdmx(table.model))
  })

  it('MUST be named for a string that its type does not accept, among others', async () => {
    const table = await TypedTable.open(db, [
      'create table things (id int primary key, place point, address inet, spans int4range)',
    ])
    const body = { Id: 1, Place: '(1,2)', Address: '10.0.0.256', Spans: '[1,2)' }
    expect(await table.refusal('POST', 'Things', body)).toBe(
      "400 Property 'Address': the database does not accept the value as 'inet'.",
    )
    expect(await table.refusal('POST', 'Things', { ...body, Address: '10.0.0.1' })).toBe('201 ')
    expect(await table.refusal('MERGE', 'Things(1)', { ...body, Spans: 'all', Address: '::1' })).toBe(
      "400 Property 'Spans': the database does not accept the value as 'int4range'.",
    )
  })
})
