import type { PrimitiveTypeName } from '../../lib/edm/primitive-types/primitive-type-name.js'
import { primitiveTypeNames } from '../../lib/edm/primitive-types/primitive-type-name.js'
import { literalAs, naturalLiteral } from '../../lib/query/bind-literal.js'
import { parseLiteral } from '../../lib/uri/parse-literal.js'
import { Scanner } from '../../lib/uri/scanner.js'
import type { LiteralSyntax } from '../../lib/uri/syntax-tree.js'

function syntaxOf(source: string): LiteralSyntax {
  const literal = parseLiteral(new Scanner(source, 'literal'))
  if (literal === undefined) throw new Error(`'${source}' is no literal.`)
  return literal
}

/** Returns the value of a literal for an expected type, or undefined when it is rejected. */
function valueAs(type: PrimitiveTypeName, source: string): unknown {
  return literalAs(syntaxOf(source), type)?.value
}

const guid = '12345678-aaaa-bbbb-cccc-ddddeeeeffff'

const accepted: Readonly<Record<PrimitiveTypeName, readonly (readonly [source: string, value: unknown])[]>> =
  {
    'Edm.Boolean': [
      ['true', true],
      ['false', false],
    ],
    'Edm.Byte': [
      ['0', 0],
      ['255', 255],
    ],
    'Edm.SByte': [
      ['-128', -128],
      ['127', 127],
    ],
    'Edm.Int16': [
      ['-32768', -32768],
      ['32767', 32767],
    ],
    'Edm.Int32': [
      ['-2147483648', -2147483648],
      ['2147483647', 2147483647],
      ['007', 7],
    ],
    'Edm.Int64': [
      ['5L', 5n],
      ['5l', 5n],
      ['5', 5n],
      ['-9223372036854775808L', -9223372036854775808n],
      ['9223372036854775807', 9223372036854775807n],
    ],
    'Edm.Decimal': [
      ['2.5M', '2.5'],
      ['2.5e-7M', '0.00000025'],
      ['2.50m', '2.50'],
      ['2.5', '2.5'],
      ['-5', '-5'],
      ['5L', '5'],
      ['0.1', '0.1'],
      ['12345678901234567890.12345678901234567890', '12345678901234567890.12345678901234567890'],
      ['1.5e2', '150'],
    ],
    'Edm.Double': [
      ['2.5D', 2.5],
      ['2.5d', 2.5],
      ['2.5', 2.5],
      ['5', 5],
      ['1E+3D', 1000],
      ['1e-7', 1e-7],
      ['NaN', Number.NaN],
      ['Nand', Number.NaN],
      ['INF', Number.POSITIVE_INFINITY],
      ['INFd', Number.POSITIVE_INFINITY],
      ['-INF', Number.NEGATIVE_INFINITY],
      ['2.5F', 2.5],
    ],
    'Edm.Single': [
      ['2.5F', 2.5],
      ['2.5f', 2.5],
      ['0.1f', Math.fround(0.1)],
      ['0.1', Math.fround(0.1)],
      ['5', 5],
      ['NaNF', Number.NaN],
      ['INFF', Number.POSITIVE_INFINITY],
      ['-INF', Number.NEGATIVE_INFINITY],
    ],
    'Edm.String': [
      ["'Gouda'", 'Gouda'],
      ["'it''s'", "it's"],
      ["''", ''],
    ],
    'Edm.Guid': [
      [`guid'${guid}'`, guid],
      [`Guid'${guid.toUpperCase()}'`, guid],
    ],
    'Edm.Binary': [
      ["binary'0FA0'", Uint8Array.of(0x0f, 0xa0)],
      ["X'0fa0'", Uint8Array.of(0x0f, 0xa0)],
      ["X''", new Uint8Array(0)],
    ],
    'Edm.DateTime': [
      ["datetime'2012-05-29T09:13:28'", new Date('2012-05-29T09:13:28Z')],
      ["datetime'2012-05-29T09:13'", new Date('2012-05-29T09:13:00Z')],
      ["datetime'2012-05-29T09:13:28.5'", new Date('2012-05-29T09:13:28.500Z')],
      ["datetime'2012-05-29T09:13:28.1234567'", '2012-05-29T09:13:28.1234567'],
      ["datetime'2012-5-9T9:13:28'", new Date('2012-05-09T09:13:28Z')],
      ["datetime'2012-05-29T09:13:28Z'", new Date('2012-05-29T09:13:28Z')],
      ["datetime'2012-02-29T00:00:00'", new Date('2012-02-29T00:00:00Z')],
      ["datetime'2012-05-29T24:00:00'", new Date('2012-05-30T00:00:00Z')],
      ["datetime'0001-01-01T00:00:00'", new Date('0001-01-01T00:00:00Z')],
      ["datetime'9999-12-31T23:59:59.9999999'", '9999-12-31T23:59:59.9999999'],
    ],
    'Edm.DateTimeOffset': [
      ["datetimeoffset'2012-05-29T09:13:28Z'", new Date('2012-05-29T09:13:28Z')],
      ["datetimeoffset'2012-05-29T09:13:28z'", new Date('2012-05-29T09:13:28Z')],
      ["datetimeoffset'2012-05-29T09:13:28+02:00'", '2012-05-29T09:13:28+02:00'],
      ["datetimeoffset'2012-05-29T09:13:28 02:00'", '2012-05-29T09:13:28+02:00'],
      ["datetimeoffset'2012-05-29T09:13:28.1234567-11:30'", '2012-05-29T09:13:28.1234567-11:30'],
    ],
    'Edm.Time': [
      ["time'PT09H13M28S'", '09:13:28'],
      ["time'PT9H'", '09:00:00'],
      ["time'PT13M28.5S'", '00:13:28.5'],
      ["time'P0DT1H'", '01:00:00'],
      ["time'PT0S'", '00:00:00'],
      ["time'PT86399S'", '23:59:59'],
      ["time'09:13:28'", '09:13:28'],
      ["time'09:13'", '09:13:00'],
    ],
  }

const refused: Readonly<Record<PrimitiveTypeName, readonly string[]>> = {
  'Edm.Boolean': ['1', '0', "'true'", '1L'],
  'Edm.Byte': ['-1', '256', '5L', '5M', '5.0', '5e0', '5D', "'5'", 'true'],
  'Edm.SByte': ['-129', '128', '5.0'],
  'Edm.Int16': ['-32769', '32768', '5L'],
  'Edm.Int32': ['-2147483649', '2147483648', '5L', '5.0', '1e3', '5M', 'NaN', 'INF'],
  'Edm.Int64': ['-9223372036854775809', '9223372036854775808L', '5M', '5.0', '5D', "'5'"],
  'Edm.Decimal': ['2.5D', '2.5F', 'NaN', 'INF', "'2.5'"],
  'Edm.Double': ['2.5M', '5L', '1e400', '1e400D', "'2.5'"],
  'Edm.Single': ['2.5D', '2.5M', '5L', '1e39', '1e39F'],
  'Edm.String': ['5', 'true', `guid'${guid}'`, "datetime'2012-05-29T09:13:28'"],
  'Edm.Guid': [
    `'${guid}'`,
    "guid''",
    "guid'12345678-aaaa-bbbb-ddddeeeeffff'",
    "guid'12345678aaaabbbbccccddddeeeeffff'",
    `guid'{${guid}}'`,
    "guid'g2345678-aaaa-bbbb-cccc-ddddeeeeffff'",
  ],
  'Edm.Binary': ["binary'0'", "X'0FA'", "X'0G'", "binary'0F A0'", "'0FA0'"],
  'Edm.DateTime': [
    "'2012-05-29T09:13:28'",
    "datetime''",
    "datetime'2012-02-30T00:00:00'",
    "datetime'2013-02-29T00:00:00'",
    "datetime'2012-13-01T00:00:00'",
    "datetime'2012-00-01T00:00:00'",
    "datetime'2012-05-00T00:00:00'",
    "datetime'2012-05-29T24:01:00'",
    "datetime'2012-05-29T25:00:00'",
    "datetime'2012-05-29T09:60:00'",
    "datetime'2012-05-29T09:13:60'",
    "datetime'2012-05-29T09:13:28+02:00'",
    "datetime'2012-05-29T09:13:28-00:00'",
    "datetime'2012-05-29T09:13:28.12345678'",
    "datetime'2012-05-29T09:13:28.'",
    "datetime'0000-01-01T00:00:00'",
    "datetime'12-05-29T09:13:28'",
    "datetimeoffset'2012-05-29T09:13:28Z'",
    "time'PT1H'",
  ],
  'Edm.DateTimeOffset': [
    "datetimeoffset'2012-05-29T09:13:28'",
    "datetimeoffset'2012-05-29 09:13'",
    "datetimeoffset'2012-02-30T09:13:28Z'",
    "datetimeoffset'2012-05-29T09:13:28+15:00'",
    "datetimeoffset'2012-05-29T09:13:28+02:60'",
    "datetime'2012-05-29T09:13:28'",
  ],
  'Edm.Time': [
    "'09:13:28'",
    "time''",
    "time'P'",
    "time'PT'",
    "time'PT24H'",
    "time'P1D'",
    "time'-PT1H'",
    "time'P1M'",
    "time'24:00:00'",
    "time'09:60'",
    "datetime'2012-05-29T09:13:28'",
  ],
}

describe('The types of literals (MS-ODATA 2.2.2)', () => {
  describe.each(primitiveTypeNames)('%s', (type) => {
    it.each(accepted[type])('MUST accept %s', (source, value) => {
      expect(valueAs(type, source)).toEqual(value)
    })

    it.each(refused[type])('MUST reject %s', (source) => {
      expect(valueAs(type, source)).toBeUndefined()
    })

    it('MUST accept null for any type', () => {
      expect(literalAs(syntaxOf('null'), type)).toEqual({ kind: 'Literal', type, value: null })
    })
  })

  it('MUST accept 1 and 0 as Booleans only where the caller allows it', () => {
    expect(literalAs(syntaxOf('1'), 'Edm.Boolean', true)?.value).toBe(true)
    expect(literalAs(syntaxOf('0'), 'Edm.Boolean', true)?.value).toBe(false)
    for (const source of ['2', '-1', '1L', '1.0']) {
      expect(literalAs(syntaxOf(source), 'Edm.Boolean', true)).toBeUndefined()
    }
  })

  describe('without an expected type', () => {
    it.each([
      ['5', 'Edm.Int32', 5],
      ['-2147483648', 'Edm.Int32', -2147483648],
      ['2147483648', 'Edm.Int64', 2147483648n],
      ['-9223372036854775808', 'Edm.Int64', -9223372036854775808n],
      ['9223372036854775808', 'Edm.Decimal', '9223372036854775808'],
      ['2.5', 'Edm.Double', 2.5],
      ['1e3', 'Edm.Double', 1000],
      ['INF', 'Edm.Double', Number.POSITIVE_INFINITY],
      ['5L', 'Edm.Int64', 5n],
      ['5M', 'Edm.Decimal', '5'],
      ['5D', 'Edm.Double', 5],
      ['5F', 'Edm.Single', 5],
      ['true', 'Edm.Boolean', true],
      ["'5'", 'Edm.String', '5'],
      [`guid'${guid}'`, 'Edm.Guid', guid],
      ["X'00'", 'Edm.Binary', Uint8Array.of(0)],
      ["datetime'2012-05-29T09:13:28'", 'Edm.DateTime', new Date('2012-05-29T09:13:28Z')],
      ["datetimeoffset'2012-05-29T09:13:28Z'", 'Edm.DateTimeOffset', new Date('2012-05-29T09:13:28Z')],
      ["time'PT1H'", 'Edm.Time', '01:00:00'],
      ['null', null, null],
    ])('MUST parse %s as %s', (source, type, value) => {
      expect(naturalLiteral(syntaxOf(source))).toEqual({ kind: 'Literal', type, value })
    })

    it.each([
      "guid'x'",
      "X'0'",
      "datetime'2012-02-30T00:00:00'",
      "time'PT24H'",
      '1e400',
      '1e39F',
      '9223372036854775808L',
    ])('MUST reject %s', (source) => {
      expect(naturalLiteral(syntaxOf(source))).toBeUndefined()
    })
  })

  describe('Values of an application', () => {
    const given = (value: unknown): LiteralSyntax => ({
      kind: 'Literal',
      form: 'Value',
      text: '',
      position: 0,
      value,
    })

    it.each([
      [5, 'Edm.Int64', 5n],
      [5, 'Edm.Decimal', '5'],
      ['2.50', 'Edm.Decimal', '2.50'],
      ["it's", 'Edm.String', "it's"],
      ['2012-05-29T09:13:28', 'Edm.DateTime', new Date('2012-05-29T09:13:28Z')],
      ['09:13:28', 'Edm.Time', '09:13:28'],
      [null, 'Edm.Int32', null],
      [undefined, 'Edm.Int32', null],
    ] as const)('MUST accept %j as %s', (value, type, expected) => {
      expect(literalAs(given(value), type)?.value).toEqual(expected)
    })

    it.each([
      ['5', 'Edm.Int32'],
      [2.5, 'Edm.Int32'],
      [5, 'Edm.String'],
      ['x', 'Edm.Guid'],
      [{}, 'Edm.String'],
    ] as const)('MUST NOT accept %j as %s', (value, type) => {
      expect(literalAs(given(value), type)).toBeUndefined()
    })

    it.each([
      ['x', 'Edm.String'],
      [true, 'Edm.Boolean'],
      [5n, 'Edm.Int64'],
      [5, 'Edm.Int32'],
      [2 ** 31, 'Edm.Int64'],
      [2.5, 'Edm.Double'],
      [2 ** 60, 'Edm.Double'],
      [new Date(0), 'Edm.DateTime'],
      [Uint8Array.of(1), 'Edm.Binary'],
      [null, null],
      [undefined, null],
    ])('MUST infer the type of %p', (value, type) => {
      expect(naturalLiteral(given(value))?.type).toBe(type)
    })

    it('MUST reject values that have no simple type', () => {
      for (const value of [{}, [], () => 1, Symbol('x')]) expect(naturalLiteral(given(value))).toBeUndefined()
    })
  })
})
