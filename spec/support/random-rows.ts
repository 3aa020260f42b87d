import { fc } from './random.js'
import type { Row } from '../../lib/evaluation/row.js'
import type { ReferenceType } from './reference-evaluator.js'

/** The entity types Product and Category of the protocol model, as the reference evaluator wants them. */
export const referenceProduct: ReferenceType = {
  name: 'NW.Product',
  properties: {
    ID: 'Int32',
    Name: 'String',
    Price: 'Decimal',
    Stock: 'Int64',
    Rating: 'Int16',
    Small: 'Byte',
    Tiny: 'SByte',
    Weight: 'Double',
    Discount: 'Single',
    Active: 'Boolean',
    Released: 'DateTime',
    Changed: 'DateTimeOffset',
    Opens: 'Time',
    Code: 'Guid',
    Pic: 'Binary',
    Items: 'Int32',
  },
  members: { Dims: () => size, Category: () => referenceCategory, Successor: () => referenceProduct },
}

const referenceCategory: ReferenceType = {
  name: 'NW.Category',
  properties: { ID: 'Int32', Name: 'String', Note: 'String', Rank: 'Int16' },
  members: { Parent: () => referenceCategory },
}

const size: ReferenceType = {
  name: 'NW.Size',
  properties: { W: 'Double', Unit: 'String' },
  members: { Box: () => ({ name: 'NW.Box', properties: { Depth: 'Int32' }, members: {} }) },
}

const text = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('', 'a', 'A', 'ab', 'Gouda', "it's", ' a ', '\u00a0x\u3000', 'ß', '1'),
  },
  { weight: 2, arbitrary: fc.constantFrom('😀', 'a😀b', '\ue000', 'é', '\uffff', 'a\nb') },
  {
    weight: 1,
    arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', 'A', ' ', "'", '😀', 'é'), maxLength: 8 }),
  },
)
const short = (least: number, most: number): fc.Arbitrary<number> =>
  fc.oneof(fc.constantFrom(0, 1, 2, 5, least, most), fc.integer({ min: least, max: most }))
const decimal = fc.oneof(
  fc.constantFrom('0', '0.10', '2.5', '-2.50', '9007199254740993.01', '0.00000000000000000001', 7, 0.1, -3),
  fc
    .tuple(fc.integer({ min: -100_000, max: 100_000 }), fc.integer({ min: 0, max: 99 }))
    .map(([whole, rest]) => `${whole}.${String(rest).padStart(2, '0')}`),
)
const long = fc.oneof(
  fc.constantFrom(0n, 5n, 5, '-7', 9007199254740993n, 9223372036854775807n, -9223372036854775808n),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
)
const double = fc.oneof(
  fc.constantFrom(
    0,
    0.1,
    0.5,
    2.5,
    -2.5,
    1e21,
    1e-7,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ),
  fc.double({ min: -1e6, max: 1e6 }).map((value) => value + 0),
)
const moments = [
  '1969-12-31T23:59:59.9999999',
  '2012-02-29T00:00:00',
  '2012-05-29T09:13:28.12',
  '1000-03-01T12:00:00',
]
const dateTime = fc.oneof(
  fc.constantFrom(...moments),
  fc.date({ min: new Date('1800-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
)
const dateTimeOffset = fc.oneof(
  fc.constantFrom('2012-05-29T11:13:28.12+02:00', '2012-12-31T23:30:00-05:30', '2012-02-29T00:00:00Z'),
  fc.date({ min: new Date('1800-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
)
const time = fc.constantFrom('00:00:00', '09:13:28', '09:13:28.0000001', '23:59:59.9999999', '12:00')
const guid = fc.constantFrom(
  '00000000-0000-0000-0000-000000000000',
  '12345678-AAAA-bbbb-cccc-ddddeeeeffff',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
)
const bytes = fc.constantFrom(new Uint8Array(0), Uint8Array.of(0), Uint8Array.of(15, 160))

/** Values as providers give them; now and then one is null or missing. */
function perhaps<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> {
  return fc.oneof(
    { weight: 14, arbitrary: value },
    { weight: 1, arbitrary: fc.constantFrom(null, undefined) },
  )
}

const plainCategory = {
  ID: short(-2147483648, 2147483647),
  Name: text,
  Note: perhaps(text),
  Rank: perhaps(short(-32768, 32767)),
}
const category = fc.record({ ...plainCategory, Parent: perhaps(fc.record(plainCategory)) })
const plainProduct = {
  ID: short(-2147483648, 2147483647),
  Name: perhaps(text),
  Price: perhaps(decimal),
  Stock: perhaps(long),
  Rating: perhaps(short(-32768, 32767)),
  Small: perhaps(short(0, 255)),
  Tiny: perhaps(short(-128, 127)),
  Weight: perhaps(double),
  Discount: perhaps(double),
  Active: perhaps(fc.boolean()),
  Released: perhaps(dateTime),
  Changed: perhaps(dateTimeOffset),
  Opens: perhaps(time),
  Code: perhaps(guid),
  Pic: perhaps(bytes),
  Items: perhaps(short(-100, 100)),
  Dims: perhaps(
    fc.record({
      W: perhaps(double),
      Unit: perhaps(text),
      Box: perhaps(fc.record({ Depth: perhaps(short(-9, 9)) })),
    }),
  ),
}

/** Products with related entities inside them. */
export const randomProduct: fc.Arbitrary<Row> = fc.record({
  ...plainProduct,
  Category: perhaps(category),
  Successor: perhaps(fc.record(plainProduct)),
})
