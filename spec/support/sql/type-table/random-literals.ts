import { codePoint, fc } from '../../random.js'

/** Literals of SQL. */
type Literals = fc.Arbitrary<string>

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Characters that XML, JSON or SQL escape, or that programs drop. */
const special = fc.constantFrom(
  ...["'", '"', '\\', '&', '<', ']]>', '\n', '\r\n', '\r', '\t', ' ', '%', '_', 'é', '\u0301', '\u{1F600}'],
)

/** Strings without U+0000, which two of the databases cannot store. */
const characters = (maxLength = 40): fc.Arbitrary<string> =>
  fc
    .string({ unit: fc.oneof(codePoint, special), maxLength })
    .map((text) => [...text.replaceAll('\0', '')].slice(0, maxLength).join(''))

export const strings = (maxLength?: number): Literals => characters(maxLength).map(quoted)

/** A string as MySQL reads it. */
export const escaped = (maxLength?: number): Literals =>
  characters(maxLength).map((text) => quoted(text.replaceAll('\\', '\\\\')))

const plain = fc.stringMatching(/^[\w .:]{0,8}$/)

/** JSON without escapes, which SQL and JSON have in common. */
export const json: Literals = fc
  .oneof(
    fc.array(fc.oneof(plain, fc.integer(), fc.boolean(), fc.constant(null))),
    fc.dictionary(plain, fc.oneof(plain, fc.double({ noDefaultInfinity: true, noNaN: true }))),
  )
  .map((value) => quoted(JSON.stringify(value)))

export function integers(bits: number, isUnsigned = false): Literals {
  const limit = 1n << BigInt(isUnsigned ? bits : bits - 1)
  return fc.bigInt({ min: isUnsigned ? 0n : -limit, max: limit - 1n }).map(String)
}

/** Numbers with all fraction digits of their scale. */
export function decimals(precision: number, scale: number): Literals {
  const limit = 10n ** BigInt(precision) - 1n
  return fc.bigInt({ min: -limit, max: limit }).map((digits) => {
    const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
    const fraction = scale === 0 ? '' : `.${text.slice(-scale)}`
    return `${digits < 0n ? '-' : ''}${scale === 0 ? text : text.slice(0, -scale)}${fraction}`
  })
}

const floatText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value))

/** Finite numbers. Those with an exponent are doubles in every database. */
export const doubles: fc.Arbitrary<number> = fc.double({ noDefaultInfinity: true, noNaN: true })
export const singles: fc.Arbitrary<number> = fc.float({ noDefaultInfinity: true, noNaN: true })

export const floats = (numbers: fc.Arbitrary<number>): Literals => numbers.map(floatText)

export const bytes = (maxLength = 30, minLength = 0): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength, maxLength }).map((all) => Buffer.from(all).toString('hex'))

export const guids: Literals = fc.uuid().map(quoted)

interface TimeRange {
  readonly first?: string
  readonly last?: string
  /** The number of fraction digits. */
  readonly digits?: number
}

/** Times without zone, `2020-02-29 10:00:00.123456`. */
export function times({
  first = '0001-01-01',
  last = '9999-12-31',
  digits = 6,
}: TimeRange = {}): fc.Arbitrary<string> {
  const seconds = fc.integer({ min: Date.parse(first) / 1000, max: Date.parse(last) / 1000 })
  return fc.tuple(seconds, fractions(digits)).map(([at, fraction]) => {
    const [whole = ''] = new Date(at * 1000).toISOString().replace('T', ' ').split('.')
    return whole + fraction
  })
}

/** Fractions of seconds; few have more digits than milliseconds. */
function fractions(digits: number): fc.Arbitrary<string> {
  if (digits === 0) return fc.constant('')
  const upTo = (count: number): fc.Arbitrary<string> =>
    fc.nat(10 ** count - 1).map((value) => `.${String(value).padStart(count, '0')}`)
  return fc.oneof(fc.constant(''), upTo(Math.min(digits, 3)), upTo(digits))
}

export const days: Literals = times({ digits: 0 }).map((text) => quoted(text.slice(0, 10)))

export const clocks = (digits = 6): fc.Arbitrary<string> => times({ digits }).map((text) => text.slice(11))
