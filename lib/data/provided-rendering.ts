import type { EntitySet } from '../edm/edm-model.js'
import { emptyAtOnce } from '../util/batch-reader.js'
import type { MaybePromise } from '../util/maybe-promise.js'
import { isPromiseLike } from '../util/maybe-promise.js'
import { nextTurn } from '../util/next-turn.js'
import { checkRenderedBatch, garbage } from './check-provided.js'
import { closeAfterError } from './provided-batches.js'
import type { ProviderCall } from '../provider/provider-call.js'
import type { RenderedBatch, RenderedBatches } from '../provider/rendering.js'

/** Entities that a provider has written, each batch looked at before it is used. */
export class ProvidedRendering implements RenderedBatches {
  private isClosed = false
  /** How many entities the page may still have. */
  private room: number
  /** How many batches have come in a row that have nothing in them. */
  private empty = 0

  private constructor(
    private readonly set: EntitySet,
    private readonly source: RenderedBatches,
    private readonly top: number,
    private readonly call: Pick<ProviderCall, 'signal'>,
  ) {
    this.room = top
  }

  /**
   * @param rendered what the provider has returned
   * @param call tells whether anybody waits; its signal is asked for only when a batch is not there yet
   * @param top how many entities it was asked for at most
   * @throws TypeError when that is neither an array of batches nor an object that gives them over time
   */
  static of(
    set: EntitySet,
    rendered: unknown,
    call: Pick<ProviderCall, 'signal'>,
    top = Number.POSITIVE_INFINITY,
  ): RenderedBatches {
    if (isBatches(rendered)) return new ProvidedRendering(set, rendered, top, call)
    if (Array.isArray(rendered)) {
      const source = readBatches(rendered)
      // All of it is there: what is wrong can still be answered.
      const whole = new ProvidedRendering(set, source, top, call)
      for (const batch of rendered) whole.checked(batch)
      return source
    }
    throw garbage(
      set,
      `from render an array of batches, an object with next() and close(), or undefined`,
      rendered,
    )
  }

  next(): MaybePromise<RenderedBatch | undefined> {
    if (this.isClosed) return undefined
    if (this.empty >= emptyAtOnce) return this.nextInTurn()
    const batch: unknown = this.source.next()
    return isPromiseLike(batch) ? this.later(batch) : this.orEnd(batch)
  }

  close(): MaybePromise<void> {
    if (this.isClosed) return
    this.isClosed = true
    return this.source.close()
  }

  private async nextInTurn(): Promise<RenderedBatch | undefined> {
    await nextTurn()
    this.call.signal.throwIfAborted()
    this.empty = 0
    return this.next()
  }

  /** When the client has gone, the source is closed at once, however long it takes for the batch. */
  private async later(coming: PromiseLike<unknown>): Promise<RenderedBatch | undefined> {
    const { signal } = this.call
    const batch = await new Promise<unknown>((resolve, reject) => {
      const giveUp = (): void => {
        void closeAfterError(this)
        reject(signal.reason as Error)
      }
      const done = (): void => {
        signal.removeEventListener('abort', giveUp)
      }
      if (signal.aborted) giveUp()
      else signal.addEventListener('abort', giveUp, { once: true })
      Promise.resolve(coming).finally(done).then(resolve, reject)
    })
    return this.orEnd(batch)
  }

  private orEnd(batch: unknown): RenderedBatch | undefined {
    return batch === undefined ? undefined : this.checked(batch)
  }

  private checked(batch: unknown): RenderedBatch {
    checkRenderedBatch(this.set, batch)
    const count = countOf(batch)
    this.empty = count === 0 ? this.empty + 1 : 0
    this.room -= count
    if (this.room < 0) {
      const { set, top } = this
      throw new TypeError(
        `The provider of '${set.path}' must write no more entities than 'query.top' says: ${top}, not ${top - this.room}.`,
      )
    }
    return batch
  }
}

/** How many entities of a page are in a batch. */
export function countOf(batch: RenderedBatch): number {
  return 'rows' in batch ? batch.rows.length : batch.count
}

function readBatches(batches: readonly RenderedBatch[]): RenderedBatches {
  let index = 0
  return {
    next: () => batches[index++],
    close: () => {
      index = batches.length
    },
  }
}

function isBatches(value: unknown): value is RenderedBatches {
  if (typeof value !== 'object' || value === null) return false
  const { next, close } = value as Partial<Record<string, unknown>>
  return typeof next === 'function' && typeof close === 'function'
}
