import { FirstRows } from '../../lib/evaluation/row-scan.js'
import { RowOrder } from '../../lib/evaluation/order.js'
import { totalOrder } from '../../lib/query/entity-query.js'
import { TimeSlice } from '../../lib/util/time-slice.js'
import { embeddedNavigation, orderOn } from '../support/expressions.js'
import { setNamed } from '../support/protocol-model.js'

const type = setNamed('Products').entityType

function firstOf(orderBy: string, capacity: number, ids: readonly number[]): FirstRows {
  const order = new RowOrder(totalOrder(orderOn('Products', orderBy), type), type, embeddedNavigation)
  const first = new FirstRows(order, capacity)
  for (const ID of ids) first.add({ ID, Rating: ID % 3 })
  return first
}

async function idsOf(first: FirstRows): Promise<unknown[]> {
  const rows = await first.rows(new TimeSlice({ signal: new AbortController().signal }))
  return rows.map(({ ID }) => ID)
}

describe('The first rows of an order', () => {
  it.each([
    [0, []],
    [1, [0]],
    [3, [0, 1, 2]],
    [7, [0, 1, 2, 3, 4, 5, 6]],
    [100, [0, 1, 2, 3, 4, 5, 6]],
    [Number.POSITIVE_INFINITY, [0, 1, 2, 3, 4, 5, 6]],
  ])('MUST be the first %d in the order, for any order of arrival', async (capacity, expected) => {
    for (const ids of [
      [0, 1, 2, 3, 4, 5, 6],
      [6, 5, 4, 3, 2, 1, 0],
      [3, 0, 6, 1, 5, 2, 4],
    ]) {
      const first = firstOf('ID', capacity, ids)
      expect(first.size).toBe(expected.length)
      expect(await idsOf(first)).toEqual(expected)
    }
  })

  it('MUST be sorted, also the first hundred of a thousand', async () => {
    const ids = Array.from({ length: 1000 }, (_, index) => (index * 617) % 1000)
    const first = firstOf('ID', 100, ids)
    expect(await idsOf(first)).toEqual(Array.from({ length: 100 }, (_, index) => index))
  })

  it.each([
    [7, [10, 5, 6, 20, 1, 2, 3, 15]],
    [7, [1, 2, 3, 4, 5, 6, 7, 0]],
    [3, [9, 8, 7, 6, 5, 4]],
    [5, [2, 9, 1, 8, 3, 7, 4, 6, 5]],
  ])('MUST be the first %d of %j, for any order of arrival', async (capacity, ids) => {
    const expected = [...ids].sort((a, b) => a - b).slice(0, capacity)
    expect(await idsOf(firstOf('ID', capacity, ids))).toEqual(expected)
  })

  it('MUST apply every term', async () => {
    expect(await idsOf(firstOf('Rating desc', 4, [1, 2, 3, 4, 5, 6, 7, 8]))).toEqual([2, 5, 8, 1])
  })

  it.each([0, 1, 3, 6, 9])('MUST start after a key: the first three after %d', async (after) => {
    const order = new RowOrder(totalOrder(orderOn('Products', 'ID'), type), type, embeddedNavigation)
    const first = new FirstRows(order, 3, order.keyOf({ ID: after }))
    for (const ID of [5, 1, 4, 8, 2, 7, 0, 9, 3, 6]) first.add({ ID })
    expect(await idsOf(first)).toEqual([1, 2, 3].map((step) => after + step).filter((ID) => ID < 10))
    expect(first.added).toBe(10)
  })

  it('MUST never contain more rows than requested', () => {
    expect(
      firstOf(
        'ID desc',
        5,
        Array.from({ length: 1000 }, (_, index) => index),
      ).size,
    ).toBe(5)
  })
})
