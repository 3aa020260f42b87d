import type { Row } from '../../evaluation/row.js'
import type { EntryContext } from '../../provider/entry-template.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { RenderedBatch, RenderedBatches, Rendering } from '../../provider/rendering.js'
import type { RowBatch } from '../../provider/row-batch.js'
import type { MaybePromise } from '../../util/maybe-promise.js'
import { nextTurn } from '../../util/next-turn.js'
import { timeMark } from './entity-slab.js'
import type { KeepingRequest, KeptPlace } from './kept-entities.js'
import type { RenderedPlan } from './rendered-plan.js'
import { EntityBytes } from './entity-bytes.js'

/** So many entities come at once; so many, if the service must read what is shown inline of them. */
const rowsAtOnce = 1_000
const expandedAtOnce = 200
/** Milliseconds after which a batch ends, and after which others get a turn. */
const longestBatch = 3
const longestTurn = 4

/** The rows of a page, and how they are written. */
export interface RowsToRender {
  readonly rows: readonly Row[]
  /** How many of them the page shows. */
  readonly count: number
  readonly rendering: Rendering
  readonly plan: RenderedPlan
  /** The request, as it counts for what is kept. */
  readonly number: number
  readonly call: ProviderCall
  /** Reads for the caller when nobody else is changing anything. */
  readonly read: <T>(read: () => T) => MaybePromise<T>
  /** False when what is written now must not be kept, as rows may have changed meanwhile. */
  readonly mayKeep: () => boolean
}

/** The entities of a page: those that are kept as they are, and others written now and kept. */
export class RenderedRows implements RenderedBatches {
  private position = 0
  private turnEnd = performance.now() + longestTurn
  private readonly request: KeepingRequest
  private readonly context: EntryContext
  private readonly batchOfAll: RowBatch
  private askedForMedia = false
  /** No room is left for what this request writes. */
  private isFull = false

  constructor(private readonly page: RowsToRender) {
    this.batchOfAll = { rows: page.rows, expansions: [] }
    const { context } = page.rendering
    this.request = { number: page.number, time: context.updated }
    this.context = {
      ...context,
      updated: timeMark(context.updated),
      media: (set) => {
        this.askedForMedia = true
        return context.media(set)
      },
    }
  }

  next(): MaybePromise<RenderedBatch | undefined> {
    if (this.position >= this.page.count) return undefined
    return performance.now() < this.turnEnd ? this.nextBatch() : this.nextInTurn()
  }

  close(): void {
    this.position = this.page.count
  }

  private async nextInTurn(): Promise<RenderedBatch | undefined> {
    await nextTurn()
    this.page.call.signal.throwIfAborted()
    this.turnEnd = performance.now() + longestTurn
    return this.nextBatch()
  }

  /** Rows are as they were read, but what is shown inline of them is read now. */
  private nextBatch(): MaybePromise<RenderedBatch | undefined> {
    const { plan, read } = this.page
    return plan.inline === undefined ? this.batch() : read(() => this.batch())
  }

  private batch(): RenderedBatch {
    const { rows, count, rendering } = this.page
    const start = this.position
    const bytes = new EntityBytes(this.request.time)
    this.gather(bytes)
    const written = this.position - start
    if (written === 0) this.position = this.mayKeep() ? start + 1 : this.firstKeptFrom(start + 1)
    const isCut = this.position === count && count < rows.length
    const lastOfMore = isCut ? { lastOfMore: rows[count - 1] as Row } : {}
    if (written === 0) return { rows: rows.slice(start, this.position), ...lastOfMore }
    const { pieces, inlineCount } = bytes.take(Buffer.byteLength(rendering.separator))
    return { pieces, count: written, inlineCount, ...lastOfMore }
  }

  private mayKeep(): boolean {
    return this.page.plan.isCurrent() && !this.isFull && this.page.mayKeep()
  }

  /** Goes on up to the first entity that the service must write. */
  private gather(bytes: EntityBytes): void {
    const { rows, count, plan } = this.page
    const end = Math.min(count, this.position + rowsAtOnce)
    const timeEnd = performance.now() + longestBatch
    const mayKeep = this.mayKeep()
    while (this.position < end) {
      const place = plan.entities.find(rows[this.position] as Row)
      if (place !== undefined) {
        this.add(bytes, place, place.slab.countFrom(place.index, rows, this.position, end))
      } else {
        if (!mayKeep || this.isFull || !this.write(bytes)) return
        if (this.isTimeToLook() && performance.now() > timeEnd) return
      }
    }
  }

  private add(bytes: EntityBytes, place: KeptPlace, count: number): void {
    const { slab } = place
    if (slab.lastUsed < this.request.number) slab.lastUsed = this.request.number
    bytes.add(place, count)
    this.position += count
  }

  /** Looking at the clock costs a part of what writing an entity without others inline does. */
  private isTimeToLook(): boolean {
    return this.page.plan.inline !== undefined || this.position % 16 === 0
  }

  /**
   * Writes the next entity and keeps it where that can be.
   *
   * @returns false when the service must write it
   */
  private write(bytes: EntityBytes): boolean {
    const { plan, rendering, rows } = this.page
    const row = rows[this.position] as Row
    const inline = plan.inline?.of(row)
    if (plan.inline !== undefined && inline === undefined) return false
    const entity =
      inline === undefined
        ? rendering.write(this.batchOfAll, this.position, this.context)
        : rendering.write(inline.batch, 0, this.context)
    // Media change without their entities.
    if (this.askedForMedia) {
      plan.refuse()
      return false
    }
    const text = entity + rendering.separator
    const count = inline?.count ?? 0
    const place = plan.entities.keep(row, text, count, this.request)
    if (place !== undefined) {
      this.add(bytes, place, 1)
      return true
    }
    if (!plan.entities.isTooLarge(text)) this.isFull = true
    bytes.addText(text.replaceAll(this.context.updated, this.request.time), count)
    this.position++
    return true
  }

  /** Where the rows end that the service must write. */
  private firstKeptFrom(start: number): number {
    const { rows, count, plan } = this.page
    const end = Math.min(count, start - 1 + (plan.inline === undefined ? rowsAtOnce : expandedAtOnce))
    let position = start
    while (position < end && plan.entities.find(rows[position] as Row) === undefined) position++
    return position
  }
}
