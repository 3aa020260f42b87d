import { fc, runs } from '../../support/random.js'
import { formatDecimal } from '../../../lib/edm/primitive-types/decimal.js'
import { primitiveTypes } from '../../../lib/edm/primitive-types/primitive-types.js'

describe('Edm.Decimal', () => {
  const type = primitiveTypes['Edm.Decimal']

  it.each([
    ['2.50', '2.50'],
    ['-0.001', '-0.001'],
    ['79228162514264337593543950335', '79228162514264337593543950335'],
    ['0.1234567890123456789012345678', '0.1234567890123456789012345678'],
    ['1E2', '100'],
    ['+3', '3'],
  ])('MUST parse %s as %s', (text, expected) => {
    expect(type.parse(text)).toBe(expected)
  })

  it.each(['', '1.', '.5', 'abc', '1,5', 'NaN', 'INF', '2.5M'])('MUST reject %j', (text) => {
    expect(type.parse(text)).toBeUndefined()
  })

  it.each([
    ['2.50', '2.50M'],
    [2.5, '2.5M'],
    [1e21, '1000000000000000000000M'],
    [1e-7, '0.0000001M'],
    [5n, '5M'],
    ['1e3', '1000M'],
    ['+2', '2M'],
  ])('MUST format %p as %s, without exponent and plus sign', (value, literal) => {
    expect(type.formatLiteral(value)).toBe(literal)
  })

  it.each([['abc'], [Number.NaN], [Number.POSITIVE_INFINITY], [true], [{}], [null]])(
    'MUST NOT format %p',
    (value) => {
      expect(type.toOperand(value)).toBeUndefined()
      expect(() => formatDecimal(value)).toThrow(TypeError)
    },
  )

  it('MUST order by value, not as strings', () => {
    const compare = (a: unknown, b: unknown): number =>
      Math.sign(type.compare(type.toOperand(a) ?? '', type.toOperand(b) ?? ''))
    expect(compare('2.5', '2.50')).toBe(0)
    expect(compare('10', '9')).toBe(1)
    expect(compare('-10', '-9')).toBe(-1)
    expect(compare('0.1', 0.1)).toBe(0)
    expect(compare('9007199254740993', '9007199254740992')).toBe(1)
    expect(compare('79228162514264337593543950335.1', '79228162514264337593543950335')).toBe(1)
  })

  it('MUST preserve the digits of the provider', () => {
    const digits = fc
      .tuple(fc.bigInt(-(10n ** 28n), 10n ** 28n), fc.option(fc.stringMatching(/^\d{1,20}$/)))
      .map(([whole, fraction]) => (fraction === null ? String(whole) : `${whole}.${fraction}`))
    fc.assert(
      fc.property(digits, (text) => {
        expect(formatDecimal(text)).toBe(text)
        const operand = type.toOperand(text)
        expect(operand && type.toValue(operand)).toBe(text)
      }),
    )
  })
})

describe.each([
  ['Edm.Double', 'D'],
  ['Edm.Single', 'F'],
] as const)('%s', (name, suffix) => {
  const type = primitiveTypes[name]

  it.each([
    ['2.5', 2.5],
    ['-2.5', -2.5],
    ['+2', 2],
    ['1E3', 1000],
    ['1e+3', 1000],
    ['25e-1', 2.5],
    ['NaN', Number.NaN],
    ['INF', Number.POSITIVE_INFINITY],
    ['-INF', Number.NEGATIVE_INFINITY],
  ])('MUST parse %s', (text, value) => {
    expect(type.parse(text)).toBe(value)
  })

  it.each([
    '',
    '.',
    '1.',
    '.5',
    '1e',
    'Infinity',
    '-Infinity',
    'nan',
    'inf',
    '+INF',
    '0x1',
    '1e400',
    '-1e400',
    '2.5D',
  ])('MUST reject %j', (text) => {
    expect(type.parse(text)).toBeUndefined()
  })

  it.each([
    [2.5, '2.5'],
    [-2, '-2'],
    [0, '0'],
    [1e21, '1E+21'],
    [1e-7, '1E-7'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'INF'],
    [Number.NEGATIVE_INFINITY, '-INF'],
  ])('MUST format %p as %s and its suffix', (value, text) => {
    expect(type.formatLiteral(value)).toBe(text + suffix)
  })

  it('MUST order NaN below -INF, and INF above every number', () => {
    const ascending = [
      Number.NaN,
      Number.NEGATIVE_INFINITY,
      -1e30,
      -1,
      0,
      1e-30,
      1,
      1e30,
      Number.POSITIVE_INFINITY,
    ]
    expect([...ascending].reverse().sort(type.compare)).toEqual(ascending)
    expect(type.compare(Number.NaN, Number.NaN)).toBe(0)
    expect(type.compare(0, -0)).toBe(0)
  })

  it('MUST accept only numbers', () => {
    for (const value of ['2.5', 2n, true, null, undefined]) expect(type.toOperand(value)).toBeUndefined()
  })
})

describe('Edm.Double', () => {
  const type = primitiveTypes['Edm.Double']

  it('MUST format the shortest string that identifies the number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(type.parse(type.formatLiteral(value).slice(0, -1))).toBe(value)
      }),
    )
    expect(type.formatLiteral(Number.MAX_VALUE)).toBe('1.7976931348623157E+308D')
    expect(type.formatLiteral(Number.MIN_VALUE)).toBe('5E-324D')
    expect(type.formatLiteral(0.1 + 0.2)).toBe('0.30000000000000004D')
  })
})

describe('Edm.Single', () => {
  const type = primitiveTypes['Edm.Single']

  it.each([
    [0.1, '0.1F'],
    [Math.fround(0.1), '0.1F'],
    [16777216, '16777216F'],
    [3.14159274, '3.1415927F'],
    [1e38, '1E+38F'],
    [3.4028234663852886e38, '3.4028235E+38F'],
    [1.401298464324817e-45, '1E-45F'],
    [1.1754943508222875e-38, '1.1754944E-38F'],
    [33554432, '33554432F'],
  ])('MUST format %p as %s, the shortest string that identifies the 32 bits', (value, literal) => {
    expect(type.formatLiteral(value)).toBe(literal)
  })

  it('MUST round-trip every value, to the bit', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(type.parse(type.formatLiteral(value).slice(0, -1))).toBe(value)
      }),
      { numRuns: runs(1000) },
    )
  })

  it('MUST parse to 32 bits, and reject larger values', () => {
    expect(type.parse('0.1')).toBe(Math.fround(0.1))
    expect(type.parse('3.5E+38')).toBeUndefined()
    expect(type.toOperand(0.1)).toBe(Math.fround(0.1))
  })
})
