import type { BatchReader } from '../util/batch-reader.js'
import { readIterable } from '../util/batch-reader.js'
import type { MaybePromise } from '../util/maybe-promise.js'

/** What a provider returns when rows come over time; whether they are arrays has not been looked at. */
export type BatchSource = AsyncIterable<unknown> | Iterable<unknown>

/**
 * Batches that come over time, read for as long as the client is there. When it has gone, the source is closed at
 * once, and whoever waits for a batch is told, however long the source takes.
 */
export class ProvidedBatches<T> implements BatchReader<T> {
  private readonly source: BatchReader<T>
  private giveUp: ((reason: unknown) => void) | undefined

  /** @param check throws when what the source yields is no batch */
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

  close(): MaybePromise<void> {
    this.signal.removeEventListener('abort', this.abort)
    return this.source.close()
  }

  private readonly abort = (): void => {
    void closeAfterError(this.source)
    this.giveUp?.(this.signal.reason)
  }
}

/** Closes a source because something failed; that closing fails too is then no news. */
export async function closeAfterError(rows: Pick<BatchReader<unknown>, 'close'>): Promise<void> {
  try {
    await rows.close()
  } catch {
    // The first error is the one that tells what is wrong.
  }
}

/** The same batches, each looked at before it is used. What fails the check ends the source too. */
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
