import type { Measure } from '../edm/analytical-set.js'
import { isOutOfRange } from '../edm/check-value.js'
import type { EntitySet, Property } from '../edm/edm-model.js'
import { isCounted } from '../edm/measure-option.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { ODataError } from '../errors/odata-error.js'
import type { GroupingSpec } from '../evaluation/aggregate.js'
import { GroupTable } from '../evaluation/aggregate.js'
import type { Row } from '../evaluation/row.js'
import { setMember } from '../evaluation/row.js'
import type { SeekPosition } from '../query/entity-query.js'
import { valueOfPath } from '../query/computed-expression.js'
import type { Expression, PropertyPath } from '../query/expression.js'
import { rowPath } from '../query/group-source.js'
import type { Grouping } from '../query/grouping.js'
import type { BatchReader } from '../util/batch-reader.js'
import { closeAfterError, readArray } from '../util/batch-reader.js'
import { mapValue } from '../util/promise-or-value.js'
import { TimeSlice } from '../util/time-slice.js'
import type { AccessLimits } from './access-limits.js'
import { limitExceeded } from './access-limits.js'
import type { NavigationPrefetch } from './navigation-prefetch.js'
import type { ProviderCalls } from './provider-calls.js'
import type { ProvidedGroups } from './provided-groups.js'
import type { Conditions } from './pushdown.js'
import { unconditional } from './pushdown.js'
import type { Collection } from './related-reader.js'
import type { CountedRows } from './counted-rows.js'
import { TargetReader } from './target-reader.js'

/** The groups to read, and the conditions on their rows. */
interface GroupQuery {
  readonly grouping: Grouping
  readonly conditions: Conditions
}

/** The part of the groups that a page shows. */
interface GroupRange {
  readonly seek: SeekPosition | undefined
  readonly skip: number
  readonly limit: number
  /** Restrictions of the count, in addition to the conditions; undefined when groups are not counted. */
  readonly counting: readonly Expression[] | undefined
}

/** Reads groups. The provider groups, sorts and pages if it can; otherwise the service does, for every provider. */
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
  async page(collection: Collection, query: GroupQuery, range: GroupRange): Promise<CountedRows> {
    const { conditions, grouping } = query
    const { counting } = range
    const others = counting?.filter((one) => !conditions.restrictions.includes(one)) ?? []
    const counted = { grouping, conditions: restrict(conditions, others) }
    const isCounted = counting !== undefined && others.length === 0
    const page = await this.providedPage(collection, query, range, isCounted)
    if (page !== undefined) {
      const total = counting && (page.total ?? (await this.count(collection, counted)))
      return { rows: withIds(readArray(page.rows), grouping), total }
    }
    const groups = await this.groups(collection, query)
    const { orderBy } = grouping
    const { rows } = await this.sorting.read(
      { set: grouping.analytical.set, rows: groups, ...unconditional },
      { ...unconditional, orderBy, seek: range.seek, skip: range.skip, limit: range.limit },
    )
    const total = others.length === 0 ? groups.length : await this.count(collection, counted)
    return { rows: withIds(rows, grouping), total: counting && total }
  }

  /** Reads a page that the provider sorts; undefined if it cannot. @param isCounted whether all groups are counted */
  private async providedPage(
    collection: Collection,
    { conditions, grouping }: GroupQuery,
    { limit, seek, skip }: GroupRange,
    isCounted: boolean,
  ): Promise<ProvidedGroups | undefined> {
    if (limit === 0) return { rows: [], total: undefined }
    const { orderBy } = grouping
    const top = Math.min(limit, this.limits.groups + 1)
    const page = await this.targets.aggregate(collection, conditions, {
      ...specOf(grouping),
      ...(orderBy.length > 0 ? { orderBy } : {}),
      ...(seek === undefined ? {} : { seek }),
      ...(skip > 0 ? { skip } : {}),
      top,
      ...(isCounted ? { count: true } : {}),
    })
    this.checkLimit(page?.rows)
    const isWhole = page !== undefined && skip === 0 && seek === undefined && page.rows.length < top
    return isCounted && isWhole ? { ...page, total: page.rows.length } : page
  }

  async count(collection: Collection, { conditions, grouping }: GroupQuery): Promise<number> {
    const query = { conditions, grouping: { ...grouping, measures: [] } }
    const spec = { ...specOf(query.grouping), countOnly: true }
    const counted = await this.targets.aggregate(collection, conditions, spec)
    return counted?.total ?? (await this.groups(collection, query)).length
  }

  /** Reads the only group of a query; undefined when it has no rows. */
  async group(collection: Collection, query: GroupQuery): Promise<Row | undefined> {
    const [group] = await this.groups(collection, query)
    return group && withId(group, query.grouping)
  }

  /** Reads all groups, in any order. */
  private async groups(
    collection: Collection,
    { conditions, grouping }: GroupQuery,
  ): Promise<readonly Row[]> {
    const spec = specOf(grouping)
    const page = { ...spec, top: this.limits.groups + 1 }
    const provided = await this.targets.aggregate(collection, conditions, page)
    this.checkLimit(provided?.rows)
    return provided?.rows ?? this.groupRows(collection, conditions, spec)
  }

  /** @throws ODataError LimitExceeded */
  private checkLimit(groups: readonly Row[] | undefined): void {
    if (groups !== undefined && groups.length > this.limits.groups) throw limitExceeded('groups', this.limits)
  }

  /** Reads the rows and groups them. */
  private async groupRows(
    collection: Collection,
    conditions: Conditions,
    spec: GroupingSpec,
  ): Promise<readonly Row[]> {
    const prefetch = this.targets.related.prefetch(collection.set)
    const table = new GroupTable(spec, collection.set.entityType, prefetch)
    const rows = await this.targets.scan(collection, conditions, valuesOf(spec, collection.set))
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

/** Returns how the rows of a request are grouped. */
function specOf({ analytical, groupBy, measures, source }: Grouping): GroupingSpec {
  const pathOf = (property: Property): PropertyPath => rowPath(property, source)
  return {
    groupBy: groupBy.map((property) => ({ property, path: pathOf(property) })),
    measures: measures.map(({ input, method, property, unit }) => {
      // The unit does not matter if groups have one each, or if units may be mixed.
      const isMixable = analytical.addsMixedUnits || isCounted(method)
      const isSame = unit === undefined || isMixable || groupBy.includes(unit)
      return {
        property,
        method,
        input: method === 'count' ? undefined : pathOf(input),
        unit: isSame ? undefined : pathOf(unit),
      }
    }),
  }
}

/**
 * Returns the values of rows that grouping reads; undefined if functions compute some of them, which may need any
 * property.
 */
function valuesOf({ groupBy, measures }: GroupingSpec, set: EntitySet): readonly Expression[] | undefined {
  const inputs = measures.flatMap(({ input, unit }) => [input, unit])
  const paths = [...groupBy.map(({ path }) => path), ...inputs].filter((path) => path !== undefined)
  const values = paths.map((path) => valueOfPath(path, set))
  const isFunction = (one: Expression): boolean =>
    one.kind === 'PropertyPath' && one.property.computed !== undefined
  return values.some(isFunction) ? undefined : values
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

function withId(group: Row, { analytical, groupBy, measures, writeId }: Grouping): Row {
  const { dimensions, id, totaled } = analytical
  for (const measure of measures) checkRange(measure, group[measure.property.name])
  const row: Record<string, unknown> = { ...group }
  setMember(row, id.name, writeId(group))
  if (totaled !== undefined) {
    const names = dimensions.filter((one) => !groupBy.includes(one)).map(({ name }) => name)
    setMember(row, totaled.name, names.join())
  }
  return row
}

/**
 * Checks a measure of a group that is shown: groups on other pages do not fail the request.
 *
 * @throws ODataError LimitExceeded if a result is too large for the property
 */
function checkRange({ method, property }: Measure, value: unknown): void {
  if (typeof value !== 'number' && typeof value !== 'bigint') return
  const { name } = property
  const type = property.type as PrimitiveTypeName
  if (!isOutOfRange(type, value)) return
  throw new ODataError('LimitExceeded', {
    message:
      `'${name}': the ${method} ${value} of a group is not a valid ${type}. Narrow the request by $filter, or omit ` +
      `'${name}' from $select and $orderby.`,
    details: { limit: type, property: name },
  })
}
