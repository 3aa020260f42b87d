import type { EntitySet } from '../edm/edm-model.js'
import type { SapRestrictions, SetRestrictions } from '../edm/sap-annotations.js'
import { isSearchable } from '../edm/sap-annotations.js'
import type { ODataErrorCode } from '../errors/error-codes.js'
import { ODataError } from '../errors/odata-error.js'
import type { QueryOptions } from '../uri/parse-query-options.js'
import type { EntityQuery } from './entity-query.js'
import type { Expression, OrderByTerm } from './expression.js'
import { forEachPath } from './expression.js'
import type { CollectionSource, RequestTarget } from './request-target.js'
import { isCollection } from './request-target.js'
import { filterRestrictionFault } from './sap-filter-restrictions.js'
import { textOfPath } from './text-of-path.js'

/**
 * Refuses what a client asks for and the model's annotations rule out. Filters of the application are no concern of
 * it: they are never part of the query.
 *
 * @throws ODataError QueryOptionNotAllowed or BadRequest, naming the set, property or option
 * @spec SAP annotations for OData version 2.0: EntitySet, Property, NavigationProperty
 */
export function checkSapQuery(
  options: QueryOptions,
  query: EntityQuery,
  target: RequestTarget,
  sap: SapRestrictions,
): void {
  const collection = collectionOf(target)
  const { filter } = query
  // What a function returns is no query of the set, and its parameters may have any name.
  if (collection !== undefined && collection.kind !== 'ReturnedEntities') {
    const restrictions = sap.sets.get(collection.set)
    if (restrictions !== undefined) {
      checkCollection(collection.set, restrictions, options, isCount(target), query.inlineCount)
      if (collection.kind === 'EntitySet') checkWholeSet(collection.set, restrictions, filter)
    }
  }
  if (filter !== undefined) checkFilter(filter, sap)
  checkOrder(query.orderBy, sap)
}

/**
 * Rejects the option `search` on a set with `sap:searchable="true"` whose provider ignores it: the client would receive
 * the whole set as the search result.
 *
 * @throws ODataError QueryOptionNotAllowed
 */
export function checkSearch(
  { custom }: QueryOptions,
  target: RequestTarget,
  canSearch: (set: EntitySet) => boolean,
): void {
  const collection = collectionOf(target)
  if (collection === undefined || collection.kind === 'ReturnedEntities') return
  const { set } = collection
  if (!custom.some(([name, value]) => name === 'search' && value.trim() !== '')) return
  if (!isSearchable(set) || canSearch(set)) return
  throw refused(`search is not supported on '${set.path}': use $filter, for example substringof('text',Name)`)
}

function collectionOf(target: RequestTarget): CollectionSource | undefined {
  switch (target.kind) {
    case 'EntitySet':
      return target.collection
    case 'EntityCount':
      return isCollection(target.of) ? target.of : undefined
    case 'Links':
      return isCollection(target.linked) ? target.linked : undefined
    default:
      return undefined
  }
}

function isCount(target: RequestTarget): boolean {
  return target.kind === 'EntityCount' || (target.kind === 'Links' && target.count)
}

/** What holds for a collection, however it is reached. */
function checkCollection(
  { path }: EntitySet,
  { notPageable, notTopable, notCountable, notSearchable }: SetRestrictions,
  { system, custom }: QueryOptions,
  count: boolean,
  inlineCount: boolean,
): void {
  const refuse = (option: string, annotation: string): never => {
    throw refused(`${option} cannot be used on '${path}' (sap:${annotation}="false")`)
  }
  if (notPageable && system.has('$top')) refuse('$top', 'pageable')
  if (notPageable && system.has('$skip')) refuse('$skip', 'pageable')
  if (notTopable && system.has('$top')) refuse('$top', 'topable')
  if (notCountable && count) refuse('$count', 'countable')
  if (notCountable && inlineCount) refuse('$inlinecount', 'countable')
  if (notSearchable && custom.some(([name]) => name === 'search')) refuse('search', 'searchable')
}

/** What holds for a set as a whole: over a navigation property an entity already narrows it down. */
function checkWholeSet(
  { path }: EntitySet,
  { notAddressable, requiresFilter, requiredInFilter }: SetRestrictions,
  filter: Expression | undefined,
): void {
  if (notAddressable) {
    throw refused(
      `'${path}' cannot be read as a whole (sap:addressable="false"): give a key, or use a navigation property`,
      'BadRequest',
    )
  }
  if (requiresFilter && filter === undefined) {
    throw refused(`'${path}' cannot be read without $filter (sap:requires-filter="true")`, 'BadRequest')
  }
  if (requiredInFilter.length === 0) return
  const named = new Set<string>()
  if (filter !== undefined) forEachPath(filter, (one) => named.add(textOfPath(one)))
  const missing = requiredInFilter.find((one) => !named.has(one))
  if (missing === undefined) return
  throw refused(
    `'${path}' cannot be read unless $filter names '${missing}' (sap:required-in-filter="true")`,
    'BadRequest',
  )
}

function checkFilter(filter: Expression, { properties, navigations, ...others }: SapRestrictions): void {
  forEachPath(filter, (path) => {
    const members = path.kind === 'PropertyPath' ? [path.property] : []
    for (const step of path.steps) {
      if (step.kind === 'Complex') members.push(step.property)
      if (step.kind !== 'Navigation' || navigations.get(step.navigation)?.notFilterable !== true) continue
      throw refused(`$filter cannot follow '${step.navigation.name}' (sap:filterable="false")`)
    }
    if (members.some((one) => properties.get(one)?.notFilterable === true)) {
      throw refused(`$filter cannot use '${textOfPath(path)}' (sap:filterable="false")`)
    }
  })
  const fault = filterRestrictionFault(filter, { properties, navigations, ...others })
  if (fault !== undefined) throw refused(`$filter: ${fault}`)
}

function checkOrder(orderBy: readonly OrderByTerm[], { properties }: SapRestrictions): void {
  for (const { expression } of orderBy) {
    forEachPath(expression, (path) => {
      const members = path.kind === 'PropertyPath' ? [path.property] : []
      for (const step of path.steps) if (step.kind === 'Complex') members.push(step.property)
      if (members.some((one) => properties.get(one)?.notSortable === true)) {
        throw refused(`$orderby cannot use '${textOfPath(path)}' (sap:sortable="false")`)
      }
    })
  }
}

function refused(message: string, code: ODataErrorCode = 'QueryOptionNotAllowed'): ODataError {
  return new ODataError(code, { message: `${message}.` })
}
