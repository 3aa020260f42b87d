import type { MaybePromise } from './maybe-promise.js'
import { nextTurn } from './next-turn.js'

/** A source that has nothing to give at once, and does not end, must not keep others from their turn. */
const emptyAtOnce = 100

/** A stream of arrays that is pulled one array at a time, without a promise where none is needed. */
export interface BatchReader<T> {
  /** The next items, never an empty array; undefined at the end. */
  next(): MaybePromise<readonly T[] | undefined>
  /** Tells the source that no more is wanted. May be called at any time, more than once. */
  close(): MaybePromise<void>
}

/** Reads an array as one batch. */
export function readArray<T>(items: readonly T[]): BatchReader<T> {
  let done = items.length === 0
  return {
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

/** Reads what yields arrays, be it at once or over time. */
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
        else if (empty % emptyAtOnce === 0) await nextTurn()
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

function iteratorOf<T>(
  source: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
): AsyncIterator<readonly T[]> | Iterator<readonly T[]> {
  return Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
}
