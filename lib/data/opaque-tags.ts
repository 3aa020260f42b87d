import type { Row } from '../evaluation/row.js'
import { isPending } from '../provider/lazy-entity-sets.js'
import type { Provider } from '../provider/provider.js'
import type { AnyEntitySetProvider } from './can-write.js'

/** Returns the ETag of a row; undefined if it has none. */
type TagOfRow = (row: Row) => string | undefined

/** The entity sets whose provider returns ETags, by path. */
export type OpaqueTags = ReadonlyMap<string, TagOfRow>

/** Returns the sets of a provider whose ETags do not follow from the model; undefined without such sets. */
export function opaqueTagsOf({ entitySets }: Pick<Provider, 'entitySets'>): OpaqueTags | undefined {
  const sets = entitySets as Readonly<Record<string, AnyEntitySetProvider | undefined>>
  const tags = new Map<string, TagOfRow>()
  for (const path of Object.keys(sets)) {
    const set = isPending(sets, path) ? undefined : sets[path]
    if (set?.etag !== undefined) tags.set(path, (row) => checkedTag(path, set.etag?.(row)))
  }
  return tags.size === 0 ? undefined : tags
}

/** Returns the paths of the sets whose provider decides whether changes need `If-Match`. */
export function setsWithOptionalIfMatch({ entitySets }: Pick<Provider, 'entitySets'>): ReadonlySet<string> {
  const sets = entitySets as Readonly<Record<string, AnyEntitySetProvider | undefined>>
  return new Set(
    Object.keys(sets).filter((path) => !isPending(sets, path) && sets[path]?.requiresIfMatch === false),
  )
}

const opaqueTag = /^(?:W\/)?"[\x20\x21\x23-\x7e\x80-\xff]*"$/

/**
 * Validates an ETag of a provider.
 *
 * @param set the path of the entity set
 * @throws TypeError for a value that is not an ETag
 * @spec RFC 9110 8.8.3 (ETag)
 */
export function checkedTag(set: string, tag: unknown): string | undefined {
  if (tag === undefined || tag === null) return undefined
  if (typeof tag === 'string' && opaqueTag.test(tag)) return tag
  throw new TypeError(
    `The provider of '${set}' must return an ETag with its quotes, such as W/"3", not ${JSON.stringify(tag)}.`,
  )
}
