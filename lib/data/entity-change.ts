import type { EntityType } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import type { EntitySource } from '../query/request-target.js'

/** The new state of an entity, as a request describes it. */
export interface EntityChange {
  /** The declared type or one derived from it. */
  readonly type: EntityType
  /** JavaScript values by property name, only those that the request gives. */
  readonly values: Readonly<Record<string, unknown>>
  /** Replaces some of these values if another entity has the key of the new one. */
  readonly whenTaken?: Readonly<Record<string, unknown>> | undefined
  /** Navigation properties and their targets. A property is listed twice if it has both existing and new entities. */
  readonly links: readonly (readonly [navigation: string, linked: LinkedEntities])[]
}

/** The new target of a navigation property. */
export type LinkedEntities =
  | { readonly kind: 'Existing'; readonly entities: readonly EntitySource[] }
  | { readonly kind: 'New'; readonly entities: readonly EntityChange[] }
  | { readonly kind: 'None' }

/** An entity that the caller may update. */
export interface EntityToUpdate {
  /** The entity as it is stored. */
  readonly row: Row
  /** @throws ODataError Forbidden when the caller could not update the changed entity */
  readonly authorizeChange: (changed: Row) => Promise<void>
}
