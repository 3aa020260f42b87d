import { primitiveTypes } from '../../lib/edm/primitive-types/primitive-types.js'
import { FirstRows, scanRows } from '../../lib/evaluation/row-scan.js'
import { RowOrder } from '../../lib/evaluation/order.js'
import type { Row } from '../../lib/evaluation/row.js'
import { bindSkipToken } from '../../lib/query/bind-query-options.js'
import { totalOrder } from '../../lib/query/entity-query.js'
import { TimeSlice } from '../../lib/util/time-slice.js'
import { embeddedNavigation, orderOn } from '../support/expressions.js'
import { manualClock } from '../support/manual-clock.js'
import { setNamed } from '../support/protocol-model.js'
import { sortedRows } from '../support/sorted-rows.js'

const type = setNamed('Products').entityType

function sortedBy(orderBy: string, rows: readonly Row[]): unknown[] {
  const order = new RowOrder(totalOrder(orderOn('Products', orderBy), type), type, embeddedNavigation)
  return sortedRows(order, rows).map(({ ID }) => ID)
}

/** Sorts rows as the service does. */
async function inOrder(order: RowOrder, rows: readonly Row[], slice: TimeSlice): Promise<readonly Row[]> {
  const all = new FirstRows(order, Number.POSITIVE_INFINITY)
  await scanRows({ rows, sink: all }, slice)
  return all.rows(slice)
}

/** Rows with one property each, numbered in the order they are given. */
function rowsOf(property: string, values: readonly unknown[]): Row[] {
  return values.map((value, ID) => ({ ID, [property]: value }))
}

/** Values in the order that the protocol gives them, null first. */
const ladders: readonly (readonly [property: string, values: readonly unknown[]])[] = [
  ['Name', [null, '', 'A', 'AB', 'B', 'a', 'ab', 'é', '\ue000', '\uffff', '😀', '😀😀']],
  ['Active', [null, false, true]],
  ['Small', [null, 0, 9, 10, 255]],
  ['Stock', [null, -9223372036854775808n, -1, 0n, 9007199254740992n, '9007199254740993', 9007199254740994n]],
  [
    'Price',
    [null, '-10', '-9.99', 0, '0.1', '0.10000000000000000001', '9', '10.00', '100000000000000000000'],
  ],
  ['Weight', [null, Number.NaN, Number.NEGATIVE_INFINITY, -1, 0, 0.5, 10, Number.POSITIVE_INFINITY]],
  ['Discount', [null, Number.NaN, -0.5, 0.1, 0.2]],
  [
    'Released',
    [null, new Date('0001-01-01'), '1969-12-31T23:59:59.9999999', new Date(0), '1970-01-01T00:00:00.0000001'],
  ],
  ['Changed', [null, '2012-05-29T01:00:00+02:00', '2012-05-29T00:00:00+00:30', '2012-05-28T23:45:00Z']],
  ['Opens', [null, '00:00:00', '09:13', '09:13:28', '09:13:28.0000001', '10:00']],
  [
    'Code',
    [
      null,
      '00000000-0000-0000-0000-000000000000',
      'a0000000-0000-0000-0000-000000000000',
      'B0000000-0000-0000-0000-000000000000',
    ],
  ],
  [
    'Pic',
    [null, new Uint8Array(0), Uint8Array.of(0), Uint8Array.of(0, 0), Uint8Array.of(1), Uint8Array.of(128)],
  ],
]

describe('The order of entities (MS-ODATA 2.2.3.6.1.2)', () => {
  const clock = manualClock()

  it.each(ladders)('MUST sort by %s, null first', (property, values) => {
    const rows = rowsOf(property, values)
    const ascending = rows.map(({ ID }) => ID)
    for (const given of [rows, [...rows].reverse(), [...rows.slice(2), ...rows.slice(0, 2)]]) {
      expect(sortedBy(`${property} asc`, given)).toEqual(ascending)
      expect(sortedBy(property, given)).toEqual(ascending)
    }
  })

  it.each(ladders)('MUST sort by %s descending, null last', (property, values) => {
    const rows = rowsOf(property, values)
    const descending = rows.map(({ ID }) => ID).reverse()
    expect(sortedBy(`${property} desc`, rows)).toEqual(descending)
    expect(sortedBy(`${property} desc`, [...rows].reverse())).toEqual(descending)
  })

  it('MUST use the ascending key if terms are equal, also after descending ones', () => {
    const rows = [3, 1, 2].map((ID) => ({ ID, Name: 'x', Price: ID === 2 ? '1.0' : '1.00' }))
    expect(sortedBy('Name', rows)).toEqual([1, 2, 3])
    expect(sortedBy('Name desc', rows)).toEqual([1, 2, 3])
    expect(sortedBy('Price', rows)).toEqual([1, 2, 3])
    expect(sortedBy('null desc', rows)).toEqual([1, 2, 3])
  })

  it('MUST sort by all terms in order', () => {
    const rows = [
      { ID: 1, Name: 'b', Rating: 1 },
      { ID: 2, Name: 'a', Rating: 1 },
      { ID: 3, Name: 'a', Rating: 2 },
      { ID: 4, Rating: 2 },
    ]
    expect(sortedBy('Name,Rating desc', rows)).toEqual([4, 3, 2, 1])
    expect(sortedBy('Rating desc,Name desc', rows)).toEqual([3, 4, 1, 2])
  })

  it('MUST sort by expressions and by paths', () => {
    const rows = [
      { ID: 1, Name: 'abc', Category: { Name: 'z' }, Dims: { W: 1 } },
      { ID: 2, Name: 'b', Category: null, Dims: { W: 3 } },
      { ID: 3, Name: 'de', Category: { Name: 'y' }, Dims: null },
    ]
    expect(sortedBy('length(Name)', rows)).toEqual([2, 3, 1])
    expect(sortedBy('ID mod 2,ID desc', rows)).toEqual([2, 3, 1])
    expect(sortedBy('Category/Name', rows)).toEqual([2, 3, 1])
    expect(sortedBy('Dims/W desc', rows)).toEqual([2, 1, 3])
    expect(sortedBy("Name eq 'b' desc", rows)).toEqual([2, 1, 3])
    expect(sortedBy('Category eq null', rows)).toEqual([1, 3, 2])
  })

  it('MUST NOT change the given rows', () => {
    const rows = Object.freeze([{ ID: 2 }, { ID: 1 }])
    expect(sortedBy('ID', rows)).toEqual([1, 2])
    expect(rows.map(({ ID }) => ID)).toEqual([2, 1])
  })

  it.each([0, 1, 2, 3, 1000, 3000])(
    'MUST be the same for %d rows that are sorted in several time slices',
    async (count) => {
      // As many as a whole number of steps, one fewer, one more; each value several times, and some null.
      const rows = Array.from({ length: count }, (_, ID) => ({
        ID,
        Rating: ID % 7 === 0 ? null : (ID * 31) % 11,
      }))
      const order = new RowOrder(
        totalOrder(orderOn('Products', 'Rating desc'), type),
        type,
        embeddedNavigation,
      )
      const slice = new TimeSlice({ signal: new AbortController().signal })
      expect(await inOrder(order, rows, slice)).toEqual(sortedRows(order, rows))
    },
  )

  it('MUST yield to the event loop while many rows are sorted, and end when the request is aborted', async () => {
    clock.step = 1
    const rows = Array.from({ length: 20_000 }, (_, ID) => ({ ID, Name: `${(ID * 7919) % 20_011}` }))
    const order = new RowOrder(totalOrder(orderOn('Products', 'Name'), type), type, embeddedNavigation)
    const controller = new AbortController()
    const slice = new TimeSlice(controller)
    setImmediate(() => controller.abort())
    await expect(inOrder(order, rows, slice)).rejects.toThrow('This operation was aborted')
  })

  describe('The position of a row', () => {
    const row: Row = {
      ID: 7,
      Name: "a,b''",
      Price: '2.50',
      Stock: 5,
      Rating: -3,
      Weight: Number.NaN,
      Discount: 0.1,
      Active: false,
      Released: '2012-05-29T09:13:28.1234567',
      Changed: '2012-05-29T09:13:28+02:00',
      Opens: '09:13',
      Code: '12345678-AAAA-bbbb-cccc-ddddeeeeffff',
      Pic: Uint8Array.of(15),
    }

    it.each([
      ['Name', "a,b''"],
      ['Price', '2.50'],
      ['Stock', 5n],
      ['Rating', -3],
      ['Weight', Number.NaN],
      ['Discount', Math.fround(0.1)],
      ['Active', false],
      ['Released', '2012-05-29T09:13:28.1234567'],
      ['Changed', '2012-05-29T09:13:28+02:00'],
      ['Opens', '09:13:00'],
      ['Code', '12345678-aaaa-bbbb-cccc-ddddeeeeffff'],
      ['Pic', Uint8Array.of(15)],
      ['Small', null],
      ['null', null],
      ['ID mul 2147483647', 15032385529],
      ['Stock add 9223372036854775807L', 9223372036854775812n],
      ['round(Price)', '3'],
    ])('MUST have for %s the value that providers and tokens accept: %p', (orderBy, value) => {
      const terms = totalOrder(orderOn('Products', orderBy), type)
      const order = new RowOrder(terms, type, embeddedNavigation)
      const position = order.positionOf(row)
      expect(position).toEqual([value, 7])
      // Neither before nor after its own position.
      expect(order.compareRow(row, order.keyAt(position, terms))).toBe(0)
      expect(order.compareRow({ ...row, ID: 8 }, order.keyAt(position, terms))).toBeGreaterThan(0)
      expect(order.compareRow({ ...row, ID: 6 }, order.keyAt(position, terms))).toBeLessThan(0)
      // The position must survive formatting and parsing as a token.
      const token = position.map((one, index) => {
        const expected = terms[index]?.expression.type
        if (one === null || typeof expected !== 'string') return 'null'
        return primitiveTypes[expected].formatLiteral(one)
      })
      const read = bindSkipToken(token.join(','), orderOn('Products', orderBy), type)
      expect(order.compareRow(row, order.keyAt(read, terms))).toBe(0)
    })
  })
})
