import type { SeekPosition } from '../query/entity-query.js'
import type { Row } from '../evaluation/row.js'
import type { BatchReader } from '../util/batch-reader.js'
import { closeAfterError } from './abortable-batch-reader.js'
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
 * The rows of one page as they arrive, and after them the position of the next page. One row more than the page holds
 * is requested: it tells whether there is a next page, and is not shown. The first batches are made before any is
 * returned, so that an error in them can still become an error response.
 */
export class CollectionPage {
  /** The number of matches of path and filter, if the client requested it. */
  readonly inlineCount: number | undefined
  private shown = 0
  /** Batches that were made ahead; undefined before the first call of `next`. */
  private ahead: RowBatch[] | undefined
  private last: Row | undefined
  private more = false
  private pending: readonly Row[] = []

  constructor(
    private readonly rows: BatchReader<Row>,
    private readonly options: PageOptions,
  ) {
    this.inlineCount = options.inlineCount
  }

  /** How many rows have been made so far. */
  get count(): number {
    return this.shown
  }

  /** Returns the next batch; undefined at the end, and after an error. */
  async next(): Promise<RowBatch | undefined> {
    try {
      this.ahead ??= await this.makeAhead()
      return this.ahead.shift() ?? (await this.make())
    } catch (error) {
      await closeAfterError(this.rows)
      throw error
    }
  }

  /** Returns the position of the next page, known at the end of this one; undefined on the last page. */
  async nextPosition(): Promise<SeekPosition | undefined> {
    return this.more && this.last !== undefined ? this.options.positionOf(this.last) : undefined
  }

  async close(): Promise<void> {
    await this.rows.close()
  }

  private async makeAhead(): Promise<RowBatch[]> {
    const batches: RowBatch[] = []
    while (this.shown < this.options.ahead) {
      const batch = await this.make()
      if (batch === undefined) break
      batches.push(batch)
    }
    return batches
  }

  private async make(): Promise<RowBatch | undefined> {
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
