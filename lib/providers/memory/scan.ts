import type { Row } from '../../evaluation/row.js'
import { nextTurn } from '../../util/next-turn.js'
import type { Direction } from './walking-direction.js'

/** So many rows are looked at before others get a turn. */
export const rowsPerTurn = 5_000

/** Takes the rows that a scan finds. */
export interface RowSink {
  /** @returns false when no more rows are wanted */
  add(row: Row): boolean
}

/** Which rows are looked at, and what for. */
export interface Scan {
  readonly rows: readonly Row[]
  readonly direction: Direction
  /** How many rows are left out at the start. */
  readonly start: number
  readonly isTrue: (row: Row) => boolean
  readonly sink: RowSink
  /** Stops a scan that takes several turns. */
  readonly signal: AbortSignal
}

/**
 * Gives the rows that make a condition true to a sink.
 *
 * @returns a promise when there are so many rows that others must get their turn meanwhile, else nothing
 */
export function scan(what: Scan): Promise<void> | undefined {
  const next = scanTurn(what, what.start)
  return next === undefined ? undefined : scanOn(what, next)
}

async function scanOn(what: Scan, start: number): Promise<void> {
  let next: number | undefined = start
  while (next !== undefined) {
    await nextTurn()
    what.signal.throwIfAborted()
    next = scanTurn(what, next)
  }
}

/** @returns where to go on; undefined at the end */
function scanTurn({ rows, direction, isTrue, sink }: Scan, start: number): number | undefined {
  const { length } = rows
  const end = Math.min(start + rowsPerTurn, length)
  const isForward = direction === 'forward'
  for (let position = start; position < end; position++) {
    const row = rows[isForward ? position : length - 1 - position]
    if (row !== undefined && isTrue(row) && !sink.add(row)) return undefined
  }
  return end < length ? end : undefined
}
