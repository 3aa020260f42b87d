import { createHash } from 'node:crypto'
import type { CollectionSource, EntitySource } from './request-target.js'

/** Returns a digest of the navigation that leads to a collection; an empty string for an entity set. */
export function pathDigest(collection: CollectionSource): string {
  if (collection.kind !== 'RelatedEntities') return ''
  return createHash('sha256')
    .update(JSON.stringify(stepsOf(collection), plainValue))
    .digest('base64url')
}

/** Returns sets, navigation properties and keys from the end of a path to its start. */
function stepsOf(source: CollectionSource | EntitySource): readonly unknown[] {
  switch (source.kind) {
    case 'EntitySet':
      return [source.set.path]
    case 'KeyedEntity':
      return [source.key, ...stepsOf(source.collection)]
    case 'RelatedEntities':
    case 'RelatedEntity':
      return [source.navigation.name, ...stepsOf(source.source)]
    case 'ReturnedEntities':
    case 'ReturnedEntity':
      return [source.call.parameters, source.call.functionImport.path]
  }
}

function plainValue(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
