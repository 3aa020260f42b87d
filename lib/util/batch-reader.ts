import type { PromiseOrValue } from './promise-or-value.js'
import { yieldToEventLoop } from './time-slice.js'

/** A source that synchronously yields empty arrays without end must not block the event loop. */
const MAX_EMPTY_BATCHES = 100

/** A stream of arrays, pulled one array at a time. Promises are returned only for data that is not available yet. */
export interface BatchReader<T> {
  /** The number of all items, if it is known. */
  readonly length?: number | undefined
  /** The number of all matches, if the source reports it. */
  readonly total?: number | undefined
  /** True if further items follow the last one, if the source reports it. */
  readonly hasMore?: boolean | undefined
  /** Returns the next items, never an empty array; undefined at the end. */
  next(): PromiseOrValue<readonly T[] | undefined>
  /** Releases the source. May be called at any time, and more than once. */
  close(): PromiseOrValue<void>
}

/** Reads an array as one batch. */
export function readArray<T>(items: readonly T[]): BatchReader<T> {
  let done = items.length === 0
  return {
    length: items.length,
    next() {
      if (done) return undefined
      done = true
      return items
    },
    close() {
      done = true
    },
  }
}

/** Reads a synchronous or asynchronous iterable of arrays. */
export function readIterable<T>(
  source: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
): BatchReader<T> {
  const iterator = iteratorOf(source)
  let done = false
  return {
    async next() {
      for (let empty = 1; !done; empty++) {
        const result = await iterator.next()
        if (result.done === true) done = true
        else if (result.value.length > 0) return result.value
        else if (empty % MAX_EMPTY_BATCHES === 0) await yieldToEventLoop()
      }
      return undefined
    },
    async close() {
      if (done) return
      done = true
      await iterator.return?.()
    },
  }
}

/** Closes a source after an error. An error of closing is ignored, since the first error is the cause. */
export async function closeAfterError(rows: Pick<BatchReader<unknown>, 'close'>): Promise<void> {
  try {
    await rows.close()
  } catch {
    // The first error is reported.
  }
}

function iteratorOf<T>(
  source: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
): AsyncIterator<readonly T[]> | Iterator<readonly T[]> {
  return Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
}
