import type { AuthorizedQuery } from './permissions.js'
import type { Expression } from '../query/expression.js'
import type { Projection } from '../query/projection.js'
import type { CollectionSource, EntitySource } from '../query/request-target.js'
import { navigationSteps } from './restrict-navigation.js'

/** Names of all entity sets that reading a query touches: those of its path, expansions, filters and restrictions. */
export function touchedSets(
  source: CollectionSource | EntitySource,
  { conditions, counting = [], orderBy, query, restrictions }: AuthorizedQuery,
): readonly string[] {
  const names = new Set<string>()
  addPath(source, names)
  addExpansions(query.projection, names)
  for (const { expression } of orderBy) addSteps(expression, names)
  for (const expressions of [conditions.restrictions, conditions.filters, counting, ...restrictions.all]) {
    for (const expression of expressions) addSteps(expression, names)
  }
  return [...names]
}

function addPath(source: CollectionSource | EntitySource, names: Set<string>): void {
  names.add(source.set.path)
  if (source.kind === 'KeyedEntity') addPath(source.collection, names)
  else if (source.kind === 'RelatedEntities' || source.kind === 'RelatedEntity') addPath(source.source, names)
}

function addExpansions({ expansions }: Projection, names: Set<string>): void {
  for (const { projection } of expansions) {
    names.add(projection.set.path)
    addExpansions(projection, names)
  }
}

function addSteps(expression: Expression, names: Set<string>): void {
  for (const { restriction, target } of navigationSteps(expression)) {
    names.add(target.path)
    if (restriction !== undefined) addSteps(restriction, names)
  }
}
