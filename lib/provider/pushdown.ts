import type { SeekPosition } from '../query/entity-query.js'
import type { Expression, OrderByTerm } from '../query/expression.js'
import { conjunction } from '../query/expression.js'
import type { CountQuery, Pushdown, ReadQuery } from './provider.js'

/** All that is asked of a collection. */
export interface CollectionQuery {
  /** Conditions that must all hold. */
  readonly filters: readonly Expression[]
  /** A total order. */
  readonly orderBy: readonly OrderByTerm[]
  readonly seek: SeekPosition | undefined
  readonly skip: number
  /** How many rows are wanted at most; infinite when there is no limit. */
  readonly limit: number
}

/** What the provider does and what is left for the service. */
export interface SplitQuery {
  readonly pushed: Pick<ReadQuery, 'filter' | 'orderBy' | 'seek' | 'skip' | 'top'>
  /** Conditions that the provider does not evaluate. */
  readonly filters: readonly Expression[]
  /** True when the provider's rows come in the right order and start at the right place. */
  readonly ordered: boolean
  /** True when the provider skips and limits. */
  readonly paged: boolean
}

/**
 * Divides a query between a provider and the service. The parts of a query happen in a fixed order: conditions, then
 * sorting, then the start and the length of the page. A provider can be given a part only when it does all the
 * parts before it.
 *
 * @spec MS-ODATA 2.2.3.6.1.2 (order of evaluation)
 */
export function splitQuery(query: CollectionQuery, pushdown: Pushdown = {}): SplitQuery {
  const { accepted, refused } = splitFilters(query.filters, pushdown)
  const ordered = pushdown.orderBy?.(query.orderBy) ?? false
  const paged = ordered && refused.length === 0 && pushdown.paging === true
  return {
    pushed: {
      ...filterOf(accepted),
      ...(ordered ? { orderBy: query.orderBy } : {}),
      ...(ordered && query.seek !== undefined ? { seek: query.seek } : {}),
      ...(paged && query.skip > 0 ? { skip: query.skip } : {}),
      ...(paged && Number.isFinite(query.limit) ? { top: query.limit } : {}),
    },
    filters: refused,
    ordered,
    paged,
  }
}

/** Conditions alone; what is refused must be evaluated by the service. */
export function splitFilters(
  filters: readonly Expression[],
  pushdown: Pushdown = {},
): { readonly accepted: readonly Expression[]; readonly refused: readonly Expression[] } {
  const accepted = filters.filter((condition) => pushdown.filter?.(condition) ?? false)
  return { accepted, refused: filters.filter((condition) => !accepted.includes(condition)) }
}

/** The part of a query that asks for conditions. */
export function filterOf(filters: readonly Expression[]): Pick<CountQuery, 'filter'> {
  const filter = conjunction(filters)
  return filter === undefined ? {} : { filter }
}
