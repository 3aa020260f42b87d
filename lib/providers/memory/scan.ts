import type { Row } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import { TimeSlice } from '../../util/time-slice.js'
import type { Direction } from './walking-direction.js'

/** Of so many rows lists are taken before others get a turn; how long the rows take is seen to by {@link scan}. */
export const rowsPerTurn = 5_000

/**
 * A call as far as it tells whether anybody waits for its result. Its signal is made when it is asked for, and what is
 * small is done before anybody could leave: only what takes several turns asks.
 */
export type Waiting = Pick<ProviderCall, 'signal'>

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
  readonly call: Waiting
}

/**
 * Gives the rows that make a condition true to a sink.
 *
 * @returns a promise when it takes so long that others must get their turn meanwhile, else nothing
 */
export function scan(what: Scan): Promise<void> | undefined {
  const slice = new TimeSlice(what.call)
  const next = scanTurn(what, what.start, slice)
  return next === undefined ? undefined : scanOn(what, next, slice)
}

async function scanOn(what: Scan, start: number, slice: TimeSlice): Promise<void> {
  let next: number | undefined = start
  while (next !== undefined) {
    await slice.pause()
    next = scanTurn(what, next, slice)
  }
}

/** @returns where to go on; undefined at the end */
function scanTurn(
  { rows, direction, isTrue, sink }: Scan,
  start: number,
  slice: TimeSlice,
): number | undefined {
  const { length } = rows
  const isForward = direction === 'forward'
  let position = start
  while (position < length) {
    const end = Math.min(length, position + slice.steps)
    for (; position < end; position++) {
      const row = rows[isForward ? position : length - 1 - position]
      if (row !== undefined && isTrue(row) && !sink.add(row)) return undefined
    }
    if (slice.isOver() && position < length) return position
  }
  return undefined
}
