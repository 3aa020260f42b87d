import type { Row } from '../../lib/evaluation/row.js'
import { filterOutcome } from '../support/expressions.js'

const operators = ['lt', 'le', 'eq', 'ne', 'ge', 'gt'] as const

/** The results of the six operators for a value that is less than, equal to, or greater than another. */
function expected(order: number): boolean[] {
  return [order < 0, order <= 0, order === 0, order !== 0, order >= 0, order > 0]
}

interface Ladder {
  readonly property: string
  /** Rows whose values rise, with the literals of those values. */
  readonly steps: readonly (readonly [value: unknown, literal: string])[]
}

const day = new Date('2012-05-29T09:13:28.120Z')
const ladders: readonly Ladder[] = [
  {
    property: 'Name',
    steps: [
      ['', "''"],
      ['A', "'A'"],
      ['AB', "'AB'"],
      ['B', "'B'"],
      ['a', "'a'"],
      ["it's", "'it''s'"],
      ['\ue000', "'\ue000'"],
      ['😀', "'😀'"],
    ],
  },
  {
    property: 'Small',
    steps: [
      [0, '0'],
      [9, '9'],
      [10, '10L'],
      [255, '255.0'],
    ],
  },
  {
    property: 'ID',
    steps: [
      [-2147483648, '-2147483648'],
      [-1, '-1M'],
      [0, '0.0'],
      [5, '5F'],
      [2147483647, '2147483647'],
    ],
  },
  {
    property: 'Stock',
    steps: [
      [-9223372036854775808n, '-9223372036854775808L'],
      [9007199254740992n, '9007199254740992'],
      ['9007199254740993', '9007199254740993M'],
      [9007199254740994n, '9007199254740994L'],
      [9223372036854775807n, '9223372036854775807'],
    ],
  },
  {
    property: 'Price',
    steps: [
      ['-0.05', '-0.05'],
      [0, '0'],
      ['0.1', '0.10M'],
      ['0.10000000000000000001', '0.10000000000000000001'],
      ['12.5', '12.50'],
      ['9007199254740993', '9007199254740993'],
      ['9007199254740993.5', '9007199254740993.5M'],
      ['9'.repeat(400), '9'.repeat(400)],
    ],
  },
  {
    property: 'Weight',
    steps: [
      [Number.NEGATIVE_INFINITY, '-INF'],
      [-1e21, '-1e21'],
      [0, '0'],
      [0.1, '0.1D'],
      [Number.POSITIVE_INFINITY, 'INF'],
    ],
  },
  {
    property: 'Discount',
    steps: [
      [Number.NEGATIVE_INFINITY, '-INF'],
      [0.1, '0.1'],
      [0.2, '0.2F'],
      [16777216, '16777216'],
    ],
  },
  {
    property: 'Released',
    steps: [
      [new Date('0001-01-01T00:00:00Z'), "datetime'0001-01-01T00:00:00'"],
      ['1969-12-31T23:59:59.9999999', "datetime'1969-12-31T23:59:59.9999999'"],
      [day, "datetime'2012-05-29T09:13:28.12'"],
      ['2012-05-29T09:13:28.1200001', "datetime'2012-05-29T09:13:28.1200001'"],
      ['2012-05-29T09:13:28.1210000', "datetime'2012-05-29T09:13:28.121Z'"],
    ],
  },
  {
    property: 'Changed',
    steps: [
      ['2012-05-29T09:13:28+02:00', "datetimeoffset'2012-05-29T07:13:28Z'"],
      [day, "datetimeoffset'2012-05-29T11:13:28.12+02:00'"],
      ['2012-05-29T09:13:28.1200001Z', "datetimeoffset'2012-05-28T21:13:28.1200001-12:00'"],
    ],
  },
  {
    property: 'Opens',
    steps: [
      ['00:00', "time'PT0S'"],
      ['09:13:28', "time'PT09H13M28S'"],
      ['09:13:28.0000001', "time'09:13:28.0000001'"],
      ['10:00:00', "time'PT600M'"],
      ['23:59:59.9999999', "time'PT23H59M59.9999999S'"],
    ],
  },
  {
    property: 'Code',
    steps: [
      ['00000000-0000-0000-0000-000000000000', "guid'00000000-0000-0000-0000-000000000000'"],
      ['12345678-AAAA-bbbb-cccc-ddddeeeeffff', "guid'12345678-aaaa-BBBB-cccc-ddddeeeeffff'"],
      ['a2345678-aaaa-bbbb-cccc-ddddeeeeffff', "guid'A2345678-aaaa-bbbb-cccc-ddddeeeeffff'"],
    ],
  },
]

describe('Comparisons (MS-ODATA 2.2.3.6.1.1)', () => {
  describe.each(ladders)('of $property', ({ property, steps }) => {
    const pairs = steps.flatMap(([value], index) =>
      steps.map(([, literal], other) => [value, literal, Math.sign(index - other)] as const),
    )

    it.each(pairs)('MUST compare %p with %s', (value, literal, order) => {
      const row: Row = { [property]: value }
      const outcome = (filter: string): boolean[] => [filterOutcome(filter, row) === true]
      expect(operators.flatMap((operator) => outcome(`${property} ${operator} ${literal}`))).toEqual(
        expected(order),
      )
      expect(operators.flatMap((operator) => outcome(`${literal} ${operator} ${property}`))).toEqual(
        expected(-order),
      )
    })

    it('MUST compare two properties like a property and a literal', () => {
      for (const [index, [left]] of steps.entries()) {
        for (const [other, [right]] of steps.entries()) {
          const row = { [property]: left, Successor: { [property]: right } }
          const outcomes = operators.map(
            (operator) => filterOutcome(`${property} ${operator} Successor/${property}`, row) === true,
          )
          expect(outcomes).toEqual(expected(Math.sign(index - other)))
        }
      }
    })
  })

  it.each([
    ['Active eq true', { Active: true }, true],
    ['Active eq true', { Active: false }, false],
    ['Active ne true', { Active: false }, true],
    ["Pic eq X'0FA0'", { Pic: Uint8Array.of(15, 160) }, true],
    ["Pic eq binary'0FA1'", { Pic: Uint8Array.of(15, 160) }, false],
    ["Pic ne X'0F'", { Pic: Uint8Array.of(15, 160) }, true],
    ["Pic eq X''", { Pic: new Uint8Array(0) }, true],
    ["Pic eq X'0FA0'", { Pic: Buffer.from([15, 160]) }, true],
    ["(Name eq 'a') eq Active", { Name: 'a', Active: true }, true],
    ["(Name eq 'a') eq Active", { Name: 'a' }, false],
    ['ID eq 1 eq true', { ID: 1 }, true],
    ['ID lt 5 eq Weight lt 5', { ID: 1, Weight: 9 }, false],
  ])('MUST evaluate %s for %j to %p', (filter, row, outcome) => {
    expect(filterOutcome(filter, row)).toBe(outcome)
    expect(filterOutcome(`not (${filter})`, row)).toBe(!outcome)
  })

  it.each([
    ['Price eq 0.1F', { Price: '0.1' }, true],
    ['Price eq 0.1D', { Price: '0.1' }, true],
    ['Price eq 0.1M', { Price: 0.1 }, true],
    ['Discount eq 0.1M', { Discount: 0.1 }, true],
    ['Discount eq 0.1D', { Discount: 0.1 }, false],
    ['Weight eq 0.1M', { Weight: 0.1 }, true],
    ['Stock eq Weight', { Stock: 9007199254740993n, Weight: 9007199254740992 }, true],
    ['Stock eq Price', { Stock: 9007199254740993n, Price: '9007199254740992' }, false],
    ['Stock eq Discount', { Stock: 16777217n, Discount: 16777216 }, true],
    ['Small eq Tiny', { Small: 5, Tiny: 5 }, true],
    ['Rating lt Stock', { Rating: 5, Stock: 6n }, true],
    ['ID eq 16777216F', { ID: 16777217 }, true],
    ['ID gt 16777216F', { ID: 16777217 }, false],
    ['16777216F ge ID', { ID: 16777217 }, true],
    ['Price eq 16777216F', { Price: '16777217' }, true],
    ['Price gt 9007199254740992D', { Price: '9007199254740993' }, false],
    ['Weight eq 9007199254740993M', { Weight: 9007199254740992 }, true],
  ])('MUST compare in the promoted type: %s for %p is %p', (filter, row, outcome) => {
    expect(filterOutcome(filter, row)).toBe(outcome)
  })

  it.each(operators)('MUST compare with %s whole numbers from bigints', (operator) => {
    for (const ID of [4n, 5n, 6n]) {
      const outcome = expected(Number(ID) - 5)[operators.indexOf(operator)]
      expect(filterOutcome(`ID ${operator} 5`, { ID })).toBe(outcome)
      expect(filterOutcome(`ID ${operator} Rating`, { ID, Rating: 5 })).toBe(outcome)
      expect(filterOutcome(`ID ${operator} 5L`, { ID })).toBe(outcome)
    }
  })

  it.each([
    ['Name', 5, "'Name' of NW.Product holds number '5', not Edm.String."],
    ['ID', '5', "'ID' of NW.Product holds string '5', not Edm.Int32."],
    ['Released', 'yesterday', "'Released' of NW.Product holds string 'yesterday', not Edm.DateTime."],
    ['Code', 'x', "'Code' of NW.Product holds string 'x', not Edm.Guid."],
    ['Opens', '25:00', "'Opens' of NW.Product holds string '25:00', not Edm.Time."],
  ])('MUST report that %s cannot have the value %p', (property, value, message) => {
    expect(() => filterOutcome(`${property} lt ${property}`, { [property]: value })).toThrow(
      new TypeError(message),
    )
  })
})
