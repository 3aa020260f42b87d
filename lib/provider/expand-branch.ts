import type { NavigationProperty } from '../edm/edm-model.js'
import type { Expression, OrderByTerm } from '../query/expression.js'

/**
 * Selects the properties to read.
 *
 * @example const columns = ({ properties }: KeyQuery) => (properties === undefined ? '*' : [...properties].join())
 */
export interface KeyQuery {
  /** The properties that the service needs; rows may omit others. Absent: all properties. */
  readonly properties?: ReadonlySet<string> | undefined
  /** The related entities to read together with the entities, if `pushdown.expand` accepts them. Absent: none. */
  readonly expand?: readonly ExpandBranch[] | undefined
}

/**
 * A navigation property whose related entities are read together with the entities. Rows contain them in a member with its
 * name: an array, or for a single entity a row or null. The service reads the related entities of rows without the member.
 *
 * @example
 * const inlineOf = ({ navigation: { name } }: ExpandBranch) => (name === 'Lines' ? `include=${name}` : '')
 */
export interface ExpandBranch extends KeyQuery {
  /** The navigation property of the entities. */
  readonly navigation: NavigationProperty
  /** Name of the entity set of the related entities. */
  readonly entitySet: string
  /** The condition that the related entities meet, from `authorize`. Absent: all of them. */
  readonly filter?: Expression | undefined
  /** The terms to sort the related entities by. Absent for a single entity. */
  readonly orderBy?: readonly OrderByTerm[] | undefined
  /** Maximum number of related entities of each entity. */
  readonly top?: number | undefined
}
