import type { NavigationProperty } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import type { SeekPosition } from '../query/entity-query.js'
import type { Expression, OrderByTerm, SearchQuery } from '../query/expression.js'
import type { KeyQuery } from './expand-branch.js'
import type { GroupPage } from './pushdown.js'

/**
 * Selects the entities to count.
 *
 * @example
 * const items: EntitySetProvider = {
 *   read: () => products,
 *   count: ({ filter, source }: CountQuery) => products.length,
 * }
 */
export interface CountQuery {
  /** Name of the entity set in the model. */
  readonly entitySet: string
  /** The condition that the entities meet. Absent: all entities. */
  readonly filter?: Expression | undefined
  /** The search that the entities match, if `pushdown.search` accepts it. */
  readonly search?: SearchQuery | undefined
  /** The entity whose related entities are requested. Absent: all entities of the set. */
  readonly source?: RelatedTo | undefined
}

/**
 * Selects the entities to group, the aggregates, and the groups to return.
 *
 * @example
 * const namesOfRow = ({ groupBy, measures }: AggregateQuery) =>
 *   [...groupBy, ...measures].map(({ property }) => property.name)
 */
export interface AggregateQuery extends CountQuery, GroupPage {}

/**
 * Selects the entities to read, their order and their properties.
 *
 * @example
 * const items: EntitySetProvider = {
 *   read: ({ skip = 0, top = Infinity }: ReadQuery) => products.slice(skip, skip + top),
 *   pushdown: { paging: true },
 * }
 */
export interface ReadQuery extends CountQuery, KeyQuery {
  /** True if the result should contain the number of all matches, before `skip` and `top`. See {@link RowsPage}. */
  readonly count?: boolean | undefined
  /** The terms to sort by, with the key at the end. Absent: any order. */
  readonly orderBy?: readonly OrderByTerm[] | undefined
  /** Values of the order terms, after which the result begins. */
  readonly seek?: SeekPosition | undefined
  /** Number of entities to skip. */
  readonly skip?: number | undefined
  /** Maximum number of entities to return. */
  readonly top?: number | undefined
}

/**
 * An entity and the navigation property whose targets are requested.
 *
 * @example const productsOf = ({ row }: RelatedTo) => products.filter((product) => product.CategoryID === row.ID)
 */
export interface RelatedTo {
  /** Name of the entity set of the source. */
  readonly entitySet: string
  /** The navigation property of the source. */
  readonly navigation: NavigationProperty
  /** The source. */
  readonly row: Row
}

/**
 * Selects the related entities of several entities. `skip` and `top` apply to each of these.
 *
 * @example
 * const items: EntitySetProvider = {
 *   read: () => products,
 *   readRelated: ({ sources }: RelatedQuery) =>
 *     sources.rows.map((category) => products.filter((product) => product.CategoryID === category.ID)),
 *   pushdown: { navigation: ({ name }) => name === 'Products' },
 * }
 */
export interface RelatedQuery extends Omit<ReadQuery, 'source'> {
  /** The entities whose related entities are requested. */
  readonly sources: {
    /** Name of the entity set of the sources. */
    readonly entitySet: string
    readonly navigation: NavigationProperty
    readonly rows: readonly Row[]
  }
}
