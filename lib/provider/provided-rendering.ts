import type { EntitySet } from '../edm/edm-model.js'
import type { MaybePromise } from '../util/maybe-promise.js'
import { isPromiseLike } from '../util/maybe-promise.js'
import { checkRenderedBatch, garbage } from './check-provided.js'
import type { RenderedBatch, RenderedBatches } from './rendering.js'

/** Entities that a provider has written, each batch looked at before it is used. */
export class ProvidedRendering implements RenderedBatches {
  private isClosed = false
  /** How many entities the page may still have. */
  private room: number

  private constructor(
    private readonly set: EntitySet,
    private readonly source: RenderedBatches,
    private readonly top: number,
  ) {
    this.room = top
  }

  /**
   * @param rendered what the provider has returned
   * @param top how many entities it was asked for at most
   * @throws TypeError when that is neither an array of batches nor an object that gives them over time
   */
  static of(set: EntitySet, rendered: unknown, top = Number.POSITIVE_INFINITY): RenderedBatches {
    if (isBatches(rendered)) return new ProvidedRendering(set, rendered, top)
    if (Array.isArray(rendered)) {
      const source = readBatches(rendered)
      // All of it is there: what is wrong can still be answered.
      const whole = new ProvidedRendering(set, source, top)
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
    const batch: unknown = this.source.next()
    return isPromiseLike(batch) ? this.later(batch) : this.orEnd(batch)
  }

  close(): MaybePromise<void> {
    if (this.isClosed) return
    this.isClosed = true
    return this.source.close()
  }

  private async later(batch: PromiseLike<unknown>): Promise<RenderedBatch | undefined> {
    return this.orEnd(await batch)
  }

  private orEnd(batch: unknown): RenderedBatch | undefined {
    return batch === undefined ? undefined : this.checked(batch)
  }

  private checked(batch: unknown): RenderedBatch {
    checkRenderedBatch(this.set, batch)
    this.room -= countOf(batch)
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
