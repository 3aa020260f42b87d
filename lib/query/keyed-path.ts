import type { EntitySet, Property } from '../edm/edm-model.js'
import type { LiteralSyntax } from '../uri/syntax-tree.js'
import { keyValue } from './bind-key-predicate.js'
import type { CollectionSource, RequestTarget } from './request-target.js'

/** The path of an entity by its key, as most clients write it, cut without being read letter by letter. */
export interface KeyedPath {
  /** All but the value of the key: paths that have it in common differ in nothing else. */
  readonly shape: string
  readonly literal: LiteralSyntax
}

/** A name in plain letters, and one value: a number, or a string in which nothing has a meaning of its own. */
const keyed = /^\/([A-Za-z_]\w*)\((?:(\d{1,15})|'([^'%/?]*)')\)(\?.*)?$/s

/**
 * Cuts a request target such as `/Products(7)?$format=json`.
 *
 * @param text path and query below the service root
 * @returns undefined for every other path, also for one that means the same
 */
export function keyedPath(text: string): KeyedPath | undefined {
  const match = keyed.exec(text)
  if (match === null) return undefined
  const [, name = '', digits, string = '', query = ''] = match
  const position = name.length + 1
  const literal: LiteralSyntax =
    digits === undefined
      ? { kind: 'Literal', form: 'String', text: string, position }
      : { kind: 'Literal', form: 'Integer', text: digits, position }
  return { shape: query === '' ? name : name + query, literal }
}

/** The common target of paths such as `Products(1)` and `Products(2)`: entities with a key of one property. */
export class KeyedShape {
  private constructor(
    private readonly set: EntitySet,
    private readonly collection: CollectionSource,
    private readonly property: Property,
  ) {}

  /**
   * @param target what one path of the shape addresses
   * @returns undefined when that is not simply an entity of a set
   */
  static of(target: RequestTarget): KeyedShape | undefined {
    if (target.kind !== 'Entity' || target.entity.kind !== 'KeyedEntity') return undefined
    const { collection, set } = target.entity
    const [property, ...others] = set.entityType.key
    if (collection.kind !== 'EntitySet' || property === undefined || others.length > 0) return undefined
    return new KeyedShape(set, collection, property)
  }

  /** @throws ODataError as when the whole path is read: for a literal that is not a valid key */
  with(literal: LiteralSyntax): RequestTarget {
    const { collection, property, set } = this
    const key = { [property.name]: keyValue(literal, property) }
    return { kind: 'Entity', entity: { kind: 'KeyedEntity', collection, key, set } }
  }
}
