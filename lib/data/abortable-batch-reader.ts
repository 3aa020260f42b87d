import type { BatchReader } from '../util/batch-reader.js'
import { closeAfterError, readIterable } from '../util/batch-reader.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'

/** Rows that a provider returns in several batches, which are not validated yet. */
export type BatchSource = AsyncIterable<unknown> | Iterable<unknown>

/**
 * Reads batches that a provider returns over time. When the request is aborted, closes the source, and rejects the
 * pending read immediately without waiting for the source.
 */
export class AbortableBatchReader<T> implements BatchReader<T> {
  private readonly source: BatchReader<T>
  private giveUp: ((reason: unknown) => void) | undefined

  /** @param check throws when the source yields something other than a batch */
  constructor(
    source: BatchSource,
    check: (batch: unknown) => asserts batch is readonly T[],
    private readonly signal: AbortSignal,
  ) {
    this.source = readIterable(checked(source, check))
    if (signal.aborted) this.abort()
    else signal.addEventListener('abort', this.abort, { once: true })
  }

  async next(): Promise<readonly T[] | undefined> {
    this.signal.throwIfAborted()
    const batch = await new Promise<readonly T[] | undefined>((resolve, reject) => {
      this.giveUp = reject
      Promise.resolve(this.source.next()).then(resolve, reject)
    })
    if (batch === undefined) this.signal.removeEventListener('abort', this.abort)
    return batch
  }

  close(): PromiseOrValue<void> {
    this.signal.removeEventListener('abort', this.abort)
    return this.source.close()
  }

  private readonly abort = (): void => {
    void closeAfterError(this.source)
    this.giveUp?.(this.signal.reason)
  }
}

/** Validates each batch. A batch that is not valid ends the source. */
function checked<T>(
  source: BatchSource,
  check: (batch: unknown) => asserts batch is readonly T[],
): AsyncIterable<readonly T[]> {
  return {
    [Symbol.asyncIterator]() {
      const iterator =
        Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
      return {
        async next() {
          const result = await iterator.next()
          if (result.done === true) return { done: true, value: undefined }
          const { value } = result
          check(value)
          return { value }
        },
        async return() {
          await iterator.return?.()
          return { done: true, value: undefined }
        },
      }
    },
  }
}
