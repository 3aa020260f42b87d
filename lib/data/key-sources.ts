import type { CollectionSource, EntitySource } from '../query/request-target.js'
import type { KeyRead } from './key-reads.js'
import type { AuthorizedQuery } from './permissions.js'
import type { ProviderCalls } from './provider-calls.js'
import { neededProperties } from './pushdown.js'
import type { Navigation } from './related-reader.js'
import type { Restrictions } from './restrictions.js'

/** An entity that is addressed by the key of an entity set. */
type KeyOfSet = EntitySource & { readonly kind: 'KeyedEntity' }

function isKeyOfSet(source: CollectionSource | EntitySource): source is KeyOfSet {
  return source.kind === 'KeyedEntity' && source.collection.kind === 'EntitySet'
}

/** Returns true if the provider needs only the key of the source, and reports when it does not exist. */
export function isSourceUnread(
  calls: ProviderCalls,
  source: EntitySource,
  { navigation, target }: Navigation,
  restrictions: Restrictions,
): source is KeyOfSet {
  if (!isKeyOfSet(source)) return false
  const pushdown = calls.pushdown(target)
  if (pushdown?.sourceKeys !== true || restrictions.of(source).length > 0) return false
  return pushdown.navigation?.(navigation) === true
}

/**
 * Adds the read of the entity that a request addresses, or navigates from, to the calls that requests of a batch share.
 *
 * @param isCount true for a request that only counts the entities
 * @returns undefined if the request does not need the entity by its key
 */
export function shareRead(
  calls: ProviderCalls,
  source: CollectionSource | EntitySource,
  { conditions, query: { projection }, restrictions }: AuthorizedQuery,
  isCount: boolean,
): KeyRead | undefined {
  // The provider may read expansions together with each entity.
  if (projection.expansions.length > 0 && calls.pushdown(source.set)?.expand !== undefined) return undefined
  if (isKeyOfSet(source)) {
    const properties = neededProperties(projection, conditions)
    return isCount ? undefined : calls.shareReadByKey(source, properties && { properties }, true)
  }
  if (source.kind !== 'RelatedEntities' && source.kind !== 'RelatedEntity') return undefined
  const { navigation, set: target, source: from } = source
  const over = { navigation, source: from.set, target }
  const isUnread = !isCount && isSourceUnread(calls, from, over, restrictions)
  return isKeyOfSet(from) && !isUnread ? calls.shareReadByKey(from, undefined, false) : undefined
}
