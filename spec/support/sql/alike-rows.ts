import { fc } from '../random.js'
import type { FilledKind } from './model-tables.js'

type Row = Readonly<Record<string, unknown>>

/** The rows that are both in a database and in memory. */
export interface AlikeRows {
  readonly Categories: readonly Row[]
  readonly Products: readonly Row[]
  readonly Manuals: readonly Row[]
  /** Pairs of keys of products, the older in front, each once. */
  readonly successions: readonly (readonly [number, number])[]
}

/** Strings that look alike, sort in unusual ways, or have a meaning to a database. */
export const alikeStrings = [
  '',
  ' ',
  'a',
  'A',
  'ab',
  'aB',
  'b',
  'Gouda',
  'gouda',
  "it's",
  '"x"',
  'a%b',
  '%',
  '_',
  'a_b',
  '\\',
  '\\%',
  ' a ',
  '\u00a0x\u3000',
  'ß',
  'SS',
  'é',
  'e\u0301',
  'İ',
  'ı',
  'Σς',
  '1',
  '10',
  '\u{1F600}',
  'a\u{1F600}b',
  '\ue000',
  '\ufffd',
  '\uffff',
  'a\nb',
  'a\tb ',
  '--',
  '$1',
  '?',
]

const text = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...alikeStrings) },
  fc.string({ unit: fc.constantFrom('a', 'b', 'A', ' ', "'", '%', '\u{1F600}', 'é'), maxLength: 8 }),
)

const whole = (least: number, most: number): fc.Arbitrary<number> =>
  fc.oneof(fc.constantFrom(0, 1, 2, 3, least, most), fc.integer({ min: least, max: most }))
const least64 = -(2n ** 63n)
const long = fc.oneof(
  fc.constantFrom(0n, 1n, 5n, -7n, 2n ** 53n, 2n ** 53n + 1n, -least64 - 1n, least64),
  fc.bigInt({ min: least64, max: -least64 - 1n }),
)
const decimal = fc.oneof(
  fc.constantFrom('0', '0.10', '0.1', '2.5', '2.50', '-2.50', '9007199254740993.01', '-0.0000000001'),
  fc.constantFrom('123456789012345678.0123456789', '123456789012345678.0123456788', '100000000000000000000'),
  fc
    .tuple(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: 0, max: 99 }))
    .map(([units, rest]) => `${units}.${String(rest).padStart(2, '0')}`),
)

function withTenDigits(text: string): string {
  const [whole = '', fraction = ''] = text.split('.')
  return `${whole}.${fraction.padEnd(10, '0')}`
}

const anyDouble = [0.1, 0.5, 2.5, -2.5, 3, 1e21, 1e-7, 5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, 2 ** 53]
const infinite = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
/** SQLite has no NaN and no negative zero. */
const unusual: Readonly<Record<FilledKind, readonly number[]>> = {
  sqlite: [0],
  postgres: [0, -0, Number.NaN],
  mysql: [0],
  duckdb: [0, -0, Number.NaN],
}
const dateTimes = [
  '0001-01-01T00:00:00',
  '1752-12-31T23:59:59.999999',
  '1969-12-31T23:59:59.5',
  '2012-02-29T00:00:00',
  '2012-02-29T00:00:00.000001',
  '2012-05-29T09:13:28.12',
  '2012-05-29T09:13:28.120001',
  '9999-12-31T23:59:59.999999',
]
const dateTime = fc.oneof(
  fc.constantFrom(...dateTimes),
  fc.date({ min: new Date('1800-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
)
/** With a blank between date and time, and without seconds: forms that a text column may have. */
const instant = dateTime.map((value) => (typeof value === 'string' ? `${value}Z` : value))
const time = fc.constantFrom('00:00:00', '09:13:28', '09:13:28.000001', '23:59:59.999999', '12:00:00')
const guid = fc.constantFrom(
  '00000000-0000-0000-0000-000000000000',
  '12345678-aaaa-bbbb-cccc-ddddeeeeffff',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '01000000-0000-0000-0000-000000000000',
  '00000001-0000-0000-0000-000000000000',
)
const bytes = fc.constantFrom(new Uint8Array(0), Uint8Array.of(0), Uint8Array.of(15, 160), Uint8Array.of(255))

function perhaps<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(value, { nil: null, freq: 5 })
}

/** Random rows as a database of a kind can hold them exactly. */
export function alikeRows(kind: FilledKind): fc.Arbitrary<AlikeRows> {
  const double = fc.oneof(
    fc.constantFrom(...anyDouble, ...infinite, ...unusual[kind]),
    fc.double({ min: -1e3, max: 1e3, noNaN: true }).map((value) => value + 0),
  )
  const single = fc.constantFrom(
    ...[0.5, 2.5, -3, 1e10, ...infinite, ...unusual[kind], 0.1, 16777216].map(Math.fround),
  )
  const product = fc.record({
    Name: perhaps(text),
    // DuckDB returns all digits of the type of the column.
    Price: perhaps(kind === 'duckdb' ? decimal.map(withTenDigits) : decimal),
    Stock: perhaps(long),
    Rating: perhaps(whole(-32768, 32767)),
    Small: perhaps(whole(0, 255)),
    Tiny: perhaps(whole(-128, 127)),
    Weight: perhaps(double),
    Discount: perhaps(single),
    Active: perhaps(fc.boolean()),
    Released: perhaps(dateTime),
    Changed: perhaps(instant),
    Opens: perhaps(time),
    Code: perhaps(guid),
    Pic: perhaps(bytes),
    Items: perhaps(whole(-2147483648, 2147483647)),
    Dims: fc.record({
      W: perhaps(double),
      Unit: perhaps(text),
      Box: fc.record({ Depth: perhaps(whole(-9, 9)) }),
    }),
    CategoryID: perhaps(fc.integer({ min: 1, max: 8 })),
  })
  const category = fc.record({
    Name: text,
    Note: perhaps(text),
    Rank: perhaps(whole(-32768, 32767)),
    ParentID: perhaps(fc.integer({ min: 1, max: 8 })),
  })
  const manual = fc.record({
    Title: text,
    Edition: fc.integer({ min: 0, max: 3 }),
    Pages: perhaps(whole(0, 2147483647)),
  })
  return fc
    .record({
      Categories: fc.array(category, { minLength: 6, maxLength: 6 }),
      Products: fc.array(product, { minLength: 24, maxLength: 24 }),
      Manuals: fc.uniqueArray(manual, {
        minLength: 4,
        maxLength: 10,
        selector: ({ Title, Edition }) => `${Title} ${Edition}`,
      }),
      manualOf: fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 8, maxLength: 8 }),
      successorOf: fc.array(fc.option(fc.integer({ min: 1, max: 24 }), { nil: 0, freq: 3 }), {
        minLength: 24,
        maxLength: 24,
      }),
    })
    .map(({ Categories, Products, Manuals, manualOf, successorOf }) => ({
      Categories: Categories.map((row, index) => ({ ID: index + 1, ...row })),
      Products: Products.map((row, index) => ({ ID: index + 1, ...row })),
      Manuals: Manuals.map((row, index) => ({ ...row, ProductID: manualOf[index] ?? null })),
      successions: successorOf.flatMap((next, index) => (next === 0 ? [] : [[index + 1, next] as const])),
    }))
}
