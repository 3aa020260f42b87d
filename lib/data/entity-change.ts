import type { EntityType } from '../edm/edm-model.js'
import type { EntitySource } from '../query/request-target.js'

/** What a request wants an entity to become. */
export interface EntityChange {
  /** The declared type or one derived from it. */
  readonly type: EntityType
  /** JavaScript values by property name, only those that the request gives. */
  readonly values: Readonly<Record<string, unknown>>
  /** What a new entity has instead of some of these when another one has its key. */
  readonly whenTaken?: Readonly<Record<string, unknown>> | undefined
  /** Navigation properties and their targets. A property is listed twice if it has both existing and new entities. */
  readonly links: readonly (readonly [navigation: string, linked: LinkedEntities])[]
}

/** What a navigation property is to lead to. */
export type LinkedEntities =
  | { readonly kind: 'Existing'; readonly entities: readonly EntitySource[] }
  | { readonly kind: 'New'; readonly entities: readonly EntityChange[] }
  | { readonly kind: 'None' }
