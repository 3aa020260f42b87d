import type { EntitySet, Property } from '../edm/edm-model.js'
import type { LiteralSyntax } from '../uri/syntax-tree.js'
import { keyValue } from './bind-key-predicate.js'
import type { CollectionSource, RequestTarget } from './request-target.js'

/** The path of an entity by its key in the usual form, which a regular expression splits without the parser. */
export interface KeyedPath {
  /** The path and query without the value of the key. Paths with the same pattern differ only in that value. */
  readonly pattern: string
  readonly literal: LiteralSyntax
}

/** Matches a name of ASCII letters, and one value: a number, or a string without special characters. */
const keyed = /^\/([A-Za-z_]\w*)\((?:(\d{1,15})|'([^'%/?]*)')\)(\?.*)?$/s

/**
 * Splits a request target such as `/Products(7)?$format=json`.
 *
 * @param text path and query below the service root
 * @returns undefined for other paths, including equivalent ones in another form
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
  return { pattern: query === '' ? name : name + query, literal }
}

/** The target that paths such as `Products(1)` and `Products(2)` share: entities with a key of one property. */
export class KeyPathPattern {
  private constructor(
    private readonly set: EntitySet,
    private readonly collection: CollectionSource,
    private readonly property: Property,
  ) {}

  /**
   * @param target target of one path of the pattern
   * @returns undefined if that is not an entity of an entity set
   */
  static of(target: RequestTarget): KeyPathPattern | undefined {
    if (target.kind !== 'Entity' || target.entity.kind !== 'KeyedEntity') return undefined
    const { collection, set } = target.entity
    const [property, ...others] = set.entityType.key
    if (collection.kind !== 'EntitySet' || property === undefined || others.length > 0) return undefined
    return new KeyPathPattern(set, collection, property)
  }

  /** @throws ODataError as when the whole path is read: for a literal that is not a valid key */
  with(literal: LiteralSyntax): RequestTarget {
    const { collection, property, set } = this
    const key = { [property.name]: keyValue(literal, property) }
    return { kind: 'Entity', entity: { kind: 'KeyedEntity', collection, key, set } }
  }
}
