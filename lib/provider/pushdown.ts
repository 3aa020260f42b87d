import type { SeekPosition } from '../query/entity-query.js'
import type { Expression, OrderByTerm } from '../query/expression.js'
import { conjunction, conjunctsOf } from '../query/expression.js'
import type { CountQuery, Pushdown, ReadQuery } from './provider.js'

/** All that is asked of a collection. */
export interface CollectionQuery {
  /** Conditions that must all hold. */
  readonly filters: readonly Expression[]
  /** A total order, or nothing when any order will do. */
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
  // When any order will do, rows come in the right one.
  const ordered = query.orderBy.length === 0 || pushdown.orderBy?.(query.orderBy) === true
  const paged = ordered && refused.length === 0 && pushdown.paging === true
  return {
    pushed: {
      ...filterOf(accepted),
      ...(ordered && query.orderBy.length > 0 ? { orderBy: query.orderBy } : {}),
      ...(ordered && query.seek !== undefined ? { seek: query.seek } : {}),
      ...(paged && query.skip > 0 ? { skip: query.skip } : {}),
      ...(paged && Number.isFinite(query.limit) ? { top: query.limit } : {}),
    },
    filters: refused,
    ordered,
    paged,
  }
}

/**
 * Conditions alone; what is refused must be evaluated by the service. The parts of `a and b` are offered one by one,
 * and a filter of which all is accepted stays as it is, so that what was compiled for it can be found again.
 */
export function splitFilters(
  filters: readonly Expression[],
  pushdown: Pushdown = {},
): { readonly accepted: readonly Expression[]; readonly refused: readonly Expression[] } {
  const accepted: Expression[] = []
  const refused: Expression[] = []
  for (const filter of filters) {
    const left: Expression[] = []
    const taken: Expression[] = []
    for (const one of conjunctsOf(filter)) (pushdown.filter?.(one) === true ? taken : left).push(one)
    if (left.length === 0) accepted.push(filter)
    else accepted.push(...taken)
    if (taken.length === 0) refused.push(filter)
    else refused.push(...left)
  }
  return { accepted, refused }
}

/** The part of a query that asks for conditions. */
export function filterOf(filters: readonly Expression[]): Pick<CountQuery, 'filter'> {
  const filter = conjunction(filters)
  return filter === undefined ? {} : { filter }
}
