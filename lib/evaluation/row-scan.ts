import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { TimeSlice } from '../util/time-slice.js'
import type { Row } from './row.js'
import { mapValue } from '../util/promise-or-value.js'
import { sortCooperatively } from '../util/sort-cooperatively.js'
import type { OrderKey, RowOrder } from './order.js'

/** Receives the rows that a scan finds. */
export interface RowSink {
  /** @returns false when the sink accepts no more rows */
  add(row: Row): boolean
}

/** The input of a scan: its rows and conditions. */
interface RowScan {
  readonly rows: readonly Row[]
  /** The condition of a row. Default: all rows. */
  readonly isTrue?: ((row: Row) => boolean) | undefined
  readonly sink: RowSink
  /** Default: from the first row to the last. */
  readonly direction?: Direction | undefined
  /** Number of rows to skip. */
  readonly start?: number | undefined
}

/** The direction of a scan of sorted rows. */
export type Direction = 'forward' | 'backward'

const always = (): boolean => true

/**
 * Passes the rows that meet a condition to a sink.
 *
 * @returns true if the sink accepts more rows; a promise only if the scan yields to the event loop
 * @throws the reason of the signal of the slice if it is aborted
 */
export function scanRows(scan: RowScan, slice: TimeSlice): PromiseOrValue<boolean> {
  const next = scanSlice(scan, scan.start ?? 0, slice)
  return typeof next === 'boolean' ? next : scanOn(scan, next, slice)
}

async function scanOn(scan: RowScan, start: number, slice: TimeSlice): Promise<boolean> {
  let next: number | boolean = start
  while (typeof next !== 'boolean') {
    await slice.yield()
    next = scanSlice(scan, next, slice)
  }
  return next
}

/** @returns the index at which to continue, or true if the sink accepts more rows */
function scanSlice(
  { rows, isTrue = always, sink, direction }: RowScan,
  start: number,
  slice: TimeSlice,
): number | boolean {
  const { length } = rows
  const isForward = direction !== 'backward'
  let position = start
  while (position < length) {
    const end = Math.min(length, position + slice.steps)
    for (; position < end; position++) {
      const row = rows[isForward ? position : length - 1 - position]
      if (row !== undefined && isTrue(row) && !sink.add(row)) return false
    }
    if (slice.shouldYield() && position < length) return position
  }
  return true
}

/** Collects the rows of a page from rows that come in order. */
export class PageRows implements RowSink {
  private rows: Row[] = []

  /**
   * @param skip number of rows to skip
   * @param left maximum number of rows, at least one; infinite without a limit
   */
  constructor(
    public skip: number,
    private left: number,
  ) {}

  add(row: Row): boolean {
    if (this.skip > 0) {
      this.skip--
      return true
    }
    this.rows.push(row)
    return --this.left > 0
  }

  /** Returns the rows since the last call. */
  take(): readonly Row[] {
    const { rows } = this
    this.rows = []
    return rows
  }
}

/** Counts rows. */
export class RowCount implements RowSink {
  count = 0

  add(): boolean {
    this.count++
    return true
  }
}

interface Entry {
  readonly key: OrderKey
  readonly row: Row
}

/**
 * Collects the first rows in an order, and holds no more rows than requested. Further rows replace the last row, which
 * is at the top of a heap.
 */
export class FirstRows implements RowSink {
  /** Number of rows that were added, including those that are not held. */
  added = 0
  private readonly entries: Entry[] = []
  private isHeap = false

  /**
   * @param capacity maximum number of rows; infinite for all
   * @param after only rows after this key are collected; undefined for all
   */
  constructor(
    private readonly order: RowOrder,
    private readonly capacity: number,
    private readonly after?: OrderKey,
  ) {}

  /** Number of rows that are held. */
  get size(): number {
    return this.entries.length
  }

  add(row: Row): true {
    const { order, entries, after } = this
    this.added++
    if (after !== undefined && order.compareRow(row, after) <= 0) return true
    if (entries.length < this.capacity) {
      entries.push({ key: order.keyOf(row), row })
      return true
    }
    if (!this.isHeap) this.makeHeap()
    const [last] = entries
    if (last === undefined || order.compareRow(row, last.key) >= 0) return true
    entries[0] = { key: order.keyOf(row), row }
    this.siftDown(0)
    return true
  }

  /**
   * Returns the first rows in order, as a promise only if there are many. Must be called once, after all rows were
   * added.
   */
  rows(slice: TimeSlice): PromiseOrValue<Row[]> {
    const sorted = sortCooperatively(this.entries, (a, b) => this.order.compareKeys(a.key, b.key), slice)
    return mapValue(sorted, (entries) => entries.map(({ row }) => row))
  }

  private makeHeap(): void {
    this.isHeap = true
    for (let index = (this.entries.length >> 1) - 1; index >= 0; index--) this.siftDown(index)
  }

  private siftDown(start: number): void {
    const { length } = this.entries
    let index = start
    for (;;) {
      const left = 2 * index + 1
      const right = left + 1
      let last = index
      if (left < length && this.isAfter(left, last)) last = left
      if (right < length && this.isAfter(right, last)) last = right
      if (last === index) return
      const entry = this.at(index)
      this.entries[index] = this.at(last)
      this.entries[last] = entry
      index = last
    }
  }

  private isAfter(a: number, b: number): boolean {
    return this.order.compareKeys(this.at(a).key, this.at(b).key) > 0
  }

  private at(index: number): Entry {
    // The callers compute indexes within the heap.
    return this.entries[index] as Entry
  }
}
