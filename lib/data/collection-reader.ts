import type { EntitySet } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import { plainRow } from '../evaluation/value-row.js'
import { keyOrder } from '../query/entity-query.js'
import type { Expression } from '../query/expression.js'
import type { Projection } from '../query/projection.js'
import type { BatchReader } from '../util/batch-reader.js'
import { readArray } from '../util/batch-reader.js'
import type { AccessLimits } from './access-limits.js'
import type { Collection } from './collection.js'
import type { NavigationPrefetch } from './navigation-prefetch.js'
import { neededProperties } from './needed-properties.js'
import { closeAfterError } from './abortable-batch-reader.js'
import type { ProviderCalls } from './provider-calls.js'
import type { CollectionQuery, Conditions, SplitQuery } from './pushdown.js'
import { filterOf, isEmpty, splitConditions, splitQuery } from './pushdown.js'
import type { RelatedRows } from './related-rows.js'
import { RowPipeline } from './row-pipeline.js'

/** What is asked of the rows of a page beside which they are. */
export interface RowDemands {
  /** What will be shown of them. */
  readonly projection: Projection
  /** Restrictions of the count, in addition to those of the page; undefined when the entities are not counted. */
  readonly counting: readonly Expression[] | undefined
}

export interface CountedRows {
  readonly rows: BatchReader<Row>
  /** Absent when it was not asked for. */
  readonly total: number | undefined
}

/** Reads and counts collections: the provider does what it can, and the service the rest. */
export class CollectionReader {
  constructor(
    private readonly calls: ProviderCalls,
    private readonly related: RelatedRows,
    private readonly limits: AccessLimits,
  ) {}

  /** The rows that a query asks for. */
  async read(collection: Collection, asked: CollectionQuery, demands?: RowDemands): Promise<CountedRows> {
    const query = { ...asked, ...mergeConditions(collection, asked) }
    const pushdown = collection.rows === undefined ? this.calls.pushdown(collection.set) : undefined
    const split = splitQuery(query, pushdown)
    const { restrictions, filters } = split.refused
    const order = query.orderBy.map(({ expression }) => expression)
    const expressions = [...restrictions, ...filters, ...order]
    const properties = demands === undefined ? undefined : neededProperties(demands.projection, expressions)
    const pipeline = split.paged ? undefined : this.pipeline(collection, query, split)
    const opening = this.open(collection, split, properties, asked.isPage)
    if (demands?.counting === undefined) {
      const rows = await opening
      return { rows: pipeline === undefined ? rows : await pipeline.run(rows), total: undefined }
    }
    const others = demands.counting.filter((one) => !asked.restrictions.includes(one))
    const counted = { ...asked, restrictions: [...asked.restrictions, ...others] }
    if (split.paged && this.countsBeside(collection, counted)) {
      return besides(opening, this.count(collection, counted))
    }
    const opened = await opening
    const rows = pipeline === undefined ? opened : await pipeline.run(opened)
    // Rows that came unsorted were all looked at, and counted on the way.
    if (pipeline !== undefined && !split.ordered && others.length === 0) {
      return { rows, total: pipeline.matches }
    }
    try {
      return { rows, total: await this.count(collection, counted) }
    } catch (error) {
      await closeAfterError(rows)
      throw error
    }
  }

  /**
   * Whether the provider can count while it reads. In a change set one thing happens after the other, as there may be
   * only one connection.
   */
  private countsBeside(collection: Collection, conditions: Conditions): boolean {
    const { set, rows } = collection
    if (rows !== undefined || this.calls.call.changeSet !== undefined || !this.calls.canCount(set))
      return false
    return isEmpty(splitConditions(mergeConditions(collection, conditions), this.calls.pushdown(set)).refused)
  }

  /** How many rows meet conditions. */
  async count(collection: Collection, conditions: Conditions): Promise<number> {
    const { set, source, rows } = collection
    const all = mergeConditions(collection, conditions)
    const pushdown = rows === undefined ? this.calls.pushdown(set) : undefined
    const { accepted, refused } = splitConditions(all, pushdown)
    if (rows === undefined && isEmpty(refused) && this.calls.canCount(set)) {
      return this.calls.count(set, { entitySet: set.path, ...(source && { source }), ...filterOf(accepted) })
    }
    const split = { pushed: filterOf(accepted), refused, ordered: true, paged: false }
    const pipeline = this.pipeline(collection, { ...everything(set), ...all, orderBy: [] }, split)
    return pipeline.count(await this.open(collection, split, undefined))
  }

  private async open(
    { set, rows, source }: Collection,
    { pushed, paged }: SplitQuery,
    properties: ReadonlySet<string> | undefined,
    isPage = false,
  ): Promise<BatchReader<Row>> {
    if (rows !== undefined) return readArray(rows)
    const query = {
      entitySet: set.path,
      ...(source && { source: { ...source, row: plainRow(source.row) } }),
      ...pushed,
      ...(properties && { properties }),
    }
    return this.calls.read(set, query, isPage && paged)
  }

  private pipeline({ set }: Collection, query: CollectionQuery, split: SplitQuery): RowPipeline {
    const createPrefetch = (): NavigationPrefetch => this.related.prefetch(set)
    return new RowPipeline(set.entityType, query, split, createPrefetch, this.limits, this.calls.call)
  }
}

/** Combines the conditions of a collection with those of a query. */
export function mergeConditions(collection: Conditions, { restrictions, filters }: Conditions): Conditions {
  return {
    restrictions: [...collection.restrictions, ...restrictions],
    filters: [...collection.filters, ...filters],
  }
}

/** Everything of a set in the order of its key. */
export function everything(set: EntitySet): CollectionQuery {
  return {
    restrictions: [],
    filters: [],
    orderBy: keyOrder(set.entityType),
    seek: undefined,
    skip: 0,
    limit: Number.POSITIVE_INFINITY,
  }
}

/** Both, or the first failure when neither is under way any more. */
async function besides(opening: Promise<BatchReader<Row>>, counting: Promise<number>): Promise<CountedRows> {
  const [rows, total] = await Promise.allSettled([opening, counting])
  if (rows.status === 'rejected') throw rows.reason
  if (total.status === 'fulfilled') return { rows: rows.value, total: total.value }
  await closeAfterError(rows.value)
  throw total.reason
}
