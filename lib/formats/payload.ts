import type { EntityType, Property } from '../edm/edm-model.js'

/**
 * An entity in the body of a request. Contains only what the body contains: absent properties differ between PUT and
 * MERGE.
 *
 * @spec MS-ODATA 2.2.6.2.2, 2.2.6.3.3
 */
export interface EntityPayload {
  /** Qualified type name in the body: the declared type or one derived from it. */
  readonly typeName: string | undefined
  /** URI of the entity in the body. */
  readonly uri: string | undefined
  /**
   * JavaScript values by property name, for the properties that are present. Complex values are objects with the members
   * that are present; a complex value that is null has null for all members. Values are valid for their type, but
   * facets were not checked.
   */
  readonly values: Readonly<Record<string, unknown>>
  /** By navigation property name. */
  readonly links: ReadonlyMap<string, LinkPayload>
}

/** A navigation property in the body of a request. */
export type LinkPayload =
  | PlainLinkPayload
  /** Links to existing entities and new entities under one navigation property. */
  | { readonly kind: 'Mixed'; readonly uris: readonly string[]; readonly entities: readonly EntityPayload[] }

export type PlainLinkPayload =
  /** Links to existing entities; URIs as in the body. */
  | { readonly kind: 'Bind'; readonly uris: readonly string[] }
  /** Entities to insert together with this one. */
  | { readonly kind: 'Inline'; readonly entities: readonly EntityPayload[] }
  /** Removes the link of a single-valued property. */
  | { readonly kind: 'Unlink' }

export function toCollectionLink(uris: readonly string[], entities: readonly EntityPayload[]): LinkPayload {
  if (uris.length === 0) return { kind: 'Inline', entities }
  return entities.length === 0 ? { kind: 'Bind', uris } : { kind: 'Mixed', uris, entities }
}

export interface ReadOptions {
  /** True if properties that the type does not have are ignored instead of rejected. */
  readonly ignoreUnknown: boolean
  /** Maximum number of levels of inline entities. */
  readonly depth: number
  /** The type of an entity whose body names no type. Default: the declared type. */
  readonly defaultType?: EntityType | undefined
  /** Absolute URL of the service, with a trailing slash, to recognize links that are copied from a response. */
  readonly service: string
}

/**
 * Reads the bodies of requests in one format. For invalid bodies, it throws an ODataError with status 400 that names
 * the property and the accepted values.
 *
 * @spec MS-ODATA 2.2.6
 */
export interface PayloadReader {
  /**
   * Reads an entity.
   *
   * @param type the declared type; the body may name a type derived from it
   */
  entity(text: string, type: EntityType, options: ReadOptions): EntityPayload
  /**
   * Reads a property document.
   *
   * @returns a value, or for a complex property an object with the members that are present
   */
  property(text: string, property: Property): unknown
  /** Reads a link document. @returns its URI */
  link(text: string): string
}
