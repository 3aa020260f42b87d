import type { NavigationProperty } from '../edm/edm-model.js'
import type { GroupingSpec } from '../evaluation/aggregate.js'
import type { ExpandBranch } from './expand-branch.js'
import type { SeekPosition } from '../query/entity-query.js'
import type { Expression, OrderByTerm, SearchQuery } from '../query/expression.js'

/**
 * How entities are grouped, and which groups are returned.
 *
 * @example
 * const pushdown: Pushdown = {
 *   aggregation: ({ orderBy, seek }: GroupPage) => orderBy === undefined && seek === undefined,
 * }
 */
export interface GroupPage extends GroupingSpec {
  /** A total order of groups, by paths of their own properties. Absent: any order. */
  readonly orderBy?: readonly OrderByTerm[] | undefined
  /** Values of the order terms, after which the result begins. */
  readonly seek?: SeekPosition | undefined
  /** Number of groups to skip. */
  readonly skip?: number | undefined
  /** Maximum number of groups to return. */
  readonly top?: number | undefined
  /** True if the number of all groups, before `skip` and `top`, is requested too. See {@link GroupsPage}. */
  readonly count?: boolean | undefined
  /** True if only the number of groups is requested. */
  readonly countOnly?: boolean | undefined
}

/**
 * Declares which parts of a query the provider evaluates. The service offers each part, passes on the accepted parts,
 * and evaluates the rest itself, with the same result.
 *
 * @example
 * const pushdown: Pushdown = {
 *   filter: (condition) => condition.kind === 'Binary' && condition.operator === 'eq',
 *   paging: true,
 * }
 */
export interface Pushdown {
  /**
   * Returns true if the provider can evaluate a condition. The conjuncts of `a and b` are offered one by one. For
   * `'narrow'`, the provider receives the condition, and returns all entities that meet it and perhaps others; the service
   * evaluates the condition again.
   *
   * @param isRestriction true for a condition of `authorize`, which decides what the caller may see
   */
  filter?(condition: Expression, isRestriction?: boolean): boolean | 'narrow'
  /** Returns true if the provider can sort by these terms, which end with the key, and resume after a row (`seek`). */
  orderBy?(terms: readonly OrderByTerm[]): boolean
  /** True if the provider applies `skip` and `top`. It receives them only if it evaluates all of filter and order. */
  readonly paging?: boolean
  /**
   * Returns true if `aggregate` can group by these properties, aggregate these measures exactly, and sort by `orderBy` if
   * present. A query that is declined is offered again without order and page.
   */
  aggregation?(query: GroupPage): boolean
  /** True if `read` returns a {@link RowsPage} with `count` for a query with `count`. Default: false. */
  readonly count?: boolean | undefined
  /**
   * The maximum number of entities that `read` gets from its store in one step. The service requests no more for a page,
   * and `hasMore` of the {@link RowsPage} tells whether there is another page. Default: no maximum.
   */
  readonly pageSize?: number | undefined
  /**
   * Returns true if `read` and `readByKey` can read these related entities together with the entities. Branches in
   * `branch.expand` are offered first to `pushdown.expand` of their own set, filters to its `pushdown.filter`.
   */
  expand?(branch: ExpandBranch): boolean
  /**
   * True if `read` with a `source` needs only the key of its row, and returns null if that entity does not exist. The
   * service then does not read the source first. Default: false.
   */
  readonly sourceKeys?: boolean | undefined
  /** Returns true if `read`, `count` and `readRelated` can follow a navigation property to this entity set. */
  navigation?(navigation: NavigationProperty): boolean
  /**
   * A function returns true if the provider can evaluate a search, which it then finds in `query.search` of `read`, `count`
   * and `aggregate`. The service evaluates a declined search, and searches that depend on computed properties or on
   * related entities that the caller may not see.
   *
   * If true, the provider finds the text of the query option `search` in `call.customOptions`, and the service ignores it.
   * If false, the service searches the sets with `sap:searchable="true"`; if undefined, only those that the option
   * `search` names.
   *
   * @example
   * // An index of whole words finds everything that the terms "gouda" and "brie" find, but not "gou".
   * const words = new Set(['gouda', 'brie'])
   * const pushdown: Pushdown = {
   *   search: ({ terms }) => terms.every((term) => words.has(term.toLowerCase())),
   * }
   */
  readonly search?: boolean | ((search: SearchQuery) => boolean)
}
