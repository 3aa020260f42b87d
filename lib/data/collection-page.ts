import type { SeekPosition } from '../query/entity-query.js'
import type { Row } from '../evaluation/row.js'
import type { BatchReader } from '../util/batch-reader.js'
import { BatchesAhead } from './batches-ahead.js'
import type { Page } from './page.js'
import type { RowBatch } from '../provider/row-batch.js'

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
export class CollectionPage extends BatchesAhead<RowBatch> implements Page {
  readonly inlineCount: number | undefined
  private last: Row | undefined
  private more = false
  private pending: readonly Row[] = []

  constructor(
    private readonly rows: BatchReader<Row>,
    private readonly options: PageOptions,
  ) {
    super(rows, options.ahead)
    this.inlineCount = options.inlineCount
  }

  /** Where the next page starts, known at the end of this one; undefined when there is none. */
  async nextPosition(): Promise<SeekPosition | undefined> {
    return this.more && this.last !== undefined ? this.options.positionOf(this.last) : undefined
  }

  protected async make(): Promise<RowBatch | undefined> {
    const rows = await this.nextRows()
    return rows === undefined ? undefined : this.options.expand(rows)
  }

  private async nextRows(): Promise<readonly Row[] | undefined> {
    const { limit, batchSize, mayContinue } = this.options
    const batch = this.pending.length > 0 ? this.pending : await this.rows.next()
    if (batch === undefined) return undefined
    const room = limit - this.made
    if (room <= 0) {
      this.more = mayContinue
      await this.rows.close()
      return undefined
    }
    const size = Math.min(batch.length, room, batchSize)
    const rows = size === batch.length ? batch : batch.slice(0, size)
    this.pending = size === batch.length ? [] : batch.slice(size)
    this.made += size
    this.last = rows.at(-1)
    return rows
  }
}
