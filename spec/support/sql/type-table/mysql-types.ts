import { fc } from '../../random.js'
import type { ColumnTypeRow, StoredLiteral } from './column-type-row.js'
import * as random from './random-literals.js'
import { floats, guids, sharedStrings } from './shared-values.js'

const { quoted } = random
const elsewhere = { filter: 'service', order: 'service' } as const
const wellKnownText =
  "it must be well-known text such as 'POINT(8.64 49.29)' or 'SRID=4326;POINT(8.64 49.29)'"
const as = (type: string): string => `the database does not accept the value as '${type}'`

const text: Omit<ColumnTypeRow, 'column'> = {
  edm: 'String',
  values: sharedStrings,
  random: random.escaped(),
}
const binary: Omit<ColumnTypeRow, 'column'> = {
  edm: 'Binary',
  values: [["x'00ff'", 'AP8='], "x''"],
  random: random.bytes(9).map((hex) => `x'${hex}'`),
}
const integer = (column: string, edm: ColumnTypeRow['edm'], bits: number): ColumnTypeRow => {
  const isUnsigned = column.endsWith('unsigned')
  const limit = 1n << BigInt(isUnsigned ? bits : bits - 1)
  const shown = (value: bigint): StoredLiteral => [
    String(value),
    edm === 'Int64' || edm === 'Decimal' ? String(value) : Number(value),
  ]
  return {
    column,
    edm,
    values: [shown(limit - 1n), shown(isUnsigned ? 0n : -limit)],
    random: random.integers(bits, isUnsigned),
  }
}
const points = fc.tuple(random.doubles, random.doubles).map(([x, y]) => `point(${String(x)}, ${String(y)})`)
const day: StoredLiteral = ["'2024-02-29'", '/Date(1709164800000)/']
const clock: StoredLiteral = ["'10:11:12'", 'PT10H11M12S']

export const mysqlTypes: readonly ColumnTypeRow[] = [
  {
    column: 'tinyint(1)',
    edm: 'Boolean',
    values: [
      ['2', true],
      ['0', false],
      ['-1', true],
      ['1', true],
    ],
    random: random.integers(8),
    isAmbiguous: true,
  },
  {
    column: 'bit(1)',
    edm: 'Boolean',
    values: [
      ["b'1'", true],
      ["b'0'", false],
    ],
  },
  {
    column: 'bit(12)',
    edm: 'Binary',
    values: [
      ["b'101'", 'AAU='],
      ["b'111111111111'", 'D/8='],
    ],
    random: fc.nat(4095).map(String),
    refused: { '//8=': 'it is longer than 12 bits' },
    ...elsewhere,
  },
  integer('tinyint', 'SByte', 8),
  integer('tinyint unsigned', 'Byte', 8),
  integer('smallint', 'Int16', 16),
  integer('smallint unsigned', 'Int32', 16),
  integer('mediumint', 'Int32', 24),
  integer('mediumint unsigned', 'Int32', 24),
  integer('int', 'Int32', 32),
  integer('int unsigned', 'Int64', 32),
  integer('bigint', 'Int64', 64),
  integer('bigint unsigned', 'Decimal', 64),
  {
    column: 'year',
    edm: 'Int16',
    values: [
      ['1901', 1901],
      ["'0000'", 0],
    ],
    random: fc.integer({ min: 1901, max: 2155 }).map(String),
    refused: { '1': 'the year must be 0, or from 1901 to 2155' },
  },
  {
    column: 'decimal(30,4)',
    edm: 'Decimal',
    values: [['12.5', '12.5000'], '-0.0001'],
    random: random.decimals(30, 4),
  },
  {
    column: 'float',
    edm: 'Single',
    values: [['0.5', '0.5'], '3', '3.4028234e38'],
    random: random.floats(random.singles),
  },
  { column: 'double', edm: 'Double', values: floats, random: random.floats(random.doubles) },
  { ...text, column: 'varchar(80)', random: random.escaped(80) },
  {
    column: 'char(5)',
    edm: 'String',
    values: [["'ab'", 'ab']],
    random: fc.stringMatching(/^[a-zß]{0,5}$/).map(quoted),
  },
  { ...text, column: 'tinytext', key: false },
  { ...text, column: 'text', key: false },
  { ...text, column: 'mediumtext', key: false },
  { ...text, column: 'longtext', key: false },
  {
    column: "enum('sad','it''s','1')",
    edm: 'String',
    values: [
      ["'it''s'", "it's"],
      ["'1'", '1'],
    ],
    random: fc.constantFrom("'sad'", "'it''s'", "'1'"),
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
    random: fc.subarray(['a', 'b', 'c']).map((all) => quoted(all.join(','))),
    refused: { '3': "'3' must be a list, without blanks, of 'a', 'b', 'c'" },
    ...elsewhere,
  },
  {
    column: "varchar(10) check (v in ('open', 'closed'))",
    edm: 'String',
    values: [
      ["'open'", 'open'],
      ["'closed'", 'closed'],
    ],
    key: false,
    refused: { ajar: "it must be one of 'open', 'closed'" },
  },
  {
    ...text,
    column: 'json',
    values: [
      ['\'{"a": [1, 2]}\'', '{"a": [1, 2]}'],
      ["'null'", 'null'],
    ],
    random: random.json,
    refused: { '{x': 'it is not valid JSON' },
    key: false,
  },
  {
    ...binary,
    column: 'binary(3)',
    values: [["x'00ff01'", 'AP8B']],
    refused: { 'AP8=': 'the database would add zeros up to 3 bytes' },
    random: random.bytes(3, 3).map((hex) => `x'${hex}'`),
  },
  { ...binary, column: 'varbinary(9)' },
  { ...binary, column: 'tinyblob', key: false },
  { ...binary, column: 'blob', key: false },
  { ...binary, column: 'mediumblob', key: false },
  { ...binary, column: 'longblob', key: false },
  {
    column: 'date',
    edm: 'DateTime',
    values: [day, "'9999-12-31'", "'0001-01-01'"],
    random: random.days,
    invalid: ["'0000-00-00'", "'2024-00-00'", "'2024-05-00'", "'2024-02-30'"].map(
      (value) => [value, value] as const,
    ),
  },
  {
    column: 'datetime(3)',
    edm: 'DateTime',
    values: [day],
    random: random.times({ digits: 3 }).map(quoted),
    invalid: [["'0000-00-00'", "'0000-00-00T00:00:00.000'"]],
  },
  {
    column: 'datetime(6)',
    edm: 'DateTime',
    values: [day, "'2020-01-01 10:00:00.123'"],
    random: random.times().map(quoted),
  },
  {
    column: 'timestamp',
    edm: 'DateTimeOffset',
    values: [["'2024-02-29'", '/Date(1709164800000+0000)/']],
    random: random.times({ first: '1970-01-02', last: '2038-01-01', digits: 0 }).map(quoted),
    invalid: [['0', "'0000-00-00T00:00:00Z'"]],
  },
  {
    column: 'timestamp(6)',
    edm: 'DateTimeOffset',
    values: [["'2020-01-01 10:00:00.123'", '/Date(1577872800123+0000)/']],
    random: random.times({ first: '1970-01-02', last: '2038-01-01' }).map(quoted),
  },
  { column: 'time', edm: 'Time', values: [clock], invalid: [["'25:00:00'", "'25:00:00'"]] },
  { column: 'time(1)', edm: 'Time', values: [clock], invalid: [["'-00:00:01'", "'-00:00:01.0'"]] },
  {
    column: 'time(6)',
    edm: 'Time',
    values: [clock, "'00:00:00'", "'23:59:59.999999'"],
    random: random.clocks().map(quoted),
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
    random: points,
    refused: {
      nonsense: wellKnownText,
      'POINT(1)': as('geometry'),
      'POLYGON((0 0,1 1))': as('geometry'),
      "POINT(1 2)'); drop table things; --": wellKnownText,
    },
    key: false,
    ...elsewhere,
  },
  {
    column: 'point',
    edm: 'String',
    values: [['point(1, 2)', 'POINT(1 2)']],
    random: points,
    refused: { 'LINESTRING(0 0,1 1)': as('point') },
    ...elsewhere,
  },
  {
    column: 'linestring',
    edm: 'String',
    values: [["st_geomfromtext('LINESTRING(0 0,1 1)')", 'LINESTRING(0 0,1 1)']],
    key: false,
    ...elsewhere,
  },
  {
    column: 'multipolygon',
    edm: 'String',
    values: [["st_geomfromtext('MULTIPOLYGON(((0 0,1 1,1 0,0 0)))')", 'MULTIPOLYGON(((0 0,1 1,1 0,0 0)))']],
    key: false,
    ...elsewhere,
  },
  {
    column: 'inet6',
    requires: 'MariaDB',
    edm: 'String',
    values: [
      ["'::1'", '::1'],
      ["'2001:db8::ff'", '2001:db8::ff'],
    ],
    refused: { nowhere: as('inet6') },
    ...elsewhere,
  },
  {
    column: 'inet4',
    requires: 'MariaDB',
    edm: 'String',
    values: [["'10.0.0.1'", '10.0.0.1']],
    random: fc.ipV4().map(quoted),
    refused: { nowhere: as('inet4') },
    ...elsewhere,
  },
  {
    column: 'uuid',
    requires: 'MariaDB',
    edm: 'Guid',
    values: guids,
    // MariaDB rejects some of version 8.
    random: fc.uuid({ version: [1, 2, 3, 4, 5, 6, 7] }).map(quoted),
  },
]
