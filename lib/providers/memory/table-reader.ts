import type { Row } from '../../evaluation/row.js'
import type { CountQuery, ReadQuery, RelatedQuery } from '../../provider/provider.js'
import type { OrderByTerm } from '../../query/expression.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import { yieldToEventLoop } from '../../util/yield-to-event-loop.js'
import type { CompiledFilter, CompiledOrder } from './compiled-queries.js'
import { CompiledQueries } from './compiled-queries.js'
import type { EntityTable } from './entity-table.js'
import type { MemoryStore } from './memory-store.js'
import { RowSelection } from './row-selection.js'
import type { Waiting } from './row-selection.js'
import { FirstRows } from '../../evaluation/first-rows.js'
import { scanRows } from '../../evaluation/row-scan.js'
import { BoundedCache } from '../../util/bounded-cache.js'
import { mapValue } from '../../util/promise-or-value.js'
import { TimeSlice } from '../../util/time-slice.js'

/** With more related rows than this, the selection yields to the event loop between two sources. */
const rowsPerTurn = 5_000

/** Any order will do; that of the keys costs nothing. */
const unordered: readonly OrderByTerm[] = []

/** Answers queries from a table. What is small is answered at once, without a promise. */
export class TableReader {
  private readonly compiled: CompiledQueries
  private readonly orders: OrderIndex

  constructor(
    private readonly store: MemoryStore,
    private readonly table: EntityTable,
  ) {
    this.compiled = new CompiledQueries(table, store)
    this.orders = new OrderIndex(table)
  }

  read(query: ReadQuery, call: Waiting): PromiseOrValue<readonly Row[]> {
    const { filter, selection } = this.prepared(query)
    const sorted = this.sortedTable(query, filter, call)
    if (sorted === undefined) return selection.of(this.candidates(query, filter), call)
    return sorted instanceof Promise
      ? sorted.then((rows) => selection.ofSorted(rows, call))
      : selection.ofSorted(sorted, call)
  }

  /** All rows in the order that is asked for, where that is known. */
  private sortedTable(
    { source, orderBy }: ReadQuery,
    filter: CompiledFilter | undefined,
    call: Waiting,
  ): PromiseOrValue<readonly Row[]> | undefined {
    if (source !== undefined || orderBy === undefined || filter?.keys !== undefined) return undefined
    const order = this.compiled.order(orderBy)
    return order.direction === undefined ? this.orders.rowsIn(order, call) : undefined
  }

  count(query: CountQuery, call: Waiting): PromiseOrValue<number> {
    const { filter, selection } = this.prepared(query)
    if (filter === undefined && query.source === undefined) return this.table.size
    return selection.count(this.candidates(query, filter), call)
  }

  readRelated(query: RelatedQuery, call: Waiting): PromiseOrValue<readonly (readonly Row[])[]> {
    const { entitySet, navigation, rows } = query.sources
    const relation = this.store.relation(entitySet, navigation)
    const lists: (readonly Row[])[] = []
    let total = 0
    for (const row of rows) {
      const list = relation.relatedTo(row)
      lists.push(list)
      total += list.length
    }
    const { selection } = this.prepared(query)
    if (total > rowsPerTurn) return selectFromEach(lists, selection, call)
    // Of so few rows a selection is mostly made at once.
    const selected: (readonly Row[])[] = []
    for (const list of lists) {
      const result = selection.of(list, call)
      if (result instanceof Promise) return selectFromEach(lists, selection, call)
      selected.push(result)
    }
    return selected
  }

  private prepared(query: Omit<ReadQuery, 'source'>): {
    readonly filter: CompiledFilter | undefined
    readonly selection: RowSelection
  } {
    const { orderBy = unordered, seek, skip = 0, top = Number.POSITIVE_INFINITY } = query
    const filter = query.filter === undefined ? undefined : this.compiled.filter(query.filter)
    const order = this.compiled.order(orderBy)
    return { filter, selection: new RowSelection({ filter, order, seek, skip, top }) }
  }

  /** The rows that have to be looked at, in the order of their keys. */
  private candidates({ source }: CountQuery, filter: CompiledFilter | undefined): readonly Row[] {
    const { table } = this
    const related =
      source === undefined
        ? undefined
        : this.store.relation(source.entitySet, source.navigation).relatedTo(source.row)
    if (filter?.keys === undefined) return related ?? table.rows()
    const found: Row[] = []
    for (const text of filter.keys) {
      const row = table.find(text)
      if (row !== undefined && (related === undefined || this.isAmong(related, row))) found.push(row)
    }
    return found.length > 1 ? found.sort(table.compare) : found
  }

  /** @param rows in the order of their keys */
  private isAmong(rows: readonly Row[], wanted: Row): boolean {
    const { compare } = this.table
    let low = 0
    let high = rows.length
    while (low < high) {
      const middle = (low + high) >> 1
      const row = rows[middle]
      if (row === wanted) return true
      if (row !== undefined && compare(row, wanted) > 0) high = middle
      else low = middle + 1
    }
    return false
  }
}

/** Makes a selection of each list, giving others a turn between them. */
async function selectFromEach(
  lists: readonly (readonly Row[])[],
  selection: RowSelection,
  call: Waiting,
): Promise<readonly (readonly Row[])[]> {
  const selected: (readonly Row[])[] = []
  let rows = 0
  for (const list of lists) {
    if (rows > rowsPerTurn) {
      await yieldToEventLoop()
      call.signal.throwIfAborted()
      rows = 0
    }
    rows += list.length
    const result = selection.of(list, call)
    selected.push(result instanceof Promise ? await result : result)
  }
  return selected
}

/** The rows to sort. */
interface SortedTable {
  readonly version: number
  readonly size: number
  rows(): readonly Row[]
}

/** The number of orders whose sorted rows are cached. */
const mostOrders = 8

/** Of more rows the sorted ones take much memory. */
const mostRows = 200_000

/** To find the first rows so often costs about as much as to sort all. */
const asksForAll = 10

interface SortedRows {
  asked: number
  rows: readonly Row[] | undefined
}

/**
 * All rows of a table in orders that are asked for again and again. They are sorted as soon as that would have paid, and
 * forgotten with the next change: where rows change all the time, nothing is sorted.
 */
class OrderIndex {
  private orders = new BoundedCache<string, SortedRows>(mostOrders)
  private version = -1

  constructor(private readonly table: SortedTable) {}

  /** Undefined when the rows are not sorted, and are not worth it yet. */
  rowsIn({ terms, rowOrder }: CompiledOrder, call: Waiting): PromiseOrValue<readonly Row[]> | undefined {
    const name = this.table.size > mostRows ? undefined : nameOf(terms)
    if (name === undefined) return undefined
    const sorted = this.current(name)
    if (sorted.rows !== undefined) return sorted.rows
    if (++sorted.asked < asksForAll) return undefined
    // Who asks meanwhile does not wait for it.
    sorted.asked = 0
    const slice = new TimeSlice(call)
    const all = new FirstRows(rowOrder, Number.POSITIVE_INFINITY)
    const scanned = scanRows({ rows: this.table.rows(), sink: all }, slice)
    return mapValue(scanned, () => mapValue(all.rows(slice), (rows) => (sorted.rows = rows)))
  }

  private current(name: string): SortedRows {
    const { version } = this.table
    if (version !== this.version) {
      this.orders = new BoundedCache(mostOrders)
      this.version = version
    }
    let sorted = this.orders.get(name)
    if (sorted === undefined) {
      sorted = { asked: 0, rows: undefined }
      this.orders.set(name, sorted)
    }
    return sorted
  }
}

/** Undefined for orders that depend on more than the rows of the table, or that take computing. */
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
