import type { SeekPosition } from '../query/entity-query.js'
import type { Row } from '../evaluation/row.js'
import type { BatchReader } from '../util/batch-reader.js'
import type { Page } from './page.js'
import { closeAfterError } from './provided-batches.js'
import type { RowBatch } from './row-batch.js'

/** What a page needs beside its rows. */
export interface PageOptions {
  /** How many rows the client may get at most; infinite when there is no limit. */
  readonly limit: number
  /** Whether a next page may follow: not when the client got as many rows as it asked for. */
  readonly mayContinue: boolean
  /** Matches of path and filter, when the client asked for their number. */
  readonly inlineCount: number | undefined
  /** Reads what is shown inline of some rows. */
  readonly expand: (rows: readonly Row[]) => Promise<RowBatch> | RowBatch
  /** How many rows are expanded at once; what is related to them is all in memory. */
  readonly batchSize: number
  /** How many rows are expanded before the first are given out: what fails up to then can still be answered. */
  readonly ahead: number
  /** The place of a row in the order. */
  readonly positionOf: (row: Row) => Promise<SeekPosition>
}

/**
 * The rows of one page as they come, and after them where the next page starts. One row more than the page holds is
 * asked for: it tells whether there is a next page, and is not shown.
 */
export class CollectionPage implements Page {
  readonly inlineCount: number | undefined
  private shown = 0
  private last: Row | undefined
  private more = false
  private pending: readonly Row[] = []
  /** What has been expanded ahead; undefined as long as nothing was asked for. */
  private expanded: RowBatch[] | undefined

  constructor(
    private readonly rows: BatchReader<Row>,
    private readonly options: PageOptions,
  ) {
    this.inlineCount = options.inlineCount
  }

  /** The next rows; undefined at the end of the page. After an error there are no more. */
  async next(): Promise<RowBatch | undefined> {
    try {
      this.expanded ??= await this.expandAhead()
      return this.expanded.shift() ?? (await this.nextBatch())
    } catch (error) {
      await closeAfterError(this.rows)
      throw error
    }
  }

  /** Where the next page starts, known at the end of this one; undefined when there is none. */
  async nextPosition(): Promise<SeekPosition | undefined> {
    return this.more && this.last !== undefined ? this.options.positionOf(this.last) : undefined
  }

  /** How many rows have been shown. */
  get count(): number {
    return this.shown
  }

  async close(): Promise<void> {
    await this.rows.close()
  }

  private async expandAhead(): Promise<RowBatch[]> {
    const batches: RowBatch[] = []
    while (this.shown < this.options.ahead) {
      const batch = await this.nextBatch()
      if (batch === undefined) break
      batches.push(batch)
    }
    return batches
  }

  private async nextBatch(): Promise<RowBatch | undefined> {
    const rows = await this.nextRows()
    return rows === undefined ? undefined : this.options.expand(rows)
  }

  private async nextRows(): Promise<readonly Row[] | undefined> {
    const { limit, batchSize, mayContinue } = this.options
    const batch = this.pending.length > 0 ? this.pending : await this.rows.next()
    if (batch === undefined) return undefined
    const room = limit - this.shown
    if (room <= 0) {
      this.more = mayContinue
      await this.rows.close()
      return undefined
    }
    const size = Math.min(batch.length, room, batchSize)
    const rows = size === batch.length ? batch : batch.slice(0, size)
    this.pending = size === batch.length ? [] : batch.slice(size)
    this.shown += size
    this.last = rows.at(-1)
    return rows
  }
}
