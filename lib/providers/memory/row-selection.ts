import { FirstRows } from '../../evaluation/first-rows.js'
import type { OrderKey } from '../../evaluation/order.js'
import type { Direction } from '../../evaluation/row-scan.js'
import { PageRows, RowCount, scanRows } from '../../evaluation/row-scan.js'
import type { Row } from '../../evaluation/row.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import { mapValue } from '../../util/promise-or-value.js'
import type { TimeSlice } from '../../util/time-slice.js'
import type { CompiledFilter, CompiledOrder } from './compiled-queries.js'

/** The filter, order and page of a query. */
export interface SelectionOptions {
  readonly filter: CompiledFilter | undefined
  readonly order: CompiledOrder
  /** A value for each term of the order: only rows after it are selected. */
  readonly seek: readonly unknown[] | undefined
  readonly skip: number
  /** Infinite without a limit. */
  readonly top: number
}

/**
 * Selects the rows of a query from rows that are sorted by key. If that is the order of the query, or its reverse,
 * nothing is sorted, and the scan ends with the last row of the page.
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

  /**
   * @param rows sorted by key
   * @param direction in which the rows have the order of the query; undefined if they must be sorted
   */
  of(
    rows: readonly Row[],
    slice: TimeSlice,
    direction = this.options.order.direction,
  ): PromiseOrValue<readonly Row[]> {
    if (rows.length === 0 || this.options.top <= 0) return []
    return direction === undefined ? this.sort(rows, slice) : this.scan(rows, direction, slice)
  }

  /** Counts the rows that meet the filter. */
  count(rows: readonly Row[], slice: TimeSlice): PromiseOrValue<number> {
    const { isTrue } = this
    if (isTrue === undefined) return rows.length
    const sink = new RowCount()
    return mapValue(scanRows({ rows, isTrue, sink }, slice), () => sink.count)
  }

  private scan(rows: readonly Row[], direction: Direction, slice: TimeSlice): PromiseOrValue<readonly Row[]> {
    const { isTrue, after } = this
    const { skip, top } = this.options
    const start = after === undefined ? 0 : this.firstAfter(after, rows, direction)
    if (isTrue === undefined) return rowsBetween(rows, direction, start + skip, start + skip + top)
    const sink = new PageRows(skip, top)
    return mapValue(scanRows({ rows, direction, start, isTrue, sink }, slice), () => sink.take())
  }

  private sort(rows: readonly Row[], slice: TimeSlice): PromiseOrValue<readonly Row[]> {
    const { order, skip, top } = this.options
    const sink = new FirstRows(order.rowOrder, skip + top, this.after)
    return mapValue(scanRows({ rows, isTrue: this.isTrue, sink }, slice), () =>
      mapValue(sink.rows(slice), (first) => (skip === 0 ? first : first.slice(skip))),
    )
  }

  /** The position of the first row after a key, found by binary search. */
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

/** The rows from one position of a scan to another. */
function rowsBetween(rows: readonly Row[], direction: Direction, from: number, to: number): readonly Row[] {
  if (direction === 'forward') return from === 0 && to >= rows.length ? rows : rows.slice(from, to)
  const end = Math.max(0, rows.length - from)
  return rows.slice(Math.max(0, rows.length - to), end).reverse()
}
