import { fc } from '../../support/random.js'
import type { PrimitiveTypeName } from '../../../lib/edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../../lib/edm/primitive-types/primitive-types.js'

describe.each([
  ['Edm.Byte', 0, 255],
  ['Edm.SByte', -128, 127],
  ['Edm.Int16', -32768, 32767],
  ['Edm.Int32', -2147483648, 2147483647],
] as const)('%s', (name, minimum, maximum) => {
  const type = primitiveTypes[name]

  it('MUST parse exactly the values of its range', () => {
    expect([String(minimum), String(maximum)].map(type.parse)).toEqual([minimum, maximum])
    expect([String(minimum - 1), String(maximum + 1), '9'.repeat(400)].map(type.parse)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('MUST parse signs and leading zeros', () => {
    expect(type.parse('+5')).toBe(5)
    expect(type.parse('007')).toBe(7)
    expect(type.parse('-0')).toBe(0)
  })

  it.each(['', '-', '+', '1.0', '1e2', '0x1', ' 1', '1 ', '5L', '--1', '١', 'NaN', 'Infinity', '1_0'])(
    'MUST reject %j',
    (text) => {
      expect(type.parse(text)).toBeUndefined()
    },
  )

  it('MUST format only the digits', () => {
    expect([minimum, 0, maximum].map(type.formatLiteral)).toEqual([String(minimum), '0', String(maximum)])
    expect(type.formatLiteral(-0)).toBe('0')
  })

  it('MUST accept only whole numbers', () => {
    expect([5, 5n].map(type.toOperand)).toEqual([5, 5n])
    for (const value of [1.5, Number.NaN, '5', true, null, undefined, {}]) {
      expect(type.toOperand(value)).toBeUndefined()
    }
  })
})

describe('Edm.Int64', () => {
  const type = primitiveTypes['Edm.Int64']

  it('MUST parse exactly the values of its range', () => {
    expect(type.parse('9223372036854775807')).toBe(9223372036854775807n)
    expect(type.parse('-9223372036854775808')).toBe(-9223372036854775808n)
    expect(type.parse('9223372036854775808')).toBeUndefined()
    expect(type.parse('-9223372036854775809')).toBeUndefined()
    expect(type.parse('9007199254740993')).toBe(9007199254740993n)
    expect(type.parse('+5')).toBe(5n)
  })

  it.each(['', '-', '1.0', '1e2', '0x1', ' 1', '5L', 'n', '1n'])('MUST reject %j', (text) => {
    expect(type.parse(text)).toBeUndefined()
  })

  it.each([
    [5n, '5L'],
    [-9223372036854775808n, '-9223372036854775808L'],
    [5, '5L'],
    ['9007199254740993', '9007199254740993L'],
  ])('MUST format %p as %s', (value, literal) => {
    expect(type.formatLiteral(value)).toBe(literal)
  })

  it('MUST accept bigints, safe integers and digit strings from providers', () => {
    const value = (given: unknown): unknown => {
      const operand = type.toOperand(given)
      return operand === undefined ? undefined : type.toValue(operand)
    }
    expect([5n, 5, '9007199254740993', '-1', -0].map(value)).toEqual([5n, 5n, 9007199254740993n, -1n, 0n])
    for (const given of [2 ** 53, 1.5, '1.5', '', 'abc', true, null]) expect(value(given)).toBeUndefined()
  })

  it('MUST be exact beyond 2^53 as number, bigint and string', () => {
    fc.assert(
      fc.property(
        fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
        fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
        (a, b) => {
          const operands = [a, b].map((one) => type.toOperand(String(one)) ?? 0n) as [bigint, bigint]
          expect(Math.sign(type.compare(...operands))).toBe(a < b ? -1 : a > b ? 1 : 0)
          expect(type.parse(type.formatLiteral(a).slice(0, -1))).toBe(a)
        },
      ),
    )
    expect(type.compare(9007199254740993n, 9007199254740992)).toBe(1)
    expect(type.compare(9007199254740992, 9007199254740993n)).toBe(-1)
  })
})

describe('Edm.Boolean', () => {
  const type = primitiveTypes['Edm.Boolean']

  it('MUST parse true, false, 1 and 0', () => {
    expect(['true', 'false', '1', '0'].map(type.parse)).toEqual([true, false, true, false])
    for (const text of ['', 'True', 'TRUE', 'yes', '2', '01']) expect(type.parse(text)).toBeUndefined()
  })

  it('MUST format true and false, and order false before true', () => {
    expect([true, false].map(type.formatLiteral)).toEqual(['true', 'false'])
    expect(type.compare(false, true)).toBeLessThan(0)
    expect(type.compare(true, true)).toBe(0)
    for (const value of [1, 0, 'true', null]) expect(type.toOperand(value)).toBeUndefined()
  })
})

describe('the table of simple types', () => {
  it('MUST have the fifteen types of the specification, each under its own name', () => {
    const names = Object.keys(primitiveTypes) as PrimitiveTypeName[]
    expect(names.map((name) => primitiveTypes[name].name)).toEqual(names)
    expect([...names].sort()).toEqual(
      [
        'Binary Boolean Byte DateTime DateTimeOffset Decimal Double Guid Int16 Int32 Int64 SByte Single String Time',
      ].flatMap((all) => all.split(' ').map((short) => `Edm.${short}`)),
    )
  })
})
