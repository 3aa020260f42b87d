import type { EntitySet } from '../edm/edm-model.js'
import { keyShape, keyText } from '../evaluation/key-text.js'
import type { Row } from '../evaluation/row.js'
import type { Projection } from '../query/projection.js'
import { TimeSlice } from '../util/time-slice.js'
import type { AccessLimits } from './access-limits.js'
import { limitExceeded } from './access-limits.js'
import { everything } from './collection-reader.js'
import type { ProviderCall } from '../provider/provider-call.js'
import type { CollectionQuery } from './pushdown.js'
import type { Navigation, RelatedRows } from './related-rows.js'
import type { ExpandedRows } from './row-batch.js'

/** The number of entities whose related ones are read in the first call, and the maximum in later calls. */
const fewestSources = 200
const mostSources = 2_000
/** So many places of rows may be taken by what is read at once and may turn out to be too much. */
const placesAtOnce = 4_000_000

/**
 * Reads what one request shows inline, and counts it: every level multiplies what the one before it holds, so that
 * no cap on the entities behind a single one can bound them all.
 */
export class ExpandLoader {
  private readonly slice: TimeSlice
  private shown = 0

  constructor(
    private readonly related: RelatedRows,
    private readonly limits: AccessLimits,
    private readonly pageSize: (set: EntitySet) => number,
    call: Pick<ProviderCall, 'signal'>,
  ) {
    this.slice = new TimeSlice(call)
  }

  /**
   * What is related to each row, up to the page cap of the target. Reading ends as soon as it is more than may be
   * shown.
   *
   * @param mayRepeat whether several of the rows may be one entity: what is related to it is then read once
   * @throws ODataError LimitExceeded
   */
  async read(
    over: Navigation,
    rows: readonly Row[],
    restrictions: CollectionQuery['restrictions'],
    mayRepeat: boolean,
  ): Promise<Shown> {
    const { isCollection } = over.navigation
    const cap = isCollection ? this.pageSize(over.target) : 1
    const shown: Shown = { rows: [], offsets: [0], truncated: new Set() }
    const related = mayRepeat ? new SharedLists(this.related, over) : this.related
    for (let start = 0, size = fewestSources; start < rows.length; size = Math.min(2 * size, mostSources)) {
      const left = this.limits.expandedRows - this.shown
      // One row more than is shown tells that there are more, and one more than may be shown that there are too many.
      const limit = isCollection ? Math.min(cap, left) + 1 : 1
      const count = isCollection ? Math.min(size, sourcesFor(limit)) : rows.length
      const query = { ...everything(over.target), restrictions, limit, isPage: true }
      const lists = await related.read(over, rows.slice(start, start + count), query)
      for (const list of lists) this.add(list, cap, shown)
      start += count
      if (this.slice.shouldYield()) await this.slice.yield()
    }
    return shown
  }

  /**
   * How many rows are expanded before the first of a page is sent, so that too many of them can still be answered
   * as an error: where it is certain that there are few, only those that are shown first.
   */
  rowsAhead(projection: Projection, pageLimit: number): number {
    if (projection.expansions.length === 0) return 0
    return pageLimit * mostInline(projection, this.pageSize) <= this.limits.expandedRows ? 0 : mostAhead
  }

  private add(list: readonly Row[], cap: number, shown: Shown): void {
    const { rows, offsets, truncated } = shown
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

/** Reads what is related to the same entity once, however often it is among the sources. */
class SharedLists {
  private readonly shape: ReturnType<typeof keyShape>
  private readonly known = new Map<unknown, readonly Row[]>()

  constructor(
    private readonly related: RelatedRows,
    { source }: Navigation,
  ) {
    this.shape = keyShape(source.entityType.key)
  }

  async read(
    over: Navigation,
    rows: readonly Row[],
    query: CollectionQuery,
  ): Promise<readonly (readonly Row[])[]> {
    const { known } = this
    const { names, types } = this.shape
    // A row without a whole key is like no other.
    const entities = rows.map((row) => keyText(row, names, types) ?? row)
    const unknown = new Map<unknown, Row>()
    for (const [index, entity] of entities.entries()) {
      const row = rows[index]
      if (row !== undefined && !known.has(entity)) unknown.set(entity, row)
    }
    if (unknown.size > 0) {
      const lists = await this.related.read(over, [...unknown.values()], query)
      for (const [index, entity] of [...unknown.keys()].entries()) known.set(entity, lists[index] ?? [])
    }
    return entities.map((entity) => known.get(entity) ?? [])
  }
}

/** Returns the number of sources whose rows are read in one call, for a limit of rows per source. */
function sourcesFor(limit: number): number {
  return Number.isFinite(limit) ? Math.max(1, Math.floor(placesAtOnce / limit)) : mostSources
}

/** Pages of more rows are sent while they are expanded. */
const mostAhead = 2_000

/** The related rows of some rows as {@link ExpandedRows} has them, before they are expanded themselves. */
interface Shown extends Pick<ExpandedRows, 'offsets'> {
  readonly rows: Row[]
  readonly offsets: number[]
  readonly truncated: Set<number>
}

/** How many related rows one row can have inline, over all levels. */
function mostInline(projection: Projection, pageSize: (set: EntitySet) => number): number {
  let total = 0
  for (const { navigation, projection: inner } of projection.expansions) {
    const most = navigation.isCollection ? pageSize(inner.set) : 1
    total += most * (1 + mostInline(inner, pageSize))
  }
  return total
}
