import type { EntityType } from '../edm/edm-model.js'
import { FirstRows } from '../evaluation/first-rows.js'
import { RowOrder } from '../evaluation/order.js'
import type { RowSink } from '../evaluation/row-scan.js'
import { PageRows, RowCount, scanRows } from '../evaluation/row-scan.js'
import type { Row } from '../evaluation/row.js'
import type { BatchReader } from '../util/batch-reader.js'
import { readArray } from '../util/batch-reader.js'
import { TimeSlice } from '../util/time-slice.js'
import type { AccessLimits } from './access-limits.js'
import { limitExceeded } from './access-limits.js'
import { closeAfterError } from './abortable-batch-reader.js'
import type { ProviderCall } from '../provider/provider-call.js'
import type { CollectionQuery, SplitQuery } from './pushdown.js'
import type { CreatePrefetch } from './row-filter.js'
import { RowFilter } from './row-filter.js'

/** The number of rows whose related entities are read in one call. */
const partLength = 2_000

/**
 * Does with rows what their provider did not: evaluates conditions, sorts, finds the start of the page and its end.
 *
 * @spec MS-ODATA 2.2.3.6.1.2 (order of evaluation)
 */
export class RowPipeline {
  private readonly filter: RowFilter
  private readonly order: RowOrder
  private readonly slice: TimeSlice
  private scanned = 0
  private matched = 0

  constructor(
    type: EntityType,
    private readonly query: CollectionQuery,
    private readonly split: SplitQuery,
    createPrefetch: CreatePrefetch,
    private readonly limits: AccessLimits,
    call: Pick<ProviderCall, 'signal'>,
  ) {
    this.slice = new TimeSlice(call)
    const prefetch = createPrefetch()
    this.filter = new RowFilter(type, split.refused, createPrefetch, prefetch)
    this.order = new RowOrder(query.orderBy, type, prefetch)
  }

  /** How many rows met the conditions. Known at the end, and only of rows that were not sought or paged before. */
  get matches(): number {
    return this.matched
  }

  /** The rows of the page, in order. Work that takes long yields to the event loop, and ends when the client leaves. */
  async run(rows: BatchReader<Row>): Promise<BatchReader<Row>> {
    return this.split.ordered ? this.page(rows) : readArray(await this.firstInOrder(rows))
  }

  /** Counts the rows that meet the conditions. */
  async count(rows: BatchReader<Row>): Promise<number> {
    const matches = new RowCount()
    await this.scanAll(rows, matches)
    return matches.count
  }

  /** Filters, skips and limits rows that come in order, batch by batch. */
  private page(rows: BatchReader<Row>): BatchReader<Row> {
    const page = new PageRows(this.query.skip, this.query.limit)
    let isComplete = this.query.limit <= 0
    let pending: readonly Row[] = []
    return {
      next: async () => {
        while (!isComplete) {
          const batch = pending.length > 0 ? pending : await rows.next()
          if (batch === undefined) return undefined
          pending = batch.slice(partLength)
          isComplete = !(await this.scanOrdered(batch.slice(0, partLength), page))
          if (isComplete) await rows.close()
          const found = page.take()
          if (found.length > 0) return found
        }
        return undefined
      },
      close: () => rows.close(),
    }
  }

  private async scanOrdered(part: readonly Row[], page: PageRows): Promise<boolean> {
    if (!this.filter.isEmpty) return this.scan(part, page)
    // Without conditions only the rows that are skipped count as scanned: the others are the page.
    this.note(Math.min(page.skip, part.length))
    return scanRows({ rows: part, sink: page }, this.slice)
  }

  /** Looks at all rows and keeps as many of the first as the page needs. */
  private async firstInOrder(rows: BatchReader<Row>): Promise<readonly Row[]> {
    const { query, order, limits } = this
    const after = query.seek && order.keyAt(query.seek, query.orderBy)
    const first = new FirstRows(order, query.skip + query.limit, after)
    await this.scanAll(rows, {
      add(row) {
        first.add(row)
        if (first.size > limits.sortedRows) throw limitExceeded('sortedRows', limits)
        return true
      },
    })
    this.matched = first.added
    const inOrder = await first.rows(this.slice)
    return query.skip === 0 ? inOrder : inOrder.slice(query.skip)
  }

  /** Gives all rows that meet the conditions to a sink; the source is closed when that fails. */
  private async scanAll(rows: BatchReader<Row>, sink: RowSink): Promise<void> {
    try {
      for (let batch = await rows.next(); batch !== undefined; batch = await rows.next()) {
        for (const part of parts(batch)) await this.scan(part, sink)
      }
    } catch (error) {
      await closeAfterError(rows)
      throw error
    }
  }

  /** @returns whether more rows are wanted */
  private async scan(part: readonly Row[], sink: RowSink): Promise<boolean> {
    const { filter, slice } = this
    const visible = await filter.visible(part, slice)
    // Hidden rows must not influence the response, so the limit does not count them.
    this.note(visible.length)
    const wantsMore = await filter.scan(visible, sink, slice)
    if (slice.shouldYield()) await slice.yield()
    return wantsMore
  }

  /** Notes that rows were looked at. */
  private note(count: number): void {
    this.scanned += count
    if (this.scanned > this.limits.scannedRows) throw limitExceeded('scannedRows', this.limits)
  }
}

function* parts(batch: readonly Row[]): Generator<readonly Row[]> {
  if (batch.length <= partLength) yield batch
  else
    for (let start = 0; start < batch.length; start += partLength)
      yield batch.slice(start, start + partLength)
}
