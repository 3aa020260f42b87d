import type { SeekPosition } from '../query/entity-query.js'
import type { Row } from '../evaluation/row.js'
import { freeOnceSent } from '../util/freed-bytes.js'
import { BatchesAhead } from './batches-ahead.js'
import type { Page, PageBatch } from './page.js'
import { countOf } from './provided-rendering.js'
import type { RenderedBatches } from '../provider/rendering.js'
import type { RowBatch } from '../provider/row-batch.js'

/** What a page needs beside what its provider has written. */
export interface RenderedPageOptions {
  /** Whether a next page may follow: not when the client got as many entities as it asked for. */
  readonly mayContinue: boolean
  readonly inlineCount: number | undefined
  /** Counts what the provider has written inline. @throws ODataError LimitExceeded */
  readonly countInline: (count: number) => void
  /** Reads what is shown inline of rows that the provider has not written. */
  readonly expand: (rows: readonly Row[]) => Promise<RowBatch> | RowBatch
  /** How many entities are there before the first are given out: what fails up to then can still be answered. */
  readonly ahead: number
  readonly positionOf: (row: Row) => Promise<SeekPosition>
}

/** The entities of one page that its provider writes. */
export class RenderedPage extends BatchesAhead<PageBatch> implements Page {
  readonly inlineCount: number | undefined
  private lastOfMore: Row | undefined

  constructor(
    private readonly batches: RenderedBatches,
    private readonly options: RenderedPageOptions,
  ) {
    super(batches, options.ahead)
    this.inlineCount = options.inlineCount
  }

  async nextPosition(): Promise<SeekPosition | undefined> {
    const { mayContinue, positionOf } = this.options
    return mayContinue && this.lastOfMore !== undefined ? positionOf(this.lastOfMore) : undefined
  }

  protected async make(): Promise<PageBatch | undefined> {
    for (;;) {
      const batch = await this.batches.next()
      if (batch === undefined) return undefined
      const count = countOf(batch)
      if (count === 0) {
        // An empty batch may say that there are more, but not that there are none.
        this.lastOfMore = batch.lastOfMore ?? this.lastOfMore
        continue
      }
      this.lastOfMore = batch.lastOfMore
      this.made += count
      if ('rows' in batch) return this.options.expand(batch.rows)
      this.options.countInline(batch.inlineCount)
      if (batch.disposable === true) for (const piece of batch.pieces) freeOnceSent(piece)
      return batch
    }
  }
}
