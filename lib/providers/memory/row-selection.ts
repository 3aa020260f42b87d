import { FirstRows } from '../../evaluation/first-rows.js'
import type { OrderKey } from '../../evaluation/order.js'
import type { Direction } from '../../evaluation/row-scan.js'
import { PageRows, RowCount, scanRows } from '../../evaluation/row-scan.js'
import type { Row } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import { mapValue } from '../../util/promise-or-value.js'
import { TimeSlice } from '../../util/time-slice.js'
import type { CompiledFilter, CompiledOrder } from './compiled-queries.js'

/** The part of a call that tells whether its result is still wanted. */
export type Waiting = Pick<ProviderCall, 'signal'>

/** Which of some rows are wanted: those that meet a filter, sorted, from a place on, and only so many. */
export interface SelectionOptions {
  readonly filter: CompiledFilter | undefined
  readonly order: CompiledOrder
  /** A value for each term of the order: only rows behind it are wanted. */
  readonly seek: readonly unknown[] | undefined
  readonly skip: number
  /** Infinite when there is no limit. */
  readonly top: number
}

/**
 * Selects rows out of rows that stand in the order of their keys. Where that is the requested order, or its reverse,
 * nothing is sorted and no more rows are looked at than the page needs.
 *
 * @spec MS-ODATA 2.2.3.6.1.2 (order of evaluation)
 */
export class RowSelection {
  private readonly isTrue: ((row: Row) => boolean) | undefined
  private readonly after: OrderKey | undefined

  constructor(private readonly options: SelectionOptions) {
    const { filter, order, seek } = options
    this.isTrue = filter?.isTrue
    this.after = seek && order.rowOrder.keyAt(seek, order.terms)
  }

  /** @param rows in the order of their keys */
  of(rows: readonly Row[], call: Waiting): PromiseOrValue<readonly Row[]> {
    const { order, top } = this.options
    if (rows.length === 0 || top <= 0) return []
    return order.direction === undefined ? this.sorted(rows, call) : this.walked(rows, order.direction, call)
  }

  /** @param rows in the requested order */
  ofSorted(rows: readonly Row[], call: Waiting): PromiseOrValue<readonly Row[]> {
    return this.options.top <= 0 ? [] : this.walked(rows, 'forward', call)
  }

  /** How many rows meet the filter. */
  count(rows: readonly Row[], call: Waiting): PromiseOrValue<number> {
    const { isTrue } = this
    if (isTrue === undefined) return rows.length
    const sink = new RowCount()
    return mapValue(scanRows({ rows, isTrue, sink }, new TimeSlice(call)), () => sink.count)
  }

  private walked(rows: readonly Row[], direction: Direction, call: Waiting): PromiseOrValue<readonly Row[]> {
    const { isTrue, after } = this
    const { skip, top } = this.options
    const start = after === undefined ? 0 : this.firstAfter(after, rows, direction)
    if (isTrue === undefined) return slice(rows, direction, start + skip, start + skip + top)
    const sink = new PageRows(skip, top)
    return mapValue(scanRows({ rows, direction, start, isTrue, sink }, new TimeSlice(call)), () =>
      sink.take(),
    )
  }

  /** Looks at all rows and keeps as many of the first as are needed. */
  private sorted(rows: readonly Row[], call: Waiting): PromiseOrValue<readonly Row[]> {
    const { order, skip, top } = this.options
    const sink = new FirstRows(order.rowOrder, skip + top, this.after)
    const time = new TimeSlice(call)
    return mapValue(scanRows({ rows, isTrue: this.isTrue, sink }, time), () =>
      mapValue(sink.rows(time), (first) => (skip === 0 ? first : first.slice(skip))),
    )
  }

  /** How many rows are not behind a key; those come first, so half of the rest can be left out at each step. */
  private firstAfter(key: OrderKey, rows: readonly Row[], direction: Direction): number {
    const { rowOrder } = this.options.order
    let low = 0
    let high = rows.length
    while (low < high) {
      const middle = (low + high) >> 1
      const row = rows[direction === 'forward' ? middle : rows.length - 1 - middle]
      if (row !== undefined && rowOrder.compareRow(row, key) > 0) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** The rows from one position of a walk up to another. */
function slice(rows: readonly Row[], direction: Direction, from: number, to: number): readonly Row[] {
  if (direction === 'forward') return from === 0 && to >= rows.length ? rows : rows.slice(from, to)
  const end = Math.max(0, rows.length - from)
  return rows.slice(Math.max(0, rows.length - to), end).reverse()
}
