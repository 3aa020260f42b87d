import { FirstRows, PageRows, RowCount, scanRows } from '../../evaluation/row-scan.js'
import type { OrderKey } from '../../evaluation/order.js'
import type { Direction } from '../../evaluation/row-scan.js'
import type { Row } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { CountQuery, ReadQuery, RelatedQuery } from '../../provider/provider.js'
import type { OrderByTerm } from '../../query/expression.js'
import { BoundedCache } from '../../util/bounded-cache.js'
import { getOrCreate } from '../../util/get-or-create.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import { mapValue } from '../../util/promise-or-value.js'
import { TimeSlice } from '../../util/time-slice.js'
import type { CompiledFilter, CompiledOrder } from './compiled-queries.js'
import { CompiledQueries } from './compiled-queries.js'
import type { EntityTable } from './entity-table.js'
import type { MemoryStore } from './memory-store.js'

type Call = Pick<ProviderCall, 'signal'>

/** Without `orderBy`, rows are returned in the order of their keys, which needs no sorting. */
const keyOrder: readonly OrderByTerm[] = []

/** Executes the queries of one entity set, synchronously unless many rows have to be scanned or sorted. */
export class TableReader {
  private readonly compiled: CompiledQueries
  private readonly sortedRows: SortedRowsCache

  constructor(
    private readonly store: MemoryStore,
    private readonly table: EntityTable,
  ) {
    this.compiled = new CompiledQueries(table, store)
    this.sortedRows = new SortedRowsCache(table)
  }

  read(query: ReadQuery, call: Call): PromiseOrValue<readonly Row[]> {
    const selection = this.selectionOf(query)
    const { filter, order } = selection
    if (filter === undefined && order.direction !== undefined)
      return pageOf(selection, this.candidates(query), order.direction)
    const slice = new TimeSlice(call)
    const isWholeTable = query.source === undefined && filter?.keys === undefined
    const sorted =
      isWholeTable && order.direction === undefined ? this.sortedRows.get(order, slice) : undefined
    if (sorted === undefined) return select(selection, this.candidates(query, filter), slice)
    return mapValue(sorted, (rows) => select(selection, rows, slice, 'forward'))
  }

  count(query: CountQuery, call: Call): PromiseOrValue<number> {
    const filter = query.filter && this.compiled.filter(query.filter)
    if (filter === undefined)
      return query.source === undefined ? this.table.size : this.candidates(query).length
    const sink = new RowCount()
    const scan = { rows: this.candidates(query, filter), isTrue: filter.isTrue, sink }
    return mapValue(scanRows(scan, new TimeSlice(call)), () => sink.count)
  }

  readRelated(query: RelatedQuery, call: Call): PromiseOrValue<readonly (readonly Row[])[]> {
    const { entitySet, navigation, rows } = query.sources
    const relation = this.store.relation(entitySet, navigation)
    return selectEach(
      rows.map((row) => relation.relatedTo(row)),
      this.selectionOf(query),
      new TimeSlice(call),
    )
  }

  private selectionOf(query: Omit<ReadQuery, 'source'>): Selection {
    const { orderBy = keyOrder, seek, skip = 0, top = Number.POSITIVE_INFINITY } = query
    const filter = query.filter && this.compiled.filter(query.filter)
    const order = this.compiled.order(orderBy)
    const after = seek && order.rowOrder.keyAt(seek, order.terms)
    return { filter, order, after, skip, top }
  }

  /** Returns the rows that the filter has to be evaluated for, sorted by key. */
  private candidates({ source }: CountQuery, filter?: CompiledFilter): readonly Row[] {
    const { table } = this
    const related = source && this.store.relation(source.entitySet, source.navigation).relatedTo(source.row)
    if (filter?.keys === undefined) return related ?? table.rows()
    const found = table.findAll(filter.keys)
    return related === undefined ? found : found.filter((row) => related.includes(row))
  }
}

/** The filter, order and page of a query. */
interface Selection {
  readonly filter: CompiledFilter | undefined
  readonly order: CompiledOrder
  /** Only rows after this key are selected. */
  readonly after: OrderKey | undefined
  readonly skip: number
  /** Infinite without a limit. */
  readonly top: number
}

/**
 * Selects the rows of a query from rows that are sorted by key. If that is the order of the query, or its reverse,
 * nothing is sorted, and the scan ends with the last row of the page.
 *
 * @param rows sorted by key
 * @param direction in which the rows have the order of the query; undefined if they must be sorted
 * @spec MS-ODATA 2.2.3.6.1.2 (order of evaluation)
 */
function select(
  selection: Selection,
  rows: readonly Row[],
  slice: TimeSlice,
  direction = selection.order.direction,
): PromiseOrValue<readonly Row[]> {
  const { after, filter, order, skip, top } = selection
  if (rows.length === 0 || top <= 0) return []
  if (direction === undefined) return sort(selection, rows, slice)
  if (filter === undefined) return pageOf(selection, rows, direction)
  const start = after === undefined ? 0 : firstAfter(after, order, rows, direction)
  const sink = new PageRows(skip, top)
  return mapValue(scanRows({ rows, direction, start, isTrue: filter.isTrue, sink }, slice), () => sink.take())
}

/** Returns a page of rows that need no scan: the query has no filter, and the rows have its order. */
function pageOf(
  { after, order, skip, top }: Selection,
  rows: readonly Row[],
  direction: Direction,
): readonly Row[] {
  const { length } = rows
  const from = (after === undefined ? 0 : firstAfter(after, order, rows, direction)) + skip
  const to = from + top
  if (direction === 'forward') return from === 0 && to >= length ? rows : rows.slice(from, to)
  return rows.slice(Math.max(0, length - to), Math.max(0, length - from)).reverse()
}

function sort(
  { after, filter, order, skip, top }: Selection,
  rows: readonly Row[],
  slice: TimeSlice,
): PromiseOrValue<readonly Row[]> {
  const sink = new FirstRows(order.rowOrder, skip + top, after)
  return mapValue(scanRows({ rows, isTrue: filter?.isTrue, sink }, slice), () =>
    mapValue(sink.rows(slice), (first) => (skip === 0 ? first : first.slice(skip))),
  )
}

/** Returns the position of the first row after a key, found by binary search. */
function firstAfter(
  key: OrderKey,
  { rowOrder }: CompiledOrder,
  rows: readonly Row[],
  direction: Direction,
): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    const row = rows[direction === 'forward' ? middle : rows.length - 1 - middle]
    if (row !== undefined && rowOrder.compareRow(row, key) > 0) high = middle
    else low = middle + 1
  }
  return low
}

/** Selects rows from each list. Yields to the event loop when the time slice is over. */
function selectEach(
  lists: readonly (readonly Row[])[],
  selection: Selection,
  slice: TimeSlice,
): PromiseOrValue<readonly (readonly Row[])[]> {
  const selected: (readonly Row[])[] = []
  const next = (): PromiseOrValue<readonly (readonly Row[])[]> => {
    for (const list of lists.slice(selected.length)) {
      if (slice.shouldYield()) return slice.yield().then(next)
      const rows = select(selection, list, slice)
      if (rows instanceof Promise) return rows.then((late) => (selected.push(late), next()))
      selected.push(rows)
    }
    return selected
  }
  return next()
}

/** The number of orders whose sorted rows are cached. */
const MAX_ORDERS = 8

/** Tables with more rows are not cached, since their sorted rows take too much memory. */
const MAX_ROWS = 200_000

/** Finding the first rows of an order this often costs about as much as sorting all rows. */
const MIN_REQUESTS = 10

interface SortedRows {
  requests: number
  rows: readonly Row[] | undefined
}

/**
 * Caches all rows of a table in frequently requested orders. They are sorted at the tenth request and evicted at the
 * next change, so that nothing is sorted in a table that changes often.
 */
class SortedRowsCache {
  private readonly orders = new BoundedCache<string, SortedRows>(MAX_ORDERS)
  private version = -1

  constructor(private readonly table: EntityTable) {}

  /** Returns undefined if the rows are not sorted yet. */
  get({ terms, rowOrder }: CompiledOrder, slice: TimeSlice): PromiseOrValue<readonly Row[]> | undefined {
    const name = this.table.size > MAX_ROWS ? undefined : nameOf(terms)
    if (name === undefined) return undefined
    const sorted = this.entry(name)
    if (sorted.rows !== undefined) return sorted.rows
    if (++sorted.requests < MIN_REQUESTS) return undefined
    // Concurrent requests do not wait, since this one may be aborted.
    sorted.requests = 0
    const all = new FirstRows(rowOrder, Number.POSITIVE_INFINITY)
    const scanned = scanRows({ rows: this.table.rows(), sink: all }, slice)
    return mapValue(scanned, () => mapValue(all.rows(slice), (rows) => (sorted.rows = rows)))
  }

  private entry(name: string): SortedRows {
    if (this.table.version !== this.version) {
      this.orders.clear()
      this.version = this.table.version
    }
    return getOrCreate(this.orders, name, () => ({ requests: 0, rows: undefined }))
  }
}

/** Names an order; undefined for orders by computed values, or by values of other tables. */
function nameOf(terms: readonly OrderByTerm[]): string | undefined {
  let name = ''
  for (const { expression, descending } of terms) {
    if (expression.kind !== 'PropertyPath') return undefined
    for (const step of expression.steps) {
      if (step.kind !== 'Complex') return undefined
      name += `${step.property.name}/`
    }
    name += `${expression.property.name}${descending ? ' desc,' : ','}`
  }
  return name
}
