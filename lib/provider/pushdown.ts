import type { NavigationProperty } from '../edm/edm-model.js'
import type { GroupingSpec } from '../evaluation/aggregate.js'
import type { Expression, OrderByTerm } from '../query/expression.js'

/**
 * Declares which parts of a query the provider evaluates. The service offers each part, passes on what is accepted, and
 * evaluates the rest itself, with the same result.
 *
 * @example
 * const pushdown: Pushdown = {
 *   filter: (condition) => condition.kind === 'Binary' && condition.operator === 'eq',
 *   paging: true,
 * }
 */
export interface Pushdown {
  /** Returns true if the provider can evaluate a condition. The conjuncts of `a and b` are offered one by one. */
  filter?(condition: Expression): boolean
  /** Returns true if the provider can sort by these terms, which end with the key, and resume after a row (`seek`). */
  orderBy?(terms: readonly OrderByTerm[]): boolean
  /** True if the provider applies `skip` and `top`. It receives them only if it evaluates all of filter and order. */
  readonly paging?: boolean
  /** Returns true if `aggregate` can group by these properties and aggregate these measures exactly. */
  aggregation?(query: GroupingSpec): boolean
  /** Returns true if `read`, `count` and `readRelated` can follow a navigation property to this entity set. */
  navigation?(navigation: NavigationProperty): boolean
  /**
   * If true, the provider evaluates the query option `search`, which it finds in `call.customOptions`. If false, the
   * service searches the sets with `sap:searchable="true"`; if undefined, only those that the option `search` names.
   */
  readonly search?: boolean
}
