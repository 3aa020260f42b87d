import { FirstRows } from '../../evaluation/first-rows.js'
import { scanRows } from '../../evaluation/row-scan.js'
import type { Row } from '../../evaluation/row.js'
import type { OrderByTerm } from '../../query/expression.js'
import { BoundedCache } from '../../util/bounded-cache.js'
import type { MaybePromise } from '../../util/maybe-promise.js'
import { whenThere } from '../../util/maybe-promise.js'
import { TimeSlice } from '../../util/time-slice.js'
import type { CompiledOrder } from './compiled-queries.js'
import type { Waiting } from './row-selection.js'

/** What is sorted. */
interface SortedTable {
  readonly version: number
  readonly size: number
  rows(): readonly Row[]
}

/** Orders of which the sorted rows are kept. */
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
export class OrderIndex {
  private orders = new BoundedCache<string, SortedRows>(mostOrders)
  private version = -1

  constructor(private readonly table: SortedTable) {}

  /** Undefined when the rows are not sorted, and are not worth it yet. */
  rowsIn({ terms, rowOrder }: CompiledOrder, call: Waiting): MaybePromise<readonly Row[]> | undefined {
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
    return whenThere(scanned, () => whenThere(all.rows(slice), (rows) => (sorted.rows = rows)))
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
