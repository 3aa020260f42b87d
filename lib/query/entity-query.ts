import type { EntityType } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import type { QueryOptions } from '../uri/parse-query-options.js'
import { getOrCreate } from '../util/get-or-create.js'
import type { Grouping } from './grouping.js'
import type { Expression, OrderByTerm } from './expression.js'
import type { Projection } from './projection.js'

/**
 * The query options of a request for entities, resolved against the model.
 *
 * @spec MS-ODATA 2.2.3.6.1
 */
export interface EntityQuery {
  readonly filter: Expression | undefined
  /** The terms of the request; see {@link totalOrder}. */
  readonly orderBy: readonly OrderByTerm[]
  /** Selects only entities after this position in the total order. */
  readonly seek: SeekPosition | undefined
  readonly skip: number
  /** Maximum number of entities. Undefined: no limit. */
  readonly top: number | undefined
  readonly inlineCount: boolean
  readonly projection: Projection
  /** The grouping of rows. Undefined for ordinary entities. */
  readonly grouping?: Grouping | undefined
  /** The options of the request, for next links. */
  readonly received: QueryOptions
}

/** The values of `$skiptoken`: a JavaScript value for each term of the total order. */
export type SeekPosition = readonly unknown[]

const totalOrders = new WeakMap<readonly OrderByTerm[], readonly OrderByTerm[]>()

/**
 * Returns a total order: the requested terms, followed by the ascending key. Pages then neither repeat nor skip
 * entities. The same terms have the same total order, for which providers cache its compiled form.
 *
 * @param type the type that the terms are bound to
 * @spec MS-ODATA 2.2.3.6.1.2 (a full order)
 */
export function totalOrder(orderBy: readonly OrderByTerm[], type: EntityType): readonly OrderByTerm[] {
  if (orderBy.length === 0) return keyOrder(type)
  return getOrCreate(totalOrders, orderBy, () => [...orderBy, ...keyOrder(type)])
}

/** Returns the total order of the entities of a query. */
export function orderOf({ grouping, orderBy, projection }: EntityQuery): readonly OrderByTerm[] {
  return grouping?.orderBy ?? totalOrder(orderBy, projection.entityType)
}

const keyOrders = new WeakMap<EntityType, readonly OrderByTerm[]>()

/** Returns the order by the ascending key properties of a type. */
export function keyOrder(type: EntityType): readonly OrderByTerm[] {
  let terms = keyOrders.get(type)
  if (terms === undefined) {
    terms = type.key.map((property) => ({
      expression: { kind: 'PropertyPath', steps: [], property, type: property.type as PrimitiveTypeName },
      descending: false,
    }))
    keyOrders.set(type, terms)
  }
  return terms
}
