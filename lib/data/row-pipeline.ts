import type { EntityType } from '../edm/edm-model.js'
import { FirstRows } from '../evaluation/first-rows.js'
import { RowOrder } from '../evaluation/order.js'
import type { Row } from '../evaluation/row.js'
import type { BatchReader } from '../util/batch-reader.js'
import { readArray } from '../util/batch-reader.js'
import { TimeSlice } from '../util/time-slice.js'
import type { AccessLimits } from './access-limits.js'
import { limitExceeded } from './access-limits.js'
import { closeAfterError } from './provided-batches.js'
import type { ProviderCall } from '../provider/provider-call.js'
import type { CollectionQuery, SplitQuery } from './pushdown.js'
import type { CreatePrefetch } from './row-filter.js'
import { RowFilter } from './row-filter.js'

/** For so many rows it is read at once what is behind navigation properties. */
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

  /** The rows of the page, in order. Work that takes long gives others a turn, and ends when the client has left. */
  async run(rows: BatchReader<Row>): Promise<BatchReader<Row>> {
    if (this.split.paged) return rows
    if (!this.split.ordered) return readArray(await this.firstInOrder(rows))
    return this.page(this.filter.isEmpty ? rows : this.filtered(rows))
  }

  /** Counts the rows that meet the conditions. */
  async count(rows: BatchReader<Row>): Promise<number> {
    await this.forEachMatch(rows, () => undefined)
    return this.matched
  }

  private filtered(rows: BatchReader<Row>): BatchReader<Row> {
    let pending: readonly Row[] = []
    return {
      next: async () => {
        for (;;) {
          const batch = pending.length > 0 ? pending : await rows.next()
          if (batch === undefined) return undefined
          pending = batch.slice(partLength)
          const found: Row[] = []
          await this.look(batch.slice(0, partLength), (row) => found.push(row))
          if (found.length > 0) return found
        }
      },
      close: () => rows.close(),
    }
  }

  /** Finds the rows of a part that meet the conditions. */
  private async look(rows: readonly Row[], found: (row: Row) => void): Promise<void> {
    const { filter, slice } = this
    const visible = await filter.visible(rows, slice)
    // Hidden rows must not influence the response, so the limit does not count them.
    this.note(visible.length)
    for (const row of await filter.matching(visible, slice)) {
      this.matched++
      found(row)
    }
    if (slice.isOver()) await slice.pause()
  }

  /** Notes that rows were looked at. */
  private note(count: number): void {
    this.scanned += count
    if (this.scanned > this.limits.scannedRows) throw limitExceeded('scannedRows', this.limits)
  }

  /** Skips and limits rows that come in order. */
  private page(rows: BatchReader<Row>): BatchReader<Row> {
    let { skip, limit: left } = this.query
    return {
      next: async () => {
        while (left > 0) {
          const batch = await rows.next()
          if (batch === undefined) return undefined
          const from = Math.min(skip, batch.length)
          skip -= from
          // Where there is a condition, they have been looked at before.
          if (this.filter.isEmpty) this.note(from)
          const part = batch.slice(from, from + Math.min(left, batch.length))
          left -= part.length
          if (left === 0) await rows.close()
          if (part.length > 0) return part
        }
        return undefined
      },
      close: () => rows.close(),
    }
  }

  /** Looks at all rows and keeps as many of the first as the page needs. */
  private async firstInOrder(rows: BatchReader<Row>): Promise<readonly Row[]> {
    const { query, order, limits } = this
    const seekKey = query.seek === undefined ? undefined : order.keyAt(query.seek, query.orderBy)
    const first = new FirstRows(order, query.skip + query.limit)
    await this.forEachMatch(rows, (row) => {
      if (seekKey === undefined || order.compareRow(row, seekKey) > 0) first.add(row)
      if (first.size > limits.sortedRows) throw limitExceeded('sortedRows', limits)
    })
    const inOrder = await first.rowsInTurns(this.slice)
    return query.skip === 0 ? inOrder : inOrder.slice(query.skip)
  }

  /** Looks at all rows; the source is closed when that fails. */
  private async forEachMatch(rows: BatchReader<Row>, visit: (found: Row) => void): Promise<void> {
    try {
      for (let batch = await rows.next(); batch !== undefined; batch = await rows.next()) {
        for (const part of parts(batch)) await this.look(part, visit)
      }
    } catch (error) {
      await closeAfterError(rows)
      throw error
    }
  }
}

function* parts(batch: readonly Row[]): Generator<readonly Row[]> {
  if (batch.length <= partLength) yield batch
  else
    for (let start = 0; start < batch.length; start += partLength)
      yield batch.slice(start, start + partLength)
}
