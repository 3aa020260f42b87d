import type { EntitySet, FunctionImport, NavigationProperty, Property } from '../edm/edm-model.js'

/**
 * The resource that a request addresses: one member of the union for each kind of resource. The comments name the URI
 * types of the specification.
 *
 * @spec MS-ODATA 2.2.3.5 (resource path semantics)
 */
export type RequestTarget =
  /** URI 0: `/` */
  | { readonly kind: 'ServiceDocument' }
  /** URI 8: `/$metadata` */
  | { readonly kind: 'Metadata' }
  /** URI 9: `/$batch` */
  | { readonly kind: 'Batch' }
  /** URI 1, 6B, and functions that return entities: a feed */
  | { readonly kind: 'EntitySet'; readonly collection: CollectionSource }
  /** URI 2, 6A, 10: an entry */
  | { readonly kind: 'Entity'; readonly entity: EntitySource }
  /** URI 15 and 16: `$count` */
  | { readonly kind: 'EntityCount'; readonly of: CollectionSource | EntitySource }
  /** URI 3 */
  | { readonly kind: 'ComplexProperty'; readonly owner: ValueOwner; readonly path: PropertyChain }
  /** URI 4 and 5 */
  | { readonly kind: 'SimpleProperty'; readonly owner: ValueOwner; readonly path: PropertyChain }
  /** URI 4 and 5 with `$value` */
  | { readonly kind: 'PropertyValue'; readonly owner: ValueOwner; readonly path: PropertyChain }
  /** URI 17 */
  | { readonly kind: 'MediaResource'; readonly entity: EntitySource }
  /** URI 7A, 7B and 50 */
  | LinksTarget
  /** URI 11 to 14: functions that return values */
  | { readonly kind: 'FunctionImport'; readonly call: FunctionCall }

export type ResourceKind = RequestTarget['kind']

export interface LinksTarget {
  readonly kind: 'Links'
  readonly source: EntitySource
  readonly navigation: NavigationProperty
  /** The linked entities, or a single one for a single-valued navigation property or a key. */
  readonly linked: CollectionSource | EntitySource
  /** True for `/$links/Nav/$count`. */
  readonly count: boolean
}

/** Values of the key properties by name, in the order of the key. */
export type KeyValues = Readonly<Record<string, unknown>>

/** A collection of entities: an entity set, the related entities of an entity, or the result of a function. */
export type CollectionSource =
  | { readonly kind: 'EntitySet'; readonly set: EntitySet }
  | {
      readonly kind: 'RelatedEntities'
      readonly source: EntitySource
      readonly navigation: NavigationProperty
      readonly set: EntitySet
    }
  | { readonly kind: 'ReturnedEntities'; readonly call: FunctionCall; readonly set: EntitySet }

/** One entity: addressed by its key, by a navigation property, or returned by a function. */
export type EntitySource =
  | {
      readonly kind: 'KeyedEntity'
      readonly collection: CollectionSource
      readonly key: KeyValues
      readonly set: EntitySet
    }
  | {
      readonly kind: 'RelatedEntity'
      readonly source: EntitySource
      readonly navigation: NavigationProperty
      readonly set: EntitySet
    }
  | { readonly kind: 'ReturnedEntity'; readonly call: FunctionCall; readonly set: EntitySet }

/** The owner of the addressed property. */
export type ValueOwner = EntitySource | { readonly kind: 'ReturnedValue'; readonly call: FunctionCall }

/** The path of properties to a value, outermost first. Empty if a function returned the value itself. */
export type PropertyChain = readonly Property[]

export interface FunctionCall {
  readonly functionImport: FunctionImport
  readonly parameters: Readonly<Record<string, unknown>>
}

/** Returns the entities to which query options apply; undefined for resources that do not consist of entities. */
export function querySource(target: RequestTarget): CollectionSource | EntitySource | undefined {
  switch (target.kind) {
    case 'EntitySet':
      return target.collection
    case 'Entity':
      return target.entity
    case 'EntityCount':
      return target.of
    case 'Links':
      return target.linked
    default:
      return undefined
  }
}

/** Returns the entities that a target is, or is a part of; undefined for other resources. */
export function addressedSource(target: RequestTarget): CollectionSource | EntitySource | undefined {
  switch (target.kind) {
    case 'EntitySet':
      return target.collection
    case 'Entity':
    case 'MediaResource':
      return target.entity
    case 'EntityCount':
      return target.of
    case 'ComplexProperty':
    case 'SimpleProperty':
    case 'PropertyValue':
      return target.owner.kind === 'ReturnedValue' ? undefined : target.owner
    case 'Links':
      return target.linked
    default:
      return undefined
  }
}

export function isCollection(source: CollectionSource | EntitySource): source is CollectionSource {
  return (
    source.kind === 'EntitySet' || source.kind === 'RelatedEntities' || source.kind === 'ReturnedEntities'
  )
}

/** Returns true if the path of a request calls a function. */
export function isFunctionCall(target: RequestTarget): boolean {
  return calledFunction(target) !== undefined
}

/** Returns the function that the path of a request calls; undefined if it calls no function. */
export function calledFunction(target: RequestTarget): FunctionImport | undefined {
  switch (target.kind) {
    case 'ServiceDocument':
    case 'Metadata':
    case 'Batch':
      return undefined
    case 'EntitySet':
      return functionBehind(target.collection)
    case 'Entity':
    case 'MediaResource':
      return functionBehind(target.entity)
    case 'EntityCount':
      return functionBehind(target.of)
    case 'ComplexProperty':
    case 'SimpleProperty':
    case 'PropertyValue':
      return functionBehind(target.owner)
    case 'Links':
      return functionBehind(target.source)
    case 'FunctionImport':
      return target.call.functionImport
  }
}

function functionBehind(source: CollectionSource | EntitySource | ValueOwner): FunctionImport | undefined {
  switch (source.kind) {
    case 'EntitySet':
      return undefined
    case 'RelatedEntities':
    case 'RelatedEntity':
      return functionBehind(source.source)
    case 'KeyedEntity':
      return functionBehind(source.collection)
    case 'ReturnedEntities':
    case 'ReturnedEntity':
    case 'ReturnedValue':
      return source.call.functionImport
  }
}
