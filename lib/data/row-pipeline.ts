import type { EntityType } from '../edm/edm-model.js'
import type { Condition } from '../evaluation/compile-expression.js'
import { ExpressionCompiler } from '../evaluation/compile-expression.js'
import { withoutNavigation } from '../evaluation/evaluation-context.js'
import { FirstRows, PageRows, RowCount, scanRows } from '../evaluation/row-scan.js'
import { RowOrder } from '../evaluation/order.js'
import type { RowSink } from '../evaluation/row-scan.js'
import type { Row } from '../evaluation/row.js'
import type { ProviderCall } from '../provider/provider-call.js'
import type { Expression } from '../query/expression.js'
import { conjunction } from '../query/expression.js'
import type { BatchReader } from '../util/batch-reader.js'
import { closeAfterError, readArray } from '../util/batch-reader.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { mapValue } from '../util/promise-or-value.js'
import { TimeSlice } from '../util/time-slice.js'
import type { AccessLimits } from './access-limits.js'
import { limitExceeded } from './access-limits.js'
import type { NavigationPrefetch } from './navigation-prefetch.js'
import { navigationSteps } from './navigation-steps.js'
import type { CollectionQuery, Conditions, SplitQuery } from './pushdown.js'
import { isScan } from './pushdown.js'

/** The maximum number of rows whose related entities are read in one call. */
const MAX_PREFETCH_ROWS = 2_000

/**
 * Does the parts of a query that the provider refused: evaluates conditions, sorts, and limits rows to the page.
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

  /** The number of rows that met the conditions, after `run` has sorted them. */
  get matches(): number {
    return this.matched
  }

  /** Returns the rows of the page in order. Yields to the event loop, and throws when the request is aborted. */
  async run(rows: BatchReader<Row>): Promise<BatchReader<Row>> {
    return this.split.isOrdered ? this.page(rows) : readArray(await this.firstInOrder(rows))
  }

  /** Counts the rows that meet the conditions. */
  async count(rows: BatchReader<Row>): Promise<number> {
    const matches = new RowCount()
    await this.scanAll(rows, matches)
    return matches.count
  }

  /** Filters, skips and limits sorted rows, batch by batch. */
  private page(rows: BatchReader<Row>): BatchReader<Row> {
    const page = new PageRows(this.query.skip, this.query.limit)
    let isComplete = this.query.limit <= 0
    let pending: readonly Row[] = []
    return {
      next: async () => {
        while (!isComplete) {
          const batch = pending.length > 0 ? pending : await rows.next()
          if (batch === undefined) return undefined
          pending = batch.slice(MAX_PREFETCH_ROWS)
          isComplete = !(await this.scanOrdered(batch.slice(0, MAX_PREFETCH_ROWS), page))
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
    // Without conditions only skipped rows count as scanned: the others are the page.
    this.countScanned(Math.min(page.skip, part.length))
    return scanRows({ rows: part, sink: page }, this.slice)
  }

  /** Scans all rows, and holds only as many as the page needs. */
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

  /** Passes all rows that meet the conditions to a sink. Closes the source after an error. */
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

  /** @returns true if the sink wants more rows */
  private async scan(part: readonly Row[], sink: RowSink): Promise<boolean> {
    const { filter, slice } = this
    const visible = await filter.visible(part, slice)
    // Hidden rows must not influence the response, so the limit does not count them.
    this.countScanned(visible.length)
    const wantsMore = await filter.scan(visible, sink, slice)
    if (slice.shouldYield()) await slice.yield()
    return wantsMore
  }

  private countScanned(count: number): void {
    this.scanned += count
    if (this.scanned > this.limits.scannedRows) throw limitExceeded('scannedRows', this.limits)
  }
}

function* parts(batch: readonly Row[]): Generator<readonly Row[]> {
  if (batch.length <= MAX_PREFETCH_ROWS) yield batch
  else
    for (let start = 0; start < batch.length; start += MAX_PREFETCH_ROWS)
      yield batch.slice(start, start + MAX_PREFETCH_ROWS)
}

/** Creates the prefetch of the related entities that expressions refer to. */
export type CreatePrefetch = () => NavigationPrefetch

/** Evaluates conditions: the restrictions on all rows, then the filters on the visible rows only. */
export class RowFilter {
  private readonly restriction: CompiledFilter | undefined
  private readonly filter: Condition | undefined

  /**
   * @param createPrefetch for the restrictions, whose related entities are read for all rows
   * @param prefetch for the filters, whose related entities are read for visible rows; shared with the order
   */
  constructor(
    type: EntityType,
    { restrictions, filters }: Conditions,
    createPrefetch: CreatePrefetch,
    readonly prefetch: NavigationPrefetch,
  ) {
    const restriction = conjunction(restrictions)
    this.restriction = restriction && compiled(type, restriction, createPrefetch())
    const filter = conjunction(filters)
    this.filter = filter && compiled(type, filter, prefetch).condition
  }

  get isEmpty(): boolean {
    return this.restriction === undefined && this.filter === undefined
  }

  /** Returns the rows that the caller may see, and loads the related entities that the filters refer to. */
  async visible(rows: readonly Row[], slice: TimeSlice): Promise<readonly Row[]> {
    const { restriction, prefetch } = this
    if (restriction !== undefined) {
      if (!restriction.prefetch.isEmpty) await restriction.prefetch.load(rows)
      const visible = new PageRows(0, Number.POSITIVE_INFINITY)
      await scanRows({ rows, isTrue: restriction.condition.isTrue, sink: visible }, slice)
      rows = visible.take()
    }
    if (!prefetch.isEmpty && rows.length > 0) await prefetch.load(rows)
    return rows
  }

  /** Passes the visible rows that meet the filters to a sink. Returns whether the sink wants more rows. */
  scan(visible: readonly Row[], sink: RowSink, slice: TimeSlice): PromiseOrValue<boolean> {
    return scanRows({ rows: visible, isTrue: this.filter?.isTrue, sink }, slice)
  }
}

interface CompiledFilter {
  readonly condition: Condition
  readonly prefetch: NavigationPrefetch
}

function compiled(type: EntityType, expression: Expression, prefetch: NavigationPrefetch): CompiledFilter {
  return { condition: new ExpressionCompiler(type, prefetch).condition(expression), prefetch }
}

/** Returns true if a row meets the conditions. */
export function meets(
  row: Row,
  { restrictions, filters }: Conditions,
  type: EntityType,
  createPrefetch: CreatePrefetch,
): PromiseOrValue<boolean> {
  const meetsAll = (group: readonly Expression[]): PromiseOrValue<boolean> => {
    const expression = conjunction(group)
    if (expression === undefined) return true
    const own = ownCondition(expression, type)
    if (own !== undefined) return own.isTrue(row)
    const { condition, prefetch } = compiled(type, expression, createPrefetch())
    return mapValue(prefetch.isEmpty ? undefined : prefetch.load([row]), () => condition.isTrue(row))
  }
  return mapValue(meetsAll(restrictions), (isVisible) => isVisible && meetsAll(filters))
}

/** The compiled form of a condition on the stored properties of an entity. */
interface OwnCondition {
  readonly type: EntityType
  readonly condition: Condition
}

/** Reads by key evaluate the filter of `authorize`, which is usually the same for every request, on single rows. */
const ownConditions = new WeakMap<Expression, OwnCondition>()

/** @returns undefined if the condition navigates or calls functions of the application, which depend on the request */
function ownCondition(expression: Expression, type: EntityType): Condition | undefined {
  const known = ownConditions.get(expression)
  if (known?.type === type) return known.condition
  if (navigationSteps(expression).length > 0 || isScan(expression)) return undefined
  const condition = new ExpressionCompiler(type, withoutNavigation).condition(expression)
  ownConditions.set(expression, { type, condition })
  return condition
}
