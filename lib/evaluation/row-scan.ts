import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { TimeSlice } from '../util/time-slice.js'
import type { Row } from './row.js'

/** Receives the rows that a scan finds. */
export interface RowSink {
  /** @returns false when the sink accepts no more rows */
  add(row: Row): boolean
}

/** The input of a scan: its rows and conditions. */
export interface RowScan {
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
