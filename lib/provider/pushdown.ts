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
  /** Whether the provider can evaluate a condition. `a and b` is offered as two conditions. */
  filter?(condition: Expression): boolean
  /** Whether the provider can sort by these terms, which end with the key, and can resume after a row (`seek`). */
  orderBy?(terms: readonly OrderByTerm[]): boolean
  /** Whether the provider evaluates `skip` and `top`. Passed on only when it also evaluates filter and order. */
  readonly paging?: boolean
  /** Whether `aggregate` groups by these properties and aggregates these measures exactly. */
  aggregation?(query: GroupingSpec): boolean
  /** Whether `read`, `count` and `readRelated` can return the related entities of another entity. */
  navigation?(navigation: NavigationProperty): boolean
  /**
   * Whether the provider evaluates the query option `search`, which it finds in `call.customOptions`. If false, the service
   * searches the sets with `sap:searchable="true"`; if absent, only those that the option `search` names.
   */
  readonly search?: boolean
}
