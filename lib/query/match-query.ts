import type { EdmModel, EntitySet } from '../edm/edm-model.js'
import type { QueryOptions } from '../uri/parse-query-options.js'
import { bindSearch } from './bind-search.js'
import type { EntityQuery } from './entity-query.js'
import { conjunction } from './expression.js'
import { foldCase } from './fold-case.js'
import type { RequestTarget } from './request-target.js'
import { isCollection } from './request-target.js'
import type { MatchingSettings, SearchLimits, SetSearch } from './search-settings.js'
import { searchedProperties } from './search-settings.js'

/**
 * Returns a query whose filter ignores case, where the service does, and contains the condition of the query option
 * `search`.
 *
 * @param model the model of the target, which may lack properties that are hidden from the caller
 * @param providerSearches whether the provider of a set evaluates `search` itself; undefined if it does not tell
 * @throws ODataError BadRequest or LimitExceeded for an invalid `search`
 */
export function matchQuery(
  query: EntityQuery,
  options: QueryOptions,
  target: RequestTarget,
  model: EdmModel,
  { caseInsensitive, search, limits }: MatchingSettings & { readonly limits: SearchLimits },
  providerSearches: (set: EntitySet) => boolean | undefined,
): EntityQuery {
  const filter =
    query.filter === undefined || caseInsensitive === false
      ? query.filter
      : foldCase(query.filter, caseInsensitive)
  const set = search.size === 0 ? undefined : searchedSet(target)
  const setSearch = set && search.get(set.path)
  const condition =
    set !== undefined && setSearch !== undefined && searchesService(setSearch, providerSearches(set))
      ? bindSearch(options, set, searchedProperties(setSearch, set, model), limits)
      : undefined
  if (condition === undefined && filter === query.filter) return query
  return { ...query, filter: conjunction([filter, condition].filter((one) => one !== undefined)) }
}

/** Returns true if the service, not the provider, searches an entity set. */
function searchesService({ paths }: SetSearch, providerSearches: boolean | undefined): boolean {
  return paths === undefined ? providerSearches === false : providerSearches !== true
}

/** Returns the set of a collection that `search` restricts; undefined if it has no effect on the target. */
function searchedSet(target: RequestTarget): EntitySet | undefined {
  const collection =
    target.kind === 'EntitySet'
      ? target.collection
      : target.kind === 'EntityCount' && isCollection(target.of)
        ? target.of
        : undefined
  if (collection?.kind !== 'ReturnedEntities') return collection?.set
  const { parameters } = collection.call.functionImport
  return parameters.some(({ name }) => name === 'search') ? undefined : collection.set
}
