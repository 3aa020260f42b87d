import type { AnalyticalSet } from '../edm/analytical-set.js'
import type { EdmModel, EntitySet } from '../edm/edm-model.js'
import type { QueryOptions } from '../uri/parse-query-options.js'
import { searchCondition } from './bind-search.js'
import type { EntityQuery } from './entity-query.js'
import { conjunction } from './expression.js'
import { foldCase } from './fold-case.js'
import type { RequestTarget } from './request-target.js'
import { isCollection } from './request-target.js'
import type { Matching, MatchingSettings } from './search-settings.js'

/** Returns true if the provider of a set evaluates `search` itself; undefined if it does not tell. */
export type ProviderSearches = (set: EntitySet) => boolean | undefined

/**
 * Returns a query whose filter ignores case, where the service does, and contains the condition of the query option
 * `search`.
 *
 * @param model the model of the target, which may lack properties that are hidden from the caller
 * @param analytical the analytical set of the target
 * @throws ODataError BadRequest or LimitExceeded for an invalid `search`
 */
export function matchQuery(
  query: EntityQuery,
  options: QueryOptions,
  target: RequestTarget,
  model: EdmModel,
  matching: Matching,
  providerSearches: ProviderSearches,
  analytical?: AnalyticalSet,
): EntityQuery {
  const { caseInsensitive, search } = matching
  const filter =
    query.filter === undefined || caseInsensitive === false
      ? query.filter
      : foldCase(query.filter, caseInsensitive)
  const set = search.size === 0 ? undefined : searchedSet(target)
  const condition =
    set !== undefined && searchesService(set, matching, providerSearches)
      ? searchCondition(options, set, model, matching, analytical)
      : undefined
  if (condition === undefined && filter === query.filter) return query
  return { ...query, filter: conjunction([filter, condition].filter((one) => one !== undefined)) }
}

/** Returns true if the service searches a set, and not its provider. */
export function searchesService(
  set: EntitySet,
  { search }: MatchingSettings,
  providerSearches: ProviderSearches,
): boolean {
  const setSearch = search.get(set.path)
  if (setSearch === undefined) return false
  return setSearch.paths === undefined ? providerSearches(set) === false : providerSearches(set) !== true
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
