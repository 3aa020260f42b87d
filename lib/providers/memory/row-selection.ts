import { FirstRows } from '../../evaluation/first-rows.js'
import type { OrderKey } from '../../evaluation/order.js'
import type { Row } from '../../evaluation/row.js'
import type { MaybePromise } from '../../util/maybe-promise.js'
import { TimeSlice } from '../../util/time-slice.js'
import type { CompiledFilter, CompiledOrder } from './compiled-queries.js'
import { CountSink, FirstRowsSink, PageSink } from './row-sinks.js'
import type { Waiting } from './scan.js'
import { scan } from './scan.js'
import type { Direction } from './walking-direction.js'

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

const always = (): boolean => true

/** So few rows are sorted without looking at the clock. */
const sortedAtOnce = 256

/**
 * Selects rows out of rows that stand in the order of their keys. Where that is the order that is asked for, or its
 * reverse, nothing is sorted and no more rows are looked at than the page needs.
 *
 * @spec MS-ODATA 2.2.3.6.1.2 (order of evaluation)
 */
export class RowSelection {
  private readonly isTrue: ((row: Row) => boolean) | undefined
  private readonly seekKey: OrderKey | undefined

  constructor(private readonly options: SelectionOptions) {
    const { filter, order, seek } = options
    this.isTrue = filter?.isTrue
    this.seekKey = seek === undefined ? undefined : order.rowOrder.keyAt(seek, order.terms)
  }

  /**
   * @param rows in the order of their keys
   * @param call tells whether the result is still wanted
   */
  of(rows: readonly Row[], call: Waiting): MaybePromise<readonly Row[]> {
    const { order, top } = this.options
    if (rows.length === 0 || top <= 0) return []
    return order.direction === undefined ? this.sorted(rows, call) : this.walked(rows, order.direction, call)
  }

  /** The same of rows that stand in the order that is asked for. */
  ofSorted(rows: readonly Row[], call: Waiting): MaybePromise<readonly Row[]> {
    return this.options.top <= 0 ? [] : this.walked(rows, 'forward', call)
  }

  /** How many rows meet the filter. */
  count(rows: readonly Row[], call: Waiting): MaybePromise<number> {
    const { isTrue } = this
    if (isTrue === undefined) return rows.length
    const sink = new CountSink()
    const work = scan({ rows, direction: 'forward', start: 0, isTrue, sink, call })
    return work === undefined ? sink.count : work.then(() => sink.count)
  }

  private walked(rows: readonly Row[], direction: Direction, call: Waiting): MaybePromise<readonly Row[]> {
    const { isTrue, seekKey } = this
    const { skip, top } = this.options
    const start = seekKey === undefined ? 0 : this.firstBehind(seekKey, rows, direction)
    if (isTrue === undefined) return walk(rows, direction, start + skip, start + skip + top)
    const sink = new PageSink(skip, top)
    const work = scan({ rows, direction, start, isTrue, sink, call })
    return work === undefined ? sink.rows : work.then(() => sink.rows)
  }

  /** Looks at all rows and keeps as many of the first as are needed. */
  private sorted(rows: readonly Row[], call: Waiting): MaybePromise<readonly Row[]> {
    const { seekKey, isTrue = always } = this
    const { order, skip, top } = this.options
    const { rowOrder } = order
    const wanted = skip + top
    if (wanted >= rows.length) return this.allSorted(rows, call)
    const first = new FirstRows(rowOrder, wanted)
    const sink = new FirstRowsSink(first, rowOrder, seekKey)
    const work = scan({ rows, direction: 'forward', start: 0, isTrue, sink, call })
    if (work === undefined && first.size <= sortedAtOnce) return first.rows().slice(skip)
    return inOrder(work, first, skip, call)
  }

  /** When all may be wanted, sorting them once is faster than keeping the first sorted all the time. */
  private allSorted(rows: readonly Row[], call: Waiting): MaybePromise<readonly Row[]> {
    const { order, skip, top } = this.options
    const finish = (found: readonly Row[]): MaybePromise<readonly Row[]> => {
      const page = (all: readonly Row[]): readonly Row[] =>
        skip === 0 && top >= all.length ? all : all.slice(skip, skip + top)
      if (found.length <= sortedAtOnce) return page(order.rowOrder.sorted(found))
      return order.rowOrder.sortedInTurns(found, new TimeSlice(call)).then(page)
    }
    const isTrue = this.wantedInOrder()
    if (isTrue === undefined) return finish(rows)
    const sink = new PageSink(0, Number.POSITIVE_INFINITY)
    const work = scan({ rows, direction: 'forward', start: 0, isTrue, sink, call })
    return work === undefined ? finish(sink.rows) : work.then(() => finish(sink.rows))
  }

  /** The filter, and that a row stands behind the place from which rows are wanted; undefined when all do. */
  private wantedInOrder(): ((row: Row) => boolean) | undefined {
    const { seekKey, isTrue = always } = this
    if (seekKey === undefined) return this.isTrue
    const { rowOrder } = this.options.order
    return (row) => isTrue(row) && rowOrder.compareRow(row, seekKey) > 0
  }

  /** How many rows are not behind a place; those come first, so half of the rest can be left out at each step. */
  private firstBehind(seekKey: OrderKey, rows: readonly Row[], direction: Direction): number {
    const { rowOrder } = this.options.order
    let low = 0
    let high = rows.length
    while (low < high) {
      const middle = (low + high) >> 1
      const row = rows[direction === 'forward' ? middle : rows.length - 1 - middle]
      if (row !== undefined && rowOrder.compareRow(row, seekKey) > 0) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** The first rows of a scan that may go on, or that are too many to be sorted at once. */
async function inOrder(
  scanned: Promise<void> | undefined,
  first: FirstRows,
  skip: number,
  call: Waiting,
): Promise<readonly Row[]> {
  await scanned
  return (await first.rowsInTurns(new TimeSlice(call))).slice(skip)
}

/** The rows from one step of a walk up to another. */
function walk(rows: readonly Row[], direction: Direction, from: number, to: number): readonly Row[] {
  if (direction === 'forward') return from === 0 && to >= rows.length ? rows : rows.slice(from, to)
  const end = Math.max(0, rows.length - from)
  return rows.slice(Math.max(0, rows.length - to), end).reverse()
}
