import type { SeekPosition } from '../query/entity-query.js'
import type { Row } from '../evaluation/row.js'
import type { Page, PageBatch } from './page.js'
import { closeAfterError } from './provided-batches.js'
import type { RenderedBatch, RenderedBatches } from './rendering.js'
import type { RowBatch } from './row-batch.js'

/** What a page needs beside what its provider has written. */
export interface RenderedPageOptions {
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
export class RenderedPage implements Page {
  readonly inlineCount: number | undefined
  private shown = 0
  private lastOfMore: Row | undefined
  /** What has been read ahead; undefined as long as nothing was asked for. */
  private kept: PageBatch[] | undefined

  constructor(
    private readonly batches: RenderedBatches,
    private readonly options: RenderedPageOptions,
  ) {
    this.inlineCount = options.inlineCount
  }

  async next(): Promise<PageBatch | undefined> {
    try {
      this.kept ??= await this.readAhead()
      return this.kept.shift() ?? (await this.nextBatch())
    } catch (error) {
      await closeAfterError(this.batches)
      throw error
    }
  }

  async nextPosition(): Promise<SeekPosition | undefined> {
    return this.lastOfMore === undefined ? undefined : this.options.positionOf(this.lastOfMore)
  }

  get count(): number {
    return this.shown
  }

  async close(): Promise<void> {
    await this.batches.close()
  }

  private async readAhead(): Promise<PageBatch[]> {
    const kept: PageBatch[] = []
    while (this.shown < this.options.ahead) {
      const batch = await this.nextBatch()
      if (batch === undefined) break
      kept.push(batch)
    }
    return kept
  }

  private async nextBatch(): Promise<PageBatch | undefined> {
    for (;;) {
      const batch = await this.batches.next()
      if (batch === undefined) return undefined
      this.lastOfMore = batch.lastOfMore
      const count = countOf(batch)
      if (count === 0) continue
      this.shown += count
      if ('rows' in batch) return this.options.expand(batch.rows)
      this.options.countInline(batch.inlineCount)
      return batch
    }
  }
}

function countOf(batch: RenderedBatch): number {
  return 'rows' in batch ? batch.rows.length : batch.count
}
