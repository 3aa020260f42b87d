import type { Row } from '../evaluation/row.js'
import type { SeekPosition } from '../query/entity-query.js'
import type { BatchReader } from '../util/batch-reader.js'
import { closeAfterError } from '../util/batch-reader.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isPromiseLike, mapValue } from '../util/promise-or-value.js'
import { required } from '../util/required.js'
import type { RowBatch } from './row-batch.js'

/** The maximum number of rows whose related rows are in memory at the same time. */
const MAX_EXPANDED_ROWS = 200

/** Options of a page. */
interface PageOptions {
  /** The maximum number of rows; infinite when there is no limit. */
  readonly limit: number
  /** True if a next page may follow; false when the page has as many rows as the client requested. */
  readonly mayContinue: boolean
  /** True or false if the provider reports whether further entities follow the last row. */
  readonly hasMore?: boolean | undefined
  /** The number of matches of path and filter; undefined when the client did not request it. */
  readonly inlineCount: number | undefined
  /** Undefined when nothing is expanded. */
  readonly expand: PageExpansion | undefined
  /** Returns the position of a row in the order. */
  readonly positionOf: (row: Row) => PromiseOrValue<SeekPosition>
}

/** Reads the related rows for `$expand`. */
type PageExpansion = (rows: readonly Row[]) => PromiseOrValue<RowBatch>

/**
 * Reads the rows of one page, and the position of the next page. Requests one row more than the page contains, to
 * detect a next page.
 */
export class CollectionPage {
  /** The number of rows that have been returned or expanded ahead. */
  count = 0
  /** The number of matches of path and filter; undefined when the client did not request it. */
  readonly inlineCount: number | undefined
  private ahead: RowBatch[] = []
  private lastRow: Row | undefined
  /** True if a next page follows; known at the end of this one. */
  hasMore = false
  private pending: readonly Row[] = []

  constructor(
    private readonly rows: BatchReader<Row>,
    private readonly options: PageOptions,
  ) {
    this.inlineCount = options.inlineCount
    if (options.hasMore !== undefined) this.hasMore = options.mayContinue && options.hasMore
  }

  /** Expands rows before the first is returned, so that an error in them can still become an error response. */
  async expandAhead(rowCount: number): Promise<void> {
    const ahead: RowBatch[] = []
    while (this.count < rowCount) {
      const batch = await this.next()
      if (batch === undefined) break
      ahead.push(batch)
    }
    this.ahead = ahead
  }

  /** Returns the next batch; undefined at the end. */
  next(): PromiseOrValue<RowBatch | undefined> {
    const ahead = this.ahead.shift()
    if (ahead !== undefined) return ahead
    try {
      const batch = this.pending.length > 0 ? this.pending : this.rows.next()
      const rows = isPromiseLike(batch) ? batch.then((later) => this.take(later)) : this.take(batch)
      return isPromiseLike(rows) ? rows.catch((error: unknown) => this.closeAfter(error)) : rows
    } catch (error) {
      return this.closeAfter(error)
    }
  }

  private async closeAfter(error: unknown): Promise<never> {
    await closeAfterError(this.rows)
    throw error
  }

  private take(batch: readonly Row[] | undefined): PromiseOrValue<RowBatch | undefined> {
    const { limit, expand, mayContinue } = this.options
    if (batch === undefined) return undefined
    const room = limit - this.count
    if (room <= 0) {
      this.hasMore = mayContinue
      return mapValue(this.rows.close(), () => undefined)
    }
    const size = Math.min(batch.length, room, expand === undefined ? Infinity : MAX_EXPANDED_ROWS)
    const rows = size === batch.length ? batch : batch.slice(0, size)
    this.pending = size === batch.length ? [] : batch.slice(size)
    this.count += size
    this.lastRow = rows.at(-1)
    return expand === undefined ? { rows, expansions: [] } : expand(rows)
  }

  /** Returns the position of the next page. Requires {@link hasMore}. */
  nextPosition(): PromiseOrValue<SeekPosition> {
    return this.options.positionOf(required(this.lastRow))
  }

  close(): PromiseOrValue<void> {
    return this.rows.close()
  }
}
