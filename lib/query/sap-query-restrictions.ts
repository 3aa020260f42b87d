import type { EntitySet } from '../edm/edm-model.js'
import type { SapRestrictions, SetRestrictions, FilterRestriction } from '../edm/sap-annotations.js'
import type { ODataErrorCode } from '../errors/error-codes.js'
import { ODataError } from '../errors/odata-error.js'
import type { QueryOptions } from '../uri/parse-query-options.js'
import type { EntityQuery } from './entity-query.js'
import type { Expression, OrderByTerm, Binary, PropertyPath } from './expression.js'
import { forEachNamedPath, textOfPath } from './expression.js'
import type { CollectionSource, RequestTarget } from './request-target.js'
import { isCollection } from './request-target.js'

/**
 * Rejects queries that SAP annotations of the model forbid. Filters of the application are not part of the query, so
 * they are not checked.
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
  // The result of a function is not a query of the set, and its parameters may have any name.
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

/** Checks the restrictions of a collection, over any path. */
function checkCollection(
  { path }: EntitySet,
  { notTopable, notCountable, notSearchable }: SetRestrictions,
  { system, custom }: QueryOptions,
  count: boolean,
  inlineCount: boolean,
): void {
  const refuse = (option: string, annotation: string): never => {
    throw refused(`${option} cannot be used on '${path}' (sap:${annotation}="false")`)
  }
  if (notTopable && system.has('$top')) refuse('$top', 'topable')
  if (notCountable && count) refuse('$count', 'countable')
  if (notCountable && inlineCount) refuse('$inlinecount', 'countable')
  if (notSearchable && custom.some(([name]) => name === 'search')) refuse('search', 'searchable')
}

/**
 * Checks the restrictions of an entity set that is addressed directly. They do not apply to navigation properties,
 * which already select a part of it.
 */
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
  if (filter !== undefined) forEachNamedPath(filter, (one) => named.add(textOfPath(one)))
  const missing = requiredInFilter.find((one) => !named.has(one))
  if (missing === undefined) return
  throw refused(
    `'${path}' cannot be read unless $filter names '${missing}' (sap:required-in-filter="true")`,
    'BadRequest',
  )
}

function checkFilter(filter: Expression, { properties, navigations, ...others }: SapRestrictions): void {
  forEachNamedPath(filter, (path) => {
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
  const violation = filterRestrictionViolation(filter, { properties, navigations, ...others })
  if (violation !== undefined) throw refused(`$filter: ${violation}`)
}

function checkOrder(orderBy: readonly OrderByTerm[], { properties }: SapRestrictions): void {
  for (const { expression } of orderBy) {
    forEachNamedPath(expression, (path) => {
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

/** The uses of a property with `sap:filter-restriction` in a filter. */
interface PropertyUse {
  readonly restriction: FilterRestriction
  /** The number of comparisons of each kind; `other` counts all other conditions. */
  readonly counts: Readonly<Record<Comparison, number>>
  /** True if `and` joins two comparisons of the property. */
  readonly byAnd: boolean
  readonly byOr: boolean
}

type Comparison = 'eq' | 'ge' | 'le' | 'other'

/** The uses of properties, by path. */
type Uses = Map<string, PropertyUse>

/** The form of a filter that an error message recommends. */
const wanted: Readonly<Record<FilterRestriction, string>> = {
  'single-value': `a single 'eq' with a value`,
  'multi-value': `comparisons by 'eq' with values, joined by 'or'`,
  interval: `a single 'eq' with a value, or at most one 'ge' and one 'le', joined by 'and'`,
}

/**
 * Finds the first property whose use in a filter violates its `sap:filter-restriction`.
 *
 * @returns what is wrong, or undefined
 */
export function filterRestrictionViolation(filter: Expression, sap: SapRestrictions): string | undefined {
  for (const [path, use] of usesIn(filter, sap)) {
    if (isWithin(use)) continue
    const { restriction } = use
    return `'${path}' can only be used in ${wanted[restriction]} (sap:filter-restriction="${restriction}")`
  }
  return undefined
}

function isWithin({ restriction, counts, byAnd, byOr }: PropertyUse): boolean {
  const { eq, ge, le, other } = counts
  if (other > 0) return false
  const onlyEq = ge + le === 0
  switch (restriction) {
    case 'single-value':
      return onlyEq && eq === 1
    case 'multi-value':
      return onlyEq && !byAnd
    case 'interval':
      return eq === 0 ? ge <= 1 && le <= 1 && !byOr : onlyEq && eq === 1
  }
}

function usesIn(expression: Expression, sap: SapRestrictions): Uses {
  if (expression.kind === 'Binary' && (expression.operator === 'and' || expression.operator === 'or')) {
    return joined(usesIn(expression.left, sap), usesIn(expression.right, sap), expression.operator)
  }
  const clause = expression.kind === 'Binary' ? clauseOf(expression) : undefined
  if (clause !== undefined) return useOf(clause.path, clause.comparison, sap)
  let uses: Uses = new Map()
  forEachNamedPath(expression, (path) => {
    if (path.kind === 'PropertyPath') uses = joined(uses, useOf(path, 'other', sap), 'and')
  })
  return uses
}

const comparisons: Readonly<Partial<Record<Binary['operator'], readonly [Comparison, Comparison]>>> = {
  eq: ['eq', 'eq'],
  ge: ['ge', 'le'],
  le: ['le', 'ge'],
}

/** Returns the comparison of a property with a value, which can be on either side. */
function clauseOf({
  operator,
  left,
  right,
}: Binary): { readonly path: PropertyPath; readonly comparison: Comparison } | undefined {
  const [straight, turned] = comparisons[operator] ?? []
  if (straight === undefined || turned === undefined) return undefined
  if (left.kind === 'PropertyPath' && left.origin === undefined && isValue(right))
    return { path: left, comparison: straight }
  if (right.kind === 'PropertyPath' && right.origin === undefined && isValue(left))
    return { path: right, comparison: turned }
  return undefined
}

function isValue(expression: Expression): boolean {
  let hasPath = false
  forEachNamedPath(expression, () => (hasPath = true))
  return !hasPath
}

function useOf(path: PropertyPath, comparison: Comparison, { properties }: SapRestrictions): Uses {
  const restriction = properties.get(path.property)?.filterRestriction
  if (restriction === undefined) return new Map()
  const counts = { eq: 0, ge: 0, le: 0, other: 0, [comparison]: 1 }
  return new Map([[textOfPath(path), { restriction, counts, byAnd: false, byOr: false }]])
}

function joined(one: Uses, other: Uses, operator: 'and' | 'or'): Uses {
  const [into, from] = one.size < other.size ? [other, one] : [one, other]
  for (const [path, use] of from) {
    const before = into.get(path)
    into.set(path, before === undefined ? use : both(before, use, operator))
  }
  return into
}

function both(a: PropertyUse, b: PropertyUse, operator: 'and' | 'or'): PropertyUse {
  return {
    restriction: a.restriction,
    counts: {
      eq: a.counts.eq + b.counts.eq,
      ge: a.counts.ge + b.counts.ge,
      le: a.counts.le + b.counts.le,
      other: a.counts.other + b.counts.other,
    },
    byAnd: a.byAnd || b.byAnd || operator === 'and',
    byOr: a.byOr || b.byOr || operator === 'or',
  }
}
