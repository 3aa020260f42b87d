import type { EntitySet, NavigationProperty } from '../edm/edm-model.js'
import { keyShape, keyText } from '../evaluation/key-text.js'
import type { Row } from '../evaluation/row.js'
import { memberOf } from '../evaluation/row.js'
import { ComputedValues } from './computed-values.js'
import type { ProviderCall } from '../provider/provider-call.js'
import type { Expansion, Projection } from '../query/projection.js'
import { isRecord } from '../util/is-record.js'
import { TimeSlice } from '../util/time-slice.js'
import type { AccessLimits } from './access-limits.js'
import { limitExceeded } from './access-limits.js'
import type { Restrictions } from './restrictions.js'
import type { CollectionQuery } from './pushdown.js'
import { everything } from './pushdown.js'
import type { Navigation, RelatedReader } from './related-reader.js'
import type { ExpandedRows, RowBatch } from './row-batch.js'

/** The number of entities whose related rows are read in the first call, and the maximum in later calls. */
const FIRST_SOURCES = 200
const MAX_SOURCES = 2_000

/** The maximum number of related rows that one call may have to read. */
const MAX_RELATED_ROWS = 4_000_000

/** Larger pages are sent while they are expanded. */
const MAX_ROWS_AHEAD = 2_000

/**
 * Reads the related rows that one request shows inline, and counts them: every level multiplies the number of rows, so
 * that a limit for each source alone would not bound them.
 */
export class ExpandLoader {
  private readonly slice: TimeSlice
  private readonly computed: ComputedValues
  private shown = 0

  constructor(
    private readonly related: RelatedReader,
    private readonly limits: AccessLimits,
    private readonly pageSize: (set: EntitySet) => number,
    call: ProviderCall,
  ) {
    this.slice = new TimeSlice(call)
    this.computed = new ComputedValues((set) => related.prefetch(set), call)
  }

  /**
   * Expands rows level by level, with one query for each navigation property, and computes the values of computed
   * properties.
   *
   * @param mayRepeat whether several of the rows may be the same entity, whose related rows are then read once
   * @throws ODataError LimitExceeded
   */
  async expand(
    rows: readonly Row[],
    projection: Projection,
    restrictions: Restrictions,
    mayRepeat = false,
    pushed?: ReadonlySet<Expansion>,
  ): Promise<RowBatch> {
    const { entityType, expansions, set } = projection
    const expanded: ExpandedRows[] = []
    for (const expansion of expansions) {
      const { navigation, projection: target } = expansion
      const over = { navigation, source: set, target: target.set }
      const nested = pushed?.has(expansion) === true ? nestedRows(rows, navigation) : undefined
      const { rows: inner, ...ranges } =
        nested === undefined
          ? await this.read(over, rows, restrictions.of(expansion), mayRepeat)
          : this.addNested(nested, over)
      const innerRepeats = mayRepeat || navigation.fromEnd.multiplicity === '*'
      expanded.push({
        batch: await this.expand(inner, target, restrictions, innerRepeats, pushed),
        ...ranges,
      })
    }
    const isComputed = entityType.computedProperties.length > 0
    return { rows: isComputed ? await this.computed.complete(rows, projection) : rows, expansions: expanded }
  }

  /**
   * Returns how many rows of a page are expanded before the first is sent, so that exceeding the limit becomes an error
   * response. If the page cannot exceed the limit, only the first batch.
   */
  rowsAhead(projection: Projection, pageLimit: number): number {
    const maxRows = pageLimit * maxInlineRows(projection, this.pageSize)
    return maxRows <= this.limits.expandedRows ? 0 : MAX_ROWS_AHEAD
  }

  /** Adds related rows that the provider has read together with their sources. */
  private addNested(lists: readonly (readonly Row[])[], { navigation, target }: Navigation): RelatedRows {
    const cap = navigation.isCollection ? this.pageSize(target) : 1
    const all: RelatedRows = { rows: [], offsets: [0], truncated: new Set() }
    for (const list of lists) this.add(list, cap, all)
    return all
  }

  /** Reads the related rows of each row, up to the page size of the target. */
  private async read(
    over: Navigation,
    rows: readonly Row[],
    restrictions: CollectionQuery['restrictions'],
    mayRepeat: boolean,
  ): Promise<RelatedRows> {
    const { isCollection } = over.navigation
    const cap = isCollection ? this.pageSize(over.target) : 1
    const all: RelatedRows = { rows: [], offsets: [0], truncated: new Set() }
    const reader = mayRepeat ? new DistinctSourceReader(this.related, over) : this.related
    for (let start = 0, size = FIRST_SOURCES; start < rows.length; size = Math.min(2 * size, MAX_SOURCES)) {
      const left = this.limits.expandedRows - this.shown
      // One row more than is shown: the response is truncated, or the limit is exceeded.
      const limit = isCollection ? Math.min(cap, left) + 1 : 1
      const count = isCollection ? Math.min(size, sourcesFor(limit)) : rows.length
      const query = { ...everything(over.target), restrictions, limit, isPage: true }
      const lists = await reader.read(over, rows.slice(start, start + count), query)
      for (const list of lists) this.add(list, cap, all)
      start += count
      if (this.slice.shouldYield()) await this.slice.yield()
    }
    return all
  }

  private add(list: readonly Row[], cap: number, { rows, offsets, truncated }: RelatedRows): void {
    const count = Math.min(list.length, cap)
    this.shown += count
    if (this.shown > this.limits.expandedRows) throw limitExceeded('expandedRows', this.limits)
    if (list.length > cap) truncated.add(offsets.length - 1)
    for (let index = 0; index < count; index++) {
      const row = list[index]
      if (row !== undefined) rows.push(row)
    }
    offsets.push(rows.length)
  }
}

/** Reads the related rows of each entity once, even if the entity is several of the sources. */
class DistinctSourceReader {
  private readonly shape: ReturnType<typeof keyShape>
  private readonly listBySource = new Map<unknown, readonly Row[]>()

  constructor(
    private readonly related: RelatedReader,
    { source }: Navigation,
  ) {
    this.shape = keyShape(source.entityType.key)
  }

  async read(
    over: Navigation,
    rows: readonly Row[],
    query: CollectionQuery,
  ): Promise<readonly (readonly Row[])[]> {
    const { listBySource } = this
    const { names, types } = this.shape
    // A row with an incomplete key equals no other row.
    const sources = rows.map((row) => keyText(row, names, types) ?? row)
    const unread = new Map<unknown, Row>()
    for (const [index, source] of sources.entries()) {
      const row = rows[index]
      if (row !== undefined && !listBySource.has(source)) unread.set(source, row)
    }
    if (unread.size > 0) {
      const lists = await this.related.read(over, [...unread.values()], query)
      for (const [index, source] of [...unread.keys()].entries()) listBySource.set(source, lists[index] ?? [])
    }
    return sources.map((source) => listBySource.get(source) ?? [])
  }
}

/**
 * Returns the related rows that rows contain.
 *
 * @returns undefined if a row does not contain them, for example because it is of another type
 * @throws TypeError if a row contains something else
 */
function nestedRows(
  rows: readonly Row[],
  { name, isCollection }: NavigationProperty,
): readonly (readonly Row[])[] | undefined {
  const lists: (readonly Row[])[] = []
  for (const row of rows) {
    const value = memberOf(row, name)
    if (value === undefined) return undefined
    const list: readonly unknown[] = isCollection ? (value as readonly Row[]) : value === null ? [] : [value]
    if (!Array.isArray(list) || !list.every((one) => isRecord(one)))
      throw new TypeError(
        `The provider must return related entities in '${name}', as query.expand requests them.`,
      )
    lists.push(list)
  }
  return lists
}

/** Returns the number of sources whose related rows are read in one call. */
function sourcesFor(limit: number): number {
  return Number.isFinite(limit) ? Math.max(1, Math.floor(MAX_RELATED_ROWS / limit)) : MAX_SOURCES
}

/** The related rows of all sources, before they are expanded themselves; see {@link ExpandedRows}. */
interface RelatedRows {
  readonly rows: Row[]
  readonly offsets: number[]
  readonly truncated: Set<number>
}

/** Returns the maximum number of related rows that one row can have inline, over all levels. */
function maxInlineRows(projection: Projection, pageSize: (set: EntitySet) => number): number {
  let total = 0
  for (const { navigation, projection: inner } of projection.expansions) {
    const count = navigation.isCollection ? pageSize(inner.set) : 1
    total += count * (1 + maxInlineRows(inner, pageSize))
  }
  return total
}
