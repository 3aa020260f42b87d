import { hasAggregateSemantics } from '../analytical-set.js'
import { noAnnotations } from '../annotations.js'
import type { EntityType, Property, Schema } from '../edm-model.js'
import type { Draft } from './annotated.js'

/**
 * The version of entities that no property shows. It is in the rows of the provider only. Times differ between starts of
 * a service, so that clients do not change entities that they read from an earlier one.
 */
const generatedToken: Property = {
  kind: 'Property',
  name: '$version',
  type: 'Edm.DateTime',
  nullable: false,
  isKey: false,
  concurrencyMode: 'Fixed',
  computedDefaultValue: true,
  annotations: noAnnotations,
  feedMappings: [],
}

/** Adds a generated concurrency token to entity types without one, except those of groups, which are read-only. */
export function addGeneratedEtags(types: Iterable<Draft<EntityType>>, schemas: readonly Schema[]): void {
  const sets = schemas.flatMap(({ entityContainers }) => entityContainers).flatMap((one) => one.entitySets)
  const groups = new Set(sets.filter(hasAggregateSemantics).map(({ entityType }) => entityType))
  for (const type of types) {
    const isGroup = groups.has(type) || hasAggregateSemantics(type)
    if (type.concurrencyTokens.length === 0 && !isGroup) type.concurrencyTokens = [generatedToken]
  }
}
