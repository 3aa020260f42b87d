import type { Measure } from '../edm/analytical-set.js'
import type { GroupingSpec } from '../evaluation/aggregate.js'
import { GroupTable } from '../evaluation/aggregate.js'
import type { Row } from '../evaluation/row.js'
import { setMember } from '../evaluation/row.js'
import type { SeekPosition } from '../query/entity-query.js'
import type { Expression } from '../query/expression.js'
import type { Grouping } from '../query/grouping.js'
import type { BatchReader } from '../util/batch-reader.js'
import { mapValue } from '../util/promise-or-value.js'
import { TimeSlice } from '../util/time-slice.js'
import { closeAfterError } from './abortable-batch-reader.js'
import type { AccessLimits } from './access-limits.js'
import { limitExceeded } from './access-limits.js'
import type { NavigationPrefetch } from './navigation-prefetch.js'
import type { ProviderCalls } from './provider-calls.js'
import type { Conditions } from './pushdown.js'
import { unconditional } from './pushdown.js'
import type { Collection } from './related-reader.js'
import type { CountedRows } from './target-reader.js'
import { groupsComputed, TargetReader } from './target-reader.js'

/** The groups to read, and the conditions on their rows. */
export interface GroupQuery {
  readonly grouping: Grouping
  readonly conditions: Conditions
}

/** The part of the groups that a page shows. */
export interface GroupPage {
  readonly seek: SeekPosition | undefined
  readonly skip: number
  readonly limit: number
  /** Restrictions of the count, in addition to the conditions; undefined when groups are not counted. */
  readonly counting: readonly Expression[] | undefined
}

/** Reads rows and groups them. Every provider supports this. */
export class GroupReader {
  private readonly sorting: TargetReader

  constructor(
    private readonly calls: ProviderCalls,
    private readonly targets: TargetReader,
    private readonly limits: AccessLimits,
  ) {
    // As many groups as may be built may be sorted.
    const own = { ...limits, sortedRows: limits.groups, scannedRows: limits.groups }
    this.sorting = new TargetReader(calls, own, undefined)
  }

  /** Reads a page of groups, sorted. */
  async page(collection: Collection, query: GroupQuery, page: GroupPage): Promise<CountedRows> {
    const { conditions, grouping } = query
    const groups = await this.groups(collection, query)
    const { rows } = await this.sorting.read(
      { set: collection.set, rows: groups, ...unconditional },
      { ...unconditional, orderBy: grouping.orderBy, seek: page.seek, skip: page.skip, limit: page.limit },
    )
    const others = page.counting?.filter((one) => !conditions.restrictions.includes(one)) ?? []
    const total =
      others.length === 0
        ? groups.length
        : await this.count(collection, { grouping, conditions: restrict(conditions, others) })
    return { rows: withIds(rows, grouping), total: page.counting && total }
  }

  async count(collection: Collection, { conditions, grouping }: GroupQuery): Promise<number> {
    const groups = await this.groups(collection, { conditions, grouping: { ...grouping, measures: [] } })
    return groups.length
  }

  /** Reads the only group of a query; undefined when it has no rows. */
  async group(collection: Collection, query: GroupQuery): Promise<Row | undefined> {
    const [group] = await this.groups(collection, query)
    return group && withId(group, query.grouping)
  }

  private async groups(
    collection: Collection,
    { conditions, grouping }: GroupQuery,
  ): Promise<readonly Row[]> {
    const { groupBy } = grouping
    const measures = grouping.measures.map((one) => withOwnUnit(one, grouping))
    const top = this.limits.groups + 1
    const provided = await this.targets.aggregate(collection, conditions, { groupBy, measures, top })
    if (provided === undefined) return this.groupRows(collection, conditions, { groupBy, measures })
    if (provided.length === top) throw limitExceeded('groups', this.limits)
    return provided
  }

  /** Reads the rows and groups them. */
  private async groupRows(
    collection: Collection,
    conditions: Conditions,
    spec: GroupingSpec,
  ): Promise<readonly Row[]> {
    const prefetch = this.targets.related.prefetch(collection.set)
    const table = new GroupTable(spec, collection.set.entityType, prefetch)
    const rows = await this.targets.scan(
      collection,
      conditions,
      groupsComputed(spec) ? undefined : rowProperties(spec),
    )
    try {
      await this.addAll(rows, table, prefetch)
    } catch (error) {
      await closeAfterError(rows)
      throw error
    }
    return table.rows()
  }

  private async addAll(
    rows: BatchReader<Row>,
    table: GroupTable,
    prefetch: NavigationPrefetch,
  ): Promise<void> {
    const { calls, limits } = this
    const slice = new TimeSlice(calls.call)
    let scanned = 0
    for (let batch = await rows.next(); batch !== undefined; batch = await rows.next()) {
      scanned += batch.length
      if (scanned > limits.scannedRows) throw limitExceeded('scannedRows', limits)
      if (!prefetch.isEmpty) await prefetch.load(batch)
      for (let index = 0; index < batch.length;) {
        const end = Math.min(batch.length, index + slice.steps)
        for (const row of batch.slice(index, end)) table.add(row)
        index = end
        if (table.size > limits.groups) throw limitExceeded('groups', limits)
        if (slice.shouldYield()) await slice.yield()
      }
    }
  }
}

/** The properties of rows that grouping reads. */
function rowProperties({ groupBy, measures }: GroupingSpec): Set<string> {
  const names = new Set(groupBy.map(({ name }) => name))
  for (const measure of measures) for (const name of measureProperties(measure)) names.add(name)
  return names
}

/** Returns a measure whose unit matters: not if groups have one unit each, nor if units may be mixed. */
function withOwnUnit(measure: Measure, { analytical, groupBy }: Grouping): Measure {
  const { method, unit } = measure
  const isMixable = analytical.addsMixedUnits || method === 'count' || method === 'countDistinct'
  return unit !== undefined && (isMixable || groupBy.includes(unit))
    ? { ...measure, unit: undefined }
    : measure
}

function measureProperties({ input, method, unit }: Measure): readonly string[] {
  if (method === 'count') return []
  return unit === undefined ? [input.name] : [input.name, unit.name]
}

function restrict({ filters, restrictions }: Conditions, others: readonly Expression[]): Conditions {
  return { filters, restrictions: [...restrictions, ...others] }
}

/** Adds the ids of groups that are shown, and the names of the dimensions over which they are totaled. */
function withIds(rows: BatchReader<Row>, grouping: Grouping): BatchReader<Row> {
  return {
    next: () => mapValue(rows.next(), (batch) => batch?.map((group) => withId(group, grouping))),
    close: () => rows.close(),
  }
}

function withId(group: Row, { analytical, groupBy, writeId }: Grouping): Row {
  const { dimensions, id, totaled } = analytical
  const row: Record<string, unknown> = { ...group }
  setMember(row, id.name, writeId(group))
  if (totaled !== undefined) {
    const names = dimensions.filter((one) => !groupBy.includes(one)).map(({ name }) => name)
    setMember(row, totaled.name, names.join())
  }
  return row
}
