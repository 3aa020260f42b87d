import { fc } from '../../random.js'
import type { ColumnTypeRow, StoredLiteral } from './column-type-row.js'
import * as random from './random-literals.js'
import { dates, floats, guids, sharedStrings } from './shared-values.js'

const json = random.json
const wholes: readonly StoredLiteral[] = [
  ['0', '0'],
  '-9223372036854775808',
  '9223372036854775807',
  '9007199254740993',
]
const long: Omit<ColumnTypeRow, 'column'> = {
  edm: 'Int64',
  values: wholes,
  random: random.integers(64),
}
const text: Omit<ColumnTypeRow, 'column'> = {
  edm: 'String',
  values: sharedStrings,
  random: random.strings(),
}
/** SQLite has doubles of up to 15 digits for decimal numbers. */
const decimal: Omit<ColumnTypeRow, 'column'> = {
  edm: 'Decimal',
  values: [['12.50', '12.5'], '-0.01', '99999999.99', '5'],
  random: random.decimals(10, 2),
}
const double: Omit<ColumnTypeRow, 'column'> = {
  edm: 'Double',
  values: floats,
  random: random.floats(random.doubles.map((value) => value + 0)),
}
const boolean: Omit<ColumnTypeRow, 'column'> = {
  edm: 'Boolean',
  values: [
    ['1', true],
    ['0', false],
  ],
  random: fc.constantFrom('0', '1'),
}
const binary: Omit<ColumnTypeRow, 'column'> = {
  edm: 'Binary',
  values: [
    ["x'00ff'", 'AP8='],
    ["x''", ''],
  ],
  random: random.bytes().map((hex) => `x'${hex}'`),
}
const zones = ['', 'Z', '+00:00', ' +00:00', '+02:00', '-05:30'] as const
const dateTime: Omit<ColumnTypeRow, 'column'> = {
  edm: 'DateTime',
  values: dates,
  random: fc
    .tuple(
      random.times({ digits: 7, last: '9999-12-30', first: '0001-01-02' }),
      fc.constantFrom(' ', 'T'),
      fc.constantFrom(...zones),
    )
    .map(([time, separator, zone]) => random.quoted(time.replace(' ', separator) + zone)),
  isAmbiguous: true,
}
const time: Omit<ColumnTypeRow, 'column'> = {
  edm: 'Time',
  values: [
    ["'10:00'", 'PT10H00M00S'],
    ["'23:59:59.9999999'", 'PT23H59M59.9999999S'],
    ["'10:00:00.000'", 'PT10H00M00S'],
  ],
  select: "V eq time'PT10H' and Id eq 1",
  random: random.clocks(7).map(random.quoted),
  isAmbiguous: true,
}
const guid: Omit<ColumnTypeRow, 'column'> = {
  edm: 'Guid',
  values: [...guids, "'0F8FAD5B-D9CB-469F-A165-70867728950E'"],
  random: random.guids,
  isAmbiguous: true,
}

export const sqliteTypes: readonly ColumnTypeRow[] = [
  { ...long, column: 'integer' },
  {
    ...long,
    column: 'int',
    invalid: [
      ["'abc'", "'abc'"],
      ['2.5', "'2.5'"],
    ],
  },
  { ...long, column: 'bigint' },
  { ...long, column: 'unsigned big int' },
  {
    ...long,
    column: 'tinyint',
    edm: 'Int16',
    values: [['-32768', -32768], '32767'],
    random: random.integers(16),
  },
  {
    ...long,
    column: 'smallint',
    edm: 'Int16',
    values: [['-32768', -32768], '32767'],
    random: random.integers(16),
  },
  {
    ...long,
    column: 'mediumint',
    edm: 'Int32',
    values: [['-2147483648', -2147483648], '2147483647'],
    random: random.integers(32),
  },
  { ...boolean, column: 'tinyint(1)' },
  { ...boolean, column: 'boolean', invalid: [["'f'", "'f'"]] },
  { ...boolean, column: 'bit' },
  { ...long, column: 'bit(8)', values: [['0', '0'], '255'] },
  { ...double, column: 'real', invalid: [["'abc'", "'abc'"]] },
  { ...double, column: 'double precision' },
  { ...double, column: 'float' },
  { ...double, column: 'floating point', values: [['2.5', '2.5'], '3'] },
  { ...decimal, column: 'decimal(10,2)', invalid: [["'abc'", "'abc'"]] },
  { ...decimal, column: 'numeric' },
  { ...decimal, column: 'money' },
  {
    ...decimal,
    column: 'decimal_text',
    values: [["'12.50'", '12.50'], "'123456789012345678901234567890.10'", "'0'"],
    random: random.decimals(40, 12).map(random.quoted),
    filter: 'service',
    order: 'service',
  },
  { ...text, column: 'text', invalid: [["x'00ff'", 'object']] },
  { ...text, column: 'varchar(80)' },
  { ...text, column: 'nchar(55)' },
  { ...text, column: 'clob' },
  {
    ...text,
    column: 'string',
    values: [["'a'", 'a'], ["'007'", '7'], ['2.5', '2.5'], "'7e'"],
    isAmbiguous: true,
  },
  {
    ...text,
    column: 'json',
    values: [['\'{"a": 1.0}\'', '{"a": 1.0}'], "'5'", "'[1, 2]'"],
    random: json,
  },
  {
    ...text,
    column: 'jsonb',
    values: [['jsonb(\'{"a": 1.0}\')', '{"a":1.0}'], "jsonb('[1,{}]')"],
    random: fc.oneof(
      json.map((literal) => `jsonb(${literal})`),
      fc.constant('\'{"b":2}\''),
    ),
    isAmbiguous: true,
  },
  {
    ...text,
    column: '',
    values: [["'007'", '007'], ['7', '7'], '2.5', "'x'", '9007199254740993'],
    isAmbiguous: true,
  },
  {
    ...binary,
    column: 'any',
    values: [["x'00ff'", 'AP8='], "'x'", '7', '2.5'],
    isAmbiguous: true,
  },
  { ...binary, column: 'blob', invalid: [["'abc'", "'abc'"]] },
  { ...binary, column: 'varbinary(9)', random: random.bytes(9).map((hex) => `x'${hex}'`) },
  { ...binary, column: 'point', values: [["x'0001'", 'AAE=']] },
  { ...guid, column: 'uuid', invalid: [["'abc'", "'abc'"]] },
  { ...guid, column: 'guid' },
  { ...guid, column: 'uniqueidentifier' },
  {
    ...dateTime,
    column: 'date',
    values: [["'2020-02-29'", '/Date(1582934400000)/'], "'0001-01-01'", "'9999-12-31'", "'2020-01-01 10:00'"],
  },
  {
    ...dateTime,
    column: 'datetime',
    invalid: [
      ["'2023-02-30'", "'2023-02-30'"],
      ["''", "''"],
    ],
  },
  { ...dateTime, column: 'timestamp' },
  {
    ...dateTime,
    column: 'timestamptz',
    edm: 'DateTimeOffset',
    values: [
      ["'2020-01-01 10:00:00+05:30'", '/Date(1577853000000+0000)/'],
      "'2020-01-01T10:00:00.5Z'",
      "'2020-01-01'",
    ],
    invalid: [["'28.02.2023'", "'28.02.2023'"]],
  },
  { ...time, column: 'time', invalid: [["'24:00'", "'24:00'"]] },
]
