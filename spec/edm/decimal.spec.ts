import { fc } from '../support/random.js'
import {
  addDecimals,
  ceilingDecimal,
  compareDecimals,
  Decimal,
  decimalFromNumber,
  decimalToNumber,
  divideDecimals,
  floorDecimal,
  multiplyDecimals,
  negateDecimal,
  parseDecimal,
  remainderOfDecimals,
  roundDecimal,
  truncateDecimal,
} from '../../lib/edm/decimal.js'

/** Decimals of up to 40 digits, with scales that do and do not agree. */
const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.integer({ min: 0, max: 20 }))
  .map(([coefficient, scale]) => new Decimal(coefficient, scale))

const unit = 10n ** 40n

/** The value as a whole number of 10^-40: exact for every decimal used here. */
function scaled({ coefficient, scale }: Decimal): bigint {
  return coefficient * 10n ** BigInt(40 - scale)
}

function read(text: string): Decimal {
  const value = parseDecimal(text)
  if (value === undefined) throw new Error(`Not a decimal: ${text}`)
  return value
}

function strings(compute: (a: Decimal, b: Decimal) => Decimal | undefined) {
  return (a: string, b: string): string | undefined => compute(read(a), read(b))?.toString()
}

describe('parseDecimal', () => {
  it.each([
    ['0', '0'],
    ['2.50', '2.50'],
    ['-0.1', '-0.1'],
    ['+7', '7'],
    ['007.10', '7.10'],
    ['1E3', '1000'],
    ['1.25e2', '125'],
    ['1.2345E2', '123.45'],
    ['5e-3', '0.005'],
    ['-12.5E-2', '-0.125'],
    ['79228162514264337593543950335', '79228162514264337593543950335'],
    ['0.0000000000000000000000000001', '0.0000000000000000000000000001'],
    ['123456789012345678901234567890.123456789', '123456789012345678901234567890.123456789'],
  ])('MUST parse %s as %s, digit by digit', (text, expected) => {
    expect(parseDecimal(text)?.toString()).toBe(expected)
  })

  it.each([
    '',
    '.',
    '1.',
    '.5',
    '1,5',
    '0x10',
    '1e',
    'e5',
    '--1',
    '1 ',
    ' 1',
    'NaN',
    'INF',
    '1M',
    '1_000',
    '١',
  ])('MUST reject %j', (text) => {
    expect(parseDecimal(text)).toBeUndefined()
  })

  it('MUST reject an exponent that would fill the memory', () => {
    for (const text of ['1e401', '1e999999999', '1e-999999999', '1e99999999999999']) {
      expect(parseDecimal(text)).toBeUndefined()
    }
  })

  it('MUST parse every decimal that it formats', () => {
    fc.assert(
      fc.property(decimal, (value) => {
        expect(read(value.toString())).toEqual(value)
      }),
    )
  })
})

describe('Decimals and numbers', () => {
  it.each([
    [0.1, '0.1'],
    [-2.5, '-2.5'],
    [1e21, '1000000000000000000000'],
    [1e-7, '0.0000001'],
    [0, '0'],
  ])('MUST convert %p to its shortest decimal', (value, expected) => {
    expect(decimalFromNumber(value)?.toString()).toBe(expected)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'MUST NOT convert %p',
    (value) => {
      expect(decimalFromNumber(value)).toBeUndefined()
    },
  )

  it('MUST convert decimals to numbers and back', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(decimalToNumber(decimalFromNumber(value) ?? new Decimal(1n, 0))).toBe(value + 0)
      }),
    )
  })
})

describe('Arithmetic of decimals', () => {
  it('MUST equal that of scaled integers', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        expect(scaled(addDecimals(a, b))).toBe(scaled(a) + scaled(b))
        expect(scaled(multiplyDecimals(a, b)) * unit).toBe(scaled(a) * scaled(b))
        expect(scaled(negateDecimal(a))).toBe(-scaled(a))
        expect(Math.sign(compareDecimals(a, b))).toBe(
          scaled(a) < scaled(b) ? -1 : scaled(a) > scaled(b) ? 1 : 0,
        )
        expect(truncateDecimal(a)).toBe(scaled(a) / unit)
      }),
    )
  })

  it('MUST give a remainder the sign of the dividend', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const remainder = remainderOfDecimals(a, b)
        if (b.coefficient === 0n) expect(remainder).toBeUndefined()
        else expect(remainder && scaled(remainder)).toBe(scaled(a) % scaled(b))
      }),
    )
  })

  it('MUST divide with an error of at most half a unit of the 28th digit', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const quotient = divideDecimals(a, b)
        if (b.coefficient === 0n || quotient === undefined) {
          expect([quotient, b.coefficient]).toEqual([undefined, 0n])
          return
        }
        const error = scaled(quotient) * scaled(b) - scaled(a) * unit
        const half = (scaled(b) * 10n ** 12n) / 2n
        expect((error < 0n ? -error : error) <= (half < 0n ? -half : half)).toBe(true)
        expect(quotient.scale).toBeLessThanOrEqual(28)
      }),
    )
  })

  it.each([
    ['0.1', '0.2', '0.3'],
    ['2.50', '2.5', '5.00'],
    ['99999999999999999999', '1', '100000000000000000000'],
    ['-1.5', '1.5', '0.0'],
  ])('%s add %s MUST be %s', (a, b, sum) => {
    expect(strings(addDecimals)(a, b)).toBe(sum)
  })

  it.each([
    ['10', '4', '2.5'],
    ['1', '3', '0.3333333333333333333333333333'],
    ['2', '3', '0.6666666666666666666666666667'],
    ['-2', '3', '-0.6666666666666666666666666667'],
    ['0.00', '7', '0'],
    ['100', '10', '10'],
    ['0.0000000000000000000000000001', '2', '0'],
    ['0.0000000000000000000000000003', '2', '0.0000000000000000000000000002'],
    ['1', '0.0', undefined],
  ])('%s div %s MUST be %s', (a, b, quotient) => {
    expect(strings(divideDecimals)(a, b)).toBe(quotient)
  })

  it.each([
    ['7.5', '2', '1.5'],
    ['-7.5', '2', '-1.5'],
    ['7.5', '-2', '1.5'],
    ['1', '0.3', '0.1'],
    ['1', '0', undefined],
  ])('%s mod %s MUST be %s', (a, b, remainder) => {
    expect(strings(remainderOfDecimals)(a, b)).toBe(remainder)
  })

  it('MUST treat numbers of different scale as equal', () => {
    expect(compareDecimals(read('2.5'), read('2.500'))).toBe(0)
    expect(compareDecimals(read('-0'), read('0.00'))).toBe(0)
  })
})

describe('Rounding of decimals', () => {
  it.each([
    ['2.5', '3', '2', '3'],
    ['-2.5', '-3', '-3', '-2'],
    ['2.49', '2', '2', '3'],
    ['-2.49', '-2', '-3', '-2'],
    ['0.5', '1', '0', '1'],
    ['-0.5', '-1', '-1', '0'],
    ['3.00', '3', '3', '3'],
    ['-3', '-3', '-3', '-3'],
    ['12345678901234567890.5', '12345678901234567891', '12345678901234567890', '12345678901234567891'],
  ])('MUST round %s to %s (half away from zero), down to %s, up to %s', (text, round, floor, ceiling) => {
    const value = read(text)
    expect([roundDecimal(value), floorDecimal(value), ceilingDecimal(value)].map(String)).toEqual([
      round,
      floor,
      ceiling,
    ])
  })

  it('MUST return a floor and a ceiling around every number', () => {
    fc.assert(
      fc.property(decimal, (value) => {
        const [floor, round, ceiling] = [floorDecimal(value), roundDecimal(value), ceilingDecimal(value)].map(
          scaled,
        )
        expect(floor).toBe(scaled(value) - (((scaled(value) % unit) + unit) % unit))
        expect(ceiling).toBe(floor === scaled(value) ? floor : (floor ?? 0n) + unit)
        expect([floor, ceiling]).toContain(round)
      }),
    )
  })
})
