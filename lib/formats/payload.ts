import type { EntityType, Property } from '../edm/edm-model.js'

/**
 * What the body of a request says about an entity. Only what stands in the body is there: what is missing means
 * something else in an update than in a merge.
 *
 * @spec MS-ODATA 2.2.6.2.2, 2.2.6.3.3
 */
export interface EntityPayload {
  /** Qualified type name that the body names, if any: the declared type or one derived from it. */
  readonly typeName: string | undefined
  /** Address that the body gives for the entity itself. */
  readonly uri: string | undefined
  /**
   * JavaScript values by property name, only those that are present, as own members. Complex values are objects with
   * only the members that are present; a complex value that the body calls null has all its members, and they are
   * null. Values are of their type and in its range, but facets have not been looked at.
   */
  readonly values: Readonly<Record<string, unknown>>
  /** By navigation property name. */
  readonly links: ReadonlyMap<string, LinkPayload>
}

/** What the body of a request says about one navigation property. */
export type LinkPayload =
  | PlainLinkPayload
  /** Links to existing entities and new entities under one navigation property. */
  | { readonly kind: 'Mixed'; readonly uris: readonly string[]; readonly entities: readonly EntityPayload[] }

export type PlainLinkPayload =
  /** Links to entities that exist; addresses as they stand in the body. */
  | { readonly kind: 'Bind'; readonly uris: readonly string[] }
  /** Entities to be made together with this one. */
  | { readonly kind: 'Inline'; readonly entities: readonly EntityPayload[] }
  /** A single-valued property that is to lead nowhere. */
  | { readonly kind: 'Unlink' }

/** Returns the links and new entities of a navigation property whose target is a collection. */
export function toCollectionLink(uris: readonly string[], entities: readonly EntityPayload[]): LinkPayload {
  if (uris.length === 0) return { kind: 'Inline', entities }
  return entities.length === 0 ? { kind: 'Bind', uris } : { kind: 'Mixed', uris, entities }
}

export interface ReadOptions {
  /** Whether names that the type does not have are left out, rather than refused. */
  readonly ignoreUnknown: boolean
  /** Levels of inline entities; with 0 there may be none. */
  readonly depth: number
  /** The type of the entity when its body names none. Default: the type that is expected. */
  readonly defaultType?: EntityType | undefined
  /** Absolute address of the service, with a slash at the end: links that only echo a read are told by it. */
  readonly service: string
}

/**
 * Reads the bodies of requests in one format. Everything that is wrong with a body is an ODataError with status 400
 * that names the property and what to write.
 *
 * @spec MS-ODATA 2.2.6
 */
export interface PayloadReader {
  /**
   * One entity.
   *
   * @param type what is expected; the body may name a type derived from it
   */
  entity(text: string, type: EntityType, options: ReadOptions): EntityPayload
  /**
   * A property document.
   *
   * @returns a value, or for a complex property an object with only the members that are present
   */
  property(text: string, property: Property): unknown
  /** The address in a document of one link, as it stands there. */
  link(text: string): string
}
