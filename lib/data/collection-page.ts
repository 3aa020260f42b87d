import type { Row } from '../evaluation/row.js'
import type { SeekPosition } from '../query/entity-query.js'
import type { BatchReader } from '../util/batch-reader.js'
import { closeAfterError } from './abortable-batch-reader.js'
import type { RowBatch } from './row-batch.js'

/** The maximum number of rows whose related rows are in memory at the same time. */
const MAX_EXPANDED_ROWS = 200

/** Options of a page. */
export interface PageOptions {
  /** The maximum number of rows; infinite when there is no limit. */
  readonly limit: number
  /** True if a next page may follow; false when the page has as many rows as the client requested. */
  readonly mayContinue: boolean
  /** The number of matches of path and filter; undefined when the client did not request it. */
  readonly inlineCount: number | undefined
  /** Undefined when nothing is expanded. */
  readonly expansion: PageExpansion | undefined
  /** Returns the position of a row in the order. */
  readonly positionOf: (row: Row) => Promise<SeekPosition>
}

/** Reads the related rows that a page shows inline. */
export interface PageExpansion {
  readonly expand: (rows: readonly Row[]) => Promise<RowBatch>
  /** The number of rows that are expanded before the first is returned. */
  readonly rowsAhead: number
}

/**
 * The rows of one page as they arrive, and after them the position of the next page. One row more than the page holds
 * is requested to find out whether a next page follows. The first batches are expanded before any is returned, so that
 * an error in them can still become an error response.
 */
export class CollectionPage {
  /** The number of rows that have been returned or expanded ahead. */
  count = 0
  private ahead: RowBatch[] | undefined
  private lastRow: Row | undefined
  private hasMore = false
  private pending: readonly Row[] = []

  constructor(
    private readonly rows: BatchReader<Row>,
    private readonly options: PageOptions,
  ) {}

  /** The number of matches of path and filter; undefined when the client did not request it. */
  get inlineCount(): number | undefined {
    return this.options.inlineCount
  }

  /** Returns the next batch; undefined at the end. */
  async next(): Promise<RowBatch | undefined> {
    try {
      if (this.ahead === undefined) {
        this.ahead = []
        const { rowsAhead = 0 } = this.options.expansion ?? {}
        while (this.count < rowsAhead) {
          const batch = await this.nextBatch()
          if (batch === undefined) break
          this.ahead.push(batch)
        }
      }
      return this.ahead.shift() ?? (await this.nextBatch())
    } catch (error) {
      await closeAfterError(this.rows)
      throw error
    }
  }

  /** Returns the position of the next page, known at the end of this one; undefined on the last page. */
  async nextPosition(): Promise<SeekPosition | undefined> {
    return this.hasMore && this.lastRow !== undefined ? this.options.positionOf(this.lastRow) : undefined
  }

  async close(): Promise<void> {
    await this.rows.close()
  }

  private async nextBatch(): Promise<RowBatch | undefined> {
    const { limit, expansion, mayContinue } = this.options
    const batch = this.pending.length > 0 ? this.pending : await this.rows.next()
    if (batch === undefined) return undefined
    const room = limit - this.count
    if (room <= 0) {
      this.hasMore = mayContinue
      await this.rows.close()
      return undefined
    }
    const size = Math.min(batch.length, room, expansion === undefined ? Infinity : MAX_EXPANDED_ROWS)
    const rows = size === batch.length ? batch : batch.slice(0, size)
    this.pending = size === batch.length ? [] : batch.slice(size)
    this.count += size
    this.lastRow = rows.at(-1)
    return expansion === undefined ? { rows, expansions: [] } : expansion.expand(rows)
  }
}
