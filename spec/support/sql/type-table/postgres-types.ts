import { fc } from '../../random.js'
import type { ColumnTypeRow } from './column-type-row.js'
import * as random from './random-literals.js'
import { floats, guids, sharedStrings } from './shared-values.js'

const as = (type: string): string => `the database does not accept the value as '${type}'`
const rounded = (stored: number, sent: number): string =>
  `the database stores ${String(stored)} digits after the decimal point, not ${String(sent)}`
const isJson = 'it is not valid JSON'
const { quoted } = random

const shortInteger = fc.integer({ min: -99, max: 99 })
const pairs = fc.tuple(shortInteger, shortInteger)
const points = fc.tuple(random.doubles, random.doubles).map(([x, y]) => `(${String(x)},${String(y)})`)
const bits = (length: fc.ArrayConstraints): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom('0', '1'), length).map((all) => all.join(''))
const isOpen = {
  edm: 'String',
  values: [["'open'", 'open']],
  random: fc.constantFrom("'open'", "'closed'"),
  refused: { ajar: "it must be one of 'open', 'closed'" },
} satisfies Omit<ColumnTypeRow, 'column'>

const elsewhere = { filter: 'service', order: 'service' } as const
/** Types that are strings as the database serializes them, in the order of the manual. */
const asText: readonly Omit<ColumnTypeRow, 'edm'>[] = [
  {
    column: 'money',
    values: [
      ["'1234.5'", '$1,234.50'],
      ["'-0.01'", '-$0.01'],
    ],
    random: random.decimals(15, 2).map(quoted),
    refused: { x: as('money'), '1.234': rounded(2, 3) },
  },
  {
    column: 'timetz',
    values: [["'10:11:12.5+02'", '10:11:12.5+02']],
    random: random.clocks().map((time) => quoted(`${time}-05:30`)),
    refused: { x: as('timetz'), '10:11:12.1234567+02': rounded(6, 7) },
  },
  {
    column: 'timetz(0)',
    values: [["'10:11:12+02'", '10:11:12+02']],
    refused: { '10:11:12.5+02': rounded(0, 1) },
  },
  {
    column: 'interval',
    values: [["'1 mon -3 days 04:05:06.789'", '1 mon -3 days +04:05:06.789'], "'1 day 02:00:00'"],
    random: fc
      .tuple(shortInteger, shortInteger, shortInteger, fc.nat(999_999))
      .map(([months, days, hours, micros]) =>
        quoted(
          `${String(months)} mons ${String(days)} days ${String(hours)} hours ${String(micros)} microseconds`,
        ),
      ),
    refused: { x: as('interval'), '1.0000007 seconds': rounded(6, 7) },
  },
  {
    column: 'interval(1)',
    values: [["'1 day 00:00:01.5'", '1 day 00:00:01.5']],
    refused: { '00:00:01.25': rounded(1, 2), 'PT0.5502H': rounded(1, 2) },
  },
  {
    column: 'mood',
    before: ['drop type if exists mood cascade', "create type mood as enum ('sad', 'it''s')"],
    values: [["'it''s'", "it's"]],
    random: fc.constantFrom("'sad'", "'it''s'"),
    refused: { SAD: "it must be one of 'sad', 'it's'" },
  },
  {
    column: 'point',
    values: [["'(1.5,-2)'", '(1.5,-2)']],
    random: points.map(quoted),
    refused: { x: as('point') },
    key: false,
  },
  { column: 'line', values: [["'{1,2,3}'", '{1,2,3}']], refused: { x: as('line') }, key: false },
  { column: 'lseg', values: [["'[(0,0),(1,1)]'", '[(0,0),(1,1)]']], key: false },
  { column: 'box', values: [["'((3,4),(1,2))'", '(3,4),(1,2)']], refused: { x: as('box') }, key: false },
  {
    column: 'path',
    values: [
      ["'[(0,0),(1,1)]'", '[(0,0),(1,1)]'],
      ["'((0,0),(1,1))'", '((0,0),(1,1))'],
    ],
    random: fc.array(points, { minLength: 1, maxLength: 4 }).map((all) => quoted(`[${all.join(',')}]`)),
    key: false,
  },
  { column: 'polygon', values: [["'((0,0),(1,1),(1,0))'", '((0,0),(1,1),(1,0))']], key: false },
  { column: 'circle', values: [["'<(0.1,0.2),3>'", '<(0.1,0.2),3>']], key: false },
  {
    column: 'inet',
    values: [
      ["'10.0.0.1/8'", '10.0.0.1/8'],
      ["'::1'", '::1'],
    ],
    random: fc.tuple(fc.ipV4(), fc.nat(32)).map(([host, size]) => quoted(`${host}/${String(size)}`)),
    refused: { nowhere: as('inet') },
  },
  { column: 'cidr', values: [["'10.0.0.0/8'", '10.0.0.0/8']], refused: { '10.0.0.1/8': as('cidr') } },
  {
    column: 'macaddr',
    values: [["'08:00:2b:01:02:03'", '08:00:2b:01:02:03']],
    refused: { x: as('macaddr') },
  },
  { column: 'macaddr8', values: [["'08:00:2b:01:02:03:04:05'", '08:00:2b:01:02:03:04:05']] },
  {
    column: 'bit(3)',
    values: [["'101'", '101']],
    random: bits({ minLength: 3, maxLength: 3 }).map(quoted),
    refused: { '2': as('bit'), '10': as('bit') },
  },
  {
    column: 'varbit',
    values: [["'10110'", '10110'], "''"],
    random: bits({ maxLength: 70 }).map(quoted),
    refused: { '2': as('varbit') },
  },
  {
    column: 'tsvector',
    values: [["'fat:2 cat:3'", "'cat':3 'fat':2"]],
    random: fc.lorem().map((words) => `to_tsvector('simple', '${words}')`),
  },
  {
    column: 'tsquery',
    values: [["'fat & !cat'", "'fat' & !'cat'"]],
    select: "substringof('fat', V)",
    refused: { 'a &': as('tsquery') },
  },
  {
    column: 'xml',
    values: [['\'<a b="1">x</a>\'', '<a b="1">x</a>']],
    refused: { '<a>': as('xml') },
    key: false,
  },
  {
    column: 'json',
    values: [['\'{"a":  1}\'', '{"a":  1}'], '\'{"a": 1.0}\''],
    random: random.json,
    refused: { '{x': isJson },
    key: false,
  },
  {
    column: 'jsonb',
    values: [['\'{"a":1.50}\'', '{"a": 1.50}']],
    random: random.json,
    refused: { '{x': isJson },
  },
  {
    column: 'jsonpath',
    values: [["'$.a[*]?(@.b > 1)'", '$."a"[*]?(@."b" > 1)']],
    refused: { '$.': as('jsonpath') },
    key: false,
  },
  {
    column: 'int4[]',
    values: [["'{1,NULL,3}'", '{1,NULL,3}'], ["'[0:1]={5,6}'", '[0:1]={5,6}'], "'{}'"],
    random: fc.array(random.integers(32), { maxLength: 5 }).map((all) => quoted(`{${all.join(',')}}`)),
    refused: { x: as('_int4') },
  },
  {
    column: 'numeric(4,1)[]',
    values: [["'{1.5,NULL,20}'", '{1.5,NULL,20.0}']],
    refused: { '{1.5,1.25}': rounded(1, 2), '{1e-2}': rounded(1, 2) },
  },
  {
    column: 'text[]',
    values: [['\'{"a,b",NULL,"NULL"}\'', '{"a,b",NULL,"NULL"}']],
    random: fc.array(random.strings(8), { maxLength: 4 }).map((all) => `array[${all.join(',')}]::text[]`),
  },
  {
    column: 'float8[]',
    values: [["'{0.1,1e-300}'", '{0.1,1e-300}']],
    random: fc
      .array(random.floats(random.doubles), { maxLength: 4 })
      .map((all) => quoted(`{${all.join(',')}}`)),
  },
  { column: 'timestamptz[]', values: [['\'{"2024-01-01 00:00:00.5+00"}\'', '{"2024-01-01 00:00:00.5+00"}']] },
  {
    column: 'pair',
    before: ['drop type if exists pair cascade', 'create type pair as (a int, b text)'],
    values: [["(1,'x y')", '(1,"x y")']],
    random: fc.tuple(random.integers(32), random.strings(9)).map(([a, b]) => `(${a},${b})`),
    refused: { x: as('pair') },
  },
  {
    column: 'measure',
    before: [
      'drop type if exists measure cascade',
      'create type measure as (size numeric(4,1), at timestamp(0), note text)',
    ],
    values: [["(1.5,'2024-01-01 10:00:00','a \"b\", c')", '(1.5,"2024-01-01 10:00:00","a ""b"", c")']],
    refused: { '(1.25,,)': rounded(1, 2), '(,"2024-01-01 10:00:00.5",1.25)': rounded(0, 1) },
  },
  {
    column: 'measure[]',
    values: [["array[(1.5,null,'1.25')::measure]", '{"(1.5,,1.25)"}']],
    refused: { '{"(1.5,,)","(\\"1.25\\",,)"}': rounded(1, 2) },
  },
  {
    column: 'int4range',
    values: [
      ["'[1,5]'", '[1,6)'],
      ["'empty'", 'empty'],
    ],
    random: pairs.map(([a, b]) => quoted(`[${String(Math.min(a, b))},${String(Math.max(a, b))}]`)),
    refused: { x: as('int4range') },
  },
  { column: 'numrange', values: [["'[1.50,)'", '[1.50,)']] },
  { column: 'daterange', values: [["'[2024-01-01,2024-01-31]'", '[2024-01-01,2024-02-01)']] },
  {
    column: 'tstzrange',
    values: [["'[2024-01-01 00:00Z,infinity)'", '["2024-01-01 00:00:00+00",infinity)']],
  },
  { column: 'int4multirange', values: [["'{[1,2),[5,7)}'", '{[1,2),[5,7)}']] },
  {
    column: 'oid',
    values: [['4294967295', '4294967295']],
    random: random.integers(32, true),
    refused: { x: as('oid') },
  },
  { column: 'regclass', values: [["'pg_class'", 'pg_class']], refused: { nowhere: as('regclass') } },
  { column: 'regtype', values: [["'integer'", 'integer']], refused: { nowhere: as('regtype') } },
  { column: 'pg_lsn', values: [["'16/B374D848'", '16/B374D848']], refused: { x: as('pg_lsn') } },
  { column: 'xid8', values: [["'12345678901'", '12345678901']] },
  {
    column: 'name',
    values: [["'abc'", 'abc']],
    random: random.strings(9),
    refused: { ['ä-'.repeat(22)]: 'it is longer than the 63 bytes that the database can store' },
  },
  {
    column: '"char"',
    values: [
      ["'x'", 'x'],
      ["'\\303'", '\\303'],
    ],
    refused: { xy: 'the database stores one byte', ä: 'the database stores one byte' },
  },
  {
    requires: 'hstore',
    column: 'hstore',
    values: [["'a=>1,b=>NULL'", '"a"=>"1", "b"=>NULL']],
    refused: { x: as('hstore') },
  },
  { requires: 'ltree', column: 'ltree', values: [["'a.b'", 'a.b']], refused: { 'a..b': as('ltree') } },
  { requires: 'citext', column: 'citext', values: [["'Ab'", 'Ab']], random: random.strings() },
]

const numeric = [['1.5', '1.5'], '12.50', '-0.01', '123456789012345678901234567890'] as const
const moment = { edm: 'DateTime' } as const

export const postgresTypes: readonly ColumnTypeRow[] = [
  {
    column: 'boolean',
    edm: 'Boolean',
    values: [
      ['true', true],
      ['false', false],
    ],
  },
  {
    column: 'smallint',
    edm: 'Int16',
    values: [['-32768', -32768], '32767'],
    random: random.integers(16),
  },
  {
    column: 'integer',
    edm: 'Int32',
    values: [['-2147483648', -2147483648], '2147483647'],
    random: random.integers(32),
  },
  {
    column: 'bigint',
    edm: 'Int64',
    values: [['-9223372036854775808', '-9223372036854775808'], '9223372036854775807'],
    random: random.integers(64),
  },
  {
    column: 'numeric',
    edm: 'Decimal',
    values: [...numeric, '0.000000000000000000000000000001'],
    random: fc.oneof(random.decimals(40, 12), random.decimals(20, 0), random.decimals(30, 30)),
    invalid: [
      ["'NaN'", "'NaN'"],
      ["'-Infinity'", "'-Infinity'"],
    ],
  },
  {
    column: 'numeric(10,2)',
    edm: 'Decimal',
    values: [['1.5', '1.50'], '-0.01'],
    random: random.decimals(10, 2),
    refused: { '1.234': "must not have more than 2 digits after the decimal point; '1.234' has 3" },
    invalid: [["'NaN'", "'NaN'"]],
  },
  {
    column: 'real',
    edm: 'Single',
    values: [['0.1', '0.1'], '3.4028235e38', '1e-45', ["'NaN'", 'NaN'], ["'-Infinity'", '-INF'], "'-0'"],
    random: random.floats(random.singles),
  },
  {
    column: 'double precision',
    edm: 'Double',
    values: [...floats, ["'NaN'", 'NaN'], ["'Infinity'", 'INF'], "'-0'"],
    random: random.floats(random.doubles),
  },
  {
    column: 'text',
    edm: 'String',
    values: sharedStrings,
    random: random.strings(),
    refused: { '\0': 'the database cannot store the character U+0000' },
  },
  {
    column: 'varchar(80)',
    edm: 'String',
    values: sharedStrings,
    random: random.strings(80),
  },
  {
    column: 'char(5)',
    edm: 'String',
    values: [["'ab'", 'ab   ']],
    random: random.strings(5),
    refused: { abcdef: "must not be longer than 5 characters; 'abcdef' has 6" },
    ...elsewhere,
  },
  { ...isOpen, column: "text check (v in ('open', 'closed'))" },
  { ...isOpen, column: "varchar(9) check (v in ('open', 'closed'))" },
  { column: 'uuid', edm: 'Guid', values: guids, random: random.guids },
  {
    column: 'bytea',
    edm: 'Binary',
    values: [["'\\x00ff'", 'AP8='], "''"],
    random: random.bytes().map((hex) => `'\\x${hex}'`),
  },
  {
    ...moment,
    column: 'date',
    values: [["'2024-02-29'", '/Date(1709164800000)/'], "'0001-01-01'", "'9999-12-31'"],
    random: random.days,
    invalid: [
      ["'-infinity'", "'-infinity'"],
      ["'0044-03-15 BC'", '0044-03-15'],
      ["'10000-01-01'", '10000-01-01'],
    ],
  },
  {
    ...moment,
    column: 'timestamp',
    values: [["'2024-02-29'", '/Date(1709164800000)/'], "'2020-01-01 10:00:00.123'", "'0001-01-01'"],
    random: random.times().map(quoted),
    invalid: [
      ["'infinity'", "'infinity'"],
      ["'-infinity'", "'-infinity'"],
      ["'0044-03-15 12:00 BC'", '-03-15'],
      ["'10000-01-01'", '10000-01-01'],
    ],
  },
  {
    column: 'timestamptz',
    edm: 'DateTimeOffset',
    values: [["'2024-02-29 00:00Z'", '/Date(1709164800000+0000)/'], "'2020-01-01 10:00:00.123+05:30'"],
    random: random.times().map((time) => quoted(`${time}Z`)),
    invalid: [
      ["'infinity'", 'infinity'],
      ["'10000-01-01 00:00Z'", '10000-01-01'],
    ],
  },
  {
    column: 'time',
    edm: 'Time',
    values: [["'10:11:12'", 'PT10H11M12S'], "'00:00:00'", "'23:59:59.999999'"],
    random: random.clocks().map(quoted),
    invalid: [["'24:00'", "'24:00:00'"]],
  },
  ...asText.map((row): ColumnTypeRow => ({ ...elsewhere, ...row, edm: 'String' })),
]
