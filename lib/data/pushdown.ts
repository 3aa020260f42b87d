import type { EntitySet, EntityType, NavigationProperty, Property } from '../edm/edm-model.js'
import { canFail } from '../query/can-fail.js'
import type { SeekPosition } from '../query/entity-query.js'
import { keyOrder } from '../query/entity-query.js'
import type { Expression, OrderByTerm, PathStep, SearchQuery } from '../query/expression.js'
import { conjunction, conjunctsOf, forEachPath } from '../query/expression.js'
import type { CountQuery, Pushdown, ReadQuery } from '../provider/provider.js'
import { describeValue } from '../util/describe-value.js'
import { getOrCreate } from '../util/get-or-create.js'
import { hasHiddenNames, originalSet } from '../edm/model-view.js'
import { computedExpression } from '../query/computed-expression.js'
import type { Projection } from '../query/projection.js'

/**
 * Conditions on entities, in two groups. An error in a filter reveals something about the entity on which it was
 * evaluated, so filters are evaluated only on entities that meet all restrictions.
 */
export interface Conditions {
  /** Decide which entities the caller may see. */
  readonly restrictions: readonly Expression[]
  /** Conditions of the client. */
  readonly filters: readonly Expression[]
}

/** Conditions that every entity meets. */
export const unconditional: Conditions = { restrictions: [], filters: [] }

/** The conditions, order and range of the entities to read. */
export interface CollectionQuery extends Conditions {
  /** A total order; empty for any order. */
  readonly orderBy: readonly OrderByTerm[]
  readonly seek: SeekPosition | undefined
  readonly skip: number
  /** The maximum number of rows; infinite when there is no limit. */
  readonly limit: number
  /** True if a next page may follow this one: the provider may then limit the page. */
  readonly mayContinue?: boolean | undefined
  /** True if rows are serialized only, so that the provider may return `ValueRow`s. */
  readonly isPage?: boolean | undefined
}

/** Returns a query for all entities of a set, in the order of their keys. */
export function everything(set: EntitySet): CollectionQuery {
  return {
    ...unconditional,
    orderBy: keyOrder(set.entityType),
    seek: undefined,
    skip: 0,
    limit: Number.POSITIVE_INFINITY,
  }
}

/** Conditions divided between the provider and the service. */
interface SplitConditions {
  /** The conditions that the provider evaluates or narrows, restrictions first, and the search that it evaluates. */
  readonly pushed: Pick<CountQuery, 'filter' | 'search'>
  /** Conditions that the service evaluates. */
  readonly refused: Conditions
}

const noConditions: SplitConditions = { pushed: {}, refused: unconditional }

/** A query divided between the provider and the service. */
export interface SplitQuery {
  /** The part for the provider. */
  readonly pushed: Pick<ReadQuery, 'filter' | 'search' | 'orderBy' | 'seek' | 'skip' | 'top'>
  /** Conditions that the service evaluates. */
  readonly refused: Conditions
  /** True if the provider sorts the rows and seeks to the first one. */
  readonly isOrdered: boolean
  /** True if the provider applies `$skip` and `$top`. */
  readonly isPaged: boolean
}

/**
 * Divides a query between a provider and the service. The parts of a query happen in a fixed order: conditions, then
 * sorting, then the start and the length of the page. A provider gets a part only if it does all the parts before it.
 *
 * @spec MS-ODATA 2.2.3.6.1.2 (order of evaluation)
 */
export function splitQuery(query: CollectionQuery, pushdown: Pushdown = {}): SplitQuery {
  const { pushed, refused } = splitConditions(query, pushdown)
  // If the provider returns hidden rows, it must not evaluate expressions that can fail.
  const canOrder = refused.restrictions.length === 0 || !query.orderBy.some((one) => canFail(one.expression))
  const isOrdered = query.orderBy.length === 0 || (canOrder && pushdown.orderBy?.(query.orderBy) === true)
  const isPaged = isOrdered && isEmpty(refused) && pushdown.paging === true
  return {
    pushed: {
      ...pushed,
      ...(isOrdered && query.orderBy.length > 0 && { orderBy: query.orderBy }),
      ...(isOrdered && query.seek !== undefined && { seek: query.seek }),
      ...(isPaged && query.skip > 0 && { skip: query.skip }),
      ...(isPaged &&
        Number.isFinite(query.limit) && {
          top: pushdown.pageSize === undefined ? query.limit : limitedTop(query, pushdown.pageSize),
        }),
    },
    refused,
    isOrdered,
    isPaged,
  }
}

/** Returns the number of rows to request: a provider with pages of its own reports whether others follow. */
function limitedTop({ limit, mayContinue }: CollectionQuery, pageSize: number): number {
  return mayContinue === true ? Math.min(limit, pageSize) : limit
}

/**
 * Divides conditions between a provider and the service. The conjuncts of `a and b` are offered one by one. A filter
 * whose conjuncts are all accepted is passed on unchanged, so that a provider can look up its compiled form.
 */
export function splitConditions(
  { restrictions, filters }: Conditions,
  pushdown: Pushdown = {},
): SplitConditions {
  if (restrictions.length === 0 && filters.length === 0) return noConditions
  const own = split(restrictions, (one) => acceptance(pushdown, one, true))
  // The provider would evaluate the filters on hidden entities.
  const isHidden = own.refused.length > 0
  const { search, others } = splitSearch(filters, pushdown)
  const client = split(others, (one) => !(isHidden && canFail(one)) && acceptance(pushdown, one, false))
  const filter = conjunction([...own.accepted, ...client.accepted])
  return {
    pushed: { ...(filter && { filter }), ...(search && { search }) },
    refused: { restrictions: own.refused, filters: client.refused },
  }
}

/** Separates the search from other filters, if the provider evaluates it. */
function splitSearch(
  filters: readonly Expression[],
  pushdown: Pushdown,
): { readonly search?: SearchQuery; readonly others: readonly Expression[] } {
  if (typeof pushdown.search !== 'function') return { others: filters }
  const conjuncts = filters.flatMap(conjunctsAroundSearch)
  const search = conjuncts.find((one) => one.search !== undefined)?.search
  if (search === undefined || !isForProvider(search)) return { others: filters }
  const accepted: unknown = pushdown.search(search)
  if (typeof accepted !== 'boolean')
    throw new TypeError(
      `pushdown.search of a provider must return true or false, not ${describeValue(accepted)}.`,
    )
  return accepted ? { search, others: conjuncts.filter((one) => one.search !== search) } : { others: filters }
}

/** Splits a filter like `conjunctsOf`, but not within the search. */
function conjunctsAroundSearch(filter: Expression): Expression[] {
  const conjuncts: Expression[] = []
  const pending = [filter]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.search === undefined && next.kind === 'Binary' && next.operator === 'and')
      pending.push(next.right, next.left)
    else conjuncts.push(next)
  }
  return conjuncts
}

/** Returns false for searches of values that providers do not have, or of entities that the caller may not see. */
function isForProvider({ properties }: SearchQuery): boolean {
  const isRestricted = (step: PathStep): boolean =>
    step.kind === 'Navigation' && step.restriction !== undefined
  return (
    properties.length > 0 &&
    !properties.some(({ property, steps }) => property.computed !== undefined || steps.some(isRestricted))
  )
}

/** Offers a condition to the provider. Results that the contract does not define are a refusal. */
function acceptance(pushdown: Pushdown, condition: Expression, isRestriction: boolean): boolean | 'narrow' {
  const accepted = pushdown.filter?.(condition, isRestriction)
  return accepted === 'narrow' ? accepted : accepted === true
}

/** Divides filters. Conjuncts that the provider narrows are in both parts. */
function split(
  filters: readonly Expression[],
  accepts: (conjunct: Expression) => boolean | 'narrow',
): { readonly accepted: readonly Expression[]; readonly refused: readonly Expression[] } {
  const accepted: Expression[] = []
  const refused: Expression[] = []
  if (filters.length === 0) return { accepted: filters, refused: filters }
  for (const filter of filters) {
    const conjuncts = conjunctsOf(filter)
    const left: Expression[] = []
    const taken: Expression[] = []
    for (const one of conjuncts) {
      const isAccepted = accepts(one)
      if (isAccepted !== false) taken.push(one)
      if (isAccepted !== true) left.push(one)
    }
    if (taken.length === conjuncts.length) accepted.push(filter)
    else accepted.push(...taken)
    if (left.length === conjuncts.length) refused.push(filter)
    else refused.push(...left)
  }
  return { accepted, refused }
}

/** Returns the conditions of a collection and of a query. */
export function mergeConditions(collection: Conditions, { restrictions, filters }: Conditions): Conditions {
  return {
    restrictions: [...collection.restrictions, ...restrictions],
    filters: [...collection.filters, ...filters],
  }
}

export function isEmpty({ restrictions, filters }: Conditions): boolean {
  return restrictions.length === 0 && filters.length === 0
}

/** Returns the push-down of a provider without conditions and orders that call functions of the application. */
export function withoutScans(pushdown: Pushdown): Pushdown {
  const { search } = pushdown
  return {
    ...pushdown,
    ...(search === undefined
      ? {}
      : { search: typeof search === 'function' ? search.bind(pushdown) : search }),
    filter: (one, isRestriction) => !isScan(one) && (pushdown.filter?.(one, isRestriction) ?? false),
    orderBy: (terms) =>
      !terms.some(({ expression }) => isScan(expression)) && pushdown.orderBy?.(terms) === true,
    navigation: (navigation) => pushdown.navigation?.(navigation) === true,
    expand: (branch) => pushdown.expand?.(branch) === true,
  }
}

/** Returns true if evaluating an expression calls a function of the application. */
export function isScan(expression: Expression): boolean {
  let isFound = false
  forEachPath(expression, (path) => {
    isFound ||= path.kind === 'PropertyPath' && path.property.computed !== undefined
  })
  return isFound
}

/**
 * Returns the properties that rows must have for the response and its evaluation; undefined for all. Providers can omit
 * the others.
 *
 * @param conditions conditions that the service evaluates on the rows
 * @param orderBy the order, whose values are part of the position of a row
 */
export function neededProperties(
  projection: Projection,
  { restrictions, filters }: Conditions,
  orderBy: readonly OrderByTerm[] = [],
): ReadonlySet<string> | undefined {
  // A view of the model lacks properties that rows have.
  if (projection.selected === undefined && !hasHiddenNames(projection.entityType)) return undefined
  const needs = getOrCreate(projectionNeeds, projection, () => needsOf(projection))
  const { needed, computed } = needs
  const [restriction] = restrictions
  if (filters.length === 0 && computed.length === 0) {
    if (restriction === undefined && orderBy.length > 0)
      return getOrCreate(needs.inOrder, orderBy, () => withPaths(new Set(needed), orderBy.map(expressionOf)))
    if (restriction !== undefined && restrictions.length === 1 && orderBy.length === 0)
      return getOrCreate(needs.restricted, restriction, () => withPaths(new Set(needed), restrictions))
  }
  const expressions = [...restrictions, ...filters, ...orderBy.map(expressionOf), ...computed]
  return expressions.length === 0 ? needed : withPaths(new Set(needed), expressions)
}

function expressionOf({ expression }: OrderByTerm): Expression {
  return expression
}

/** The properties that a projection needs, and the expressions of its computed properties. */
interface ProjectionNeeds {
  readonly needed: ReadonlySet<string>
  readonly computed: readonly Expression[]
  /** The properties that the projection and an order need. */
  readonly inOrder: WeakMap<readonly OrderByTerm[], ReadonlySet<string> | undefined>
  /** The properties that the projection and a restriction need: `authorize` usually returns the same filter. */
  readonly restricted: WeakMap<Expression, ReadonlySet<string> | undefined>
}

/** Projections are cached with the plans of requests. */
const projectionNeeds = new WeakMap<Projection, ProjectionNeeds>()

function needsOf(projection: Projection): ProjectionNeeds {
  const { entityType, expansions } = projection
  const needed = new Set(projection.selected ?? namesOf(entityType))
  for (const type of [entityType, ...entityType.derivedTypes]) {
    for (const { name } of [...type.key, ...type.concurrencyTokens]) needed.add(name)
    for (const [name = ''] of type.feedMappings.map(({ sourcePath }) => sourcePath)) needed.add(name)
  }
  for (const { navigation } of expansions) addJoin(navigation, needed)
  const computed = replaceComputed(projection, needed)
  return { needed, computed, inOrder: new WeakMap(), restricted: new WeakMap() }
}

/**
 * Adds the properties that expressions need.
 *
 * @returns undefined when that may be all of them
 */
export function withPaths(
  names: Set<string>,
  expressions: readonly Expression[],
): ReadonlySet<string> | undefined {
  return expressions.every((expression) => addPaths(expression, names)) ? names : undefined
}

/** Replaces computed properties by the properties that they need, and returns their expressions. */
function replaceComputed({ set, entityType }: Projection, needed: Set<string>): Expression[] {
  const expressions: Expression[] = []
  for (const property of entityType.computedProperties) {
    if (needed.delete(property.name)) addComputed(property, set, needed, expressions)
  }
  return expressions
}

function addComputed(
  property: Property,
  set: EntitySet,
  needed: Set<string>,
  expressions: Expression[],
): void {
  const expression = computedExpression(set, property)
  if (expression !== undefined) expressions.push(expression)
  for (const name of property.computed?.needs ?? []) {
    const other = originalSet(set).entityType.computedProperties.find((one) => one.name === name)
    if (other === undefined) needed.add(name)
    else addComputed(other, set, needed, expressions)
  }
}

/** Returns the names of all properties of a type and its derived types. */
function namesOf(type: EntityType): Iterable<string> {
  return [type, ...type.derivedTypes].flatMap(({ properties }) => properties.map(({ name }) => name))
}

/** Returns the properties on this side of a navigation property by which it is followed. */
function addJoin(navigation: NavigationProperty, needed: Set<string>): void {
  needed.add(navigation.name)
  const constraint = navigation.association.referentialConstraint
  if (constraint === undefined) return
  const own =
    navigation.fromEnd === constraint.dependent
      ? constraint.dependentProperties
      : constraint.principalProperties
  for (const { name } of own) needed.add(name)
}

/** Returns false when the paths lead into derived types: then any property may be needed. */
function addPaths(expression: Expression, needed: Set<string>): boolean {
  let known = true
  forEachPath(expression, (path) => {
    const [first] = path.steps
    if (first?.kind === 'Complex') needed.add(first.property.name)
    else if (first?.kind === 'Navigation') addJoin(first.navigation, needed)
    else if (first?.kind === 'TypeCast') known = false
    else if (path.kind === 'PropertyPath') {
      const { computed, name } = path.property
      for (const one of computed?.needs ?? [name]) needed.add(one)
    }
  })
  return known
}
