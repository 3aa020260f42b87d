import type { AnalyticalSet, Measure } from '../edm/analytical-set.js'
import type { Property } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { ODataError } from '../errors/odata-error.js'
import type { GroupRequest, WriteGroupId } from './group-id.js'
import { groupIdWriter } from './group-id.js'
import type { Expression, OrderByTerm, PropertyPath } from './expression.js'
import type { GroupSource } from './group-source.js'
import type { Projection } from './projection.js'

/** The grouping of an analytical entity set in a request. */
export interface Grouping {
  readonly analytical: AnalyticalSet
  /** Properties that rows are grouped by, in the order of `$select`. */
  readonly groupBy: readonly Property[]
  /** The measures that are selected or that groups are sorted by. */
  readonly measures: readonly Measure[]
  /** A total order of groups. */
  readonly orderBy: readonly OrderByTerm[]
  readonly writeId: WriteGroupId
  /** The rows that are grouped; undefined for those of the set itself. */
  readonly source: GroupSource | undefined
}

/** The names that a request on an analytical set selects. */
interface GroupSelection {
  readonly groupBy: readonly Property[]
  readonly measures: readonly Measure[]
  readonly projection: Projection
}

/**
 * Divides the selected properties into those that group and those that are aggregated.
 *
 * @param projection what `$select` selects; everything or the key alone selects all properties
 * @param within properties that a group has; undefined for all
 */
export function selectGroups(
  analytical: AnalyticalSet,
  projection: Projection,
  within?: readonly Property[],
): GroupSelection {
  const { grouping, id, measures, totaled } = analytical
  const known = [
    ...grouping,
    ...(totaled ? [totaled] : []),
    ...[...measures.values()].map((one) => one.property),
  ]
  const named = [...(projection.selected ?? [])].flatMap(
    (name) => known.find((one) => one.name === name) ?? [],
  )
  const properties = (named.length > 0 ? named : known).filter(
    (one) => within === undefined || !grouping.includes(one) || within.includes(one),
  )
  return {
    groupBy: within ?? properties.filter((one) => grouping.includes(one)),
    measures: properties.flatMap(({ name }) => measures.get(name) ?? []),
    projection: projectionOf(projection, [id, ...properties]),
  }
}

/** Caches derived projections, so that writers are compiled once. */
const projections = new WeakMap<Projection, Map<string, Projection>>()
const MAX_DERIVED_PROJECTIONS = 100

function projectionOf(projection: Projection, properties: readonly Property[]): Projection {
  let derived = projections.get(projection)
  if (derived === undefined || derived.size > MAX_DERIVED_PROJECTIONS) {
    derived = new Map()
    projections.set(projection, derived)
  }
  const names = properties.map(({ name }) => name)
  const key = names.join()
  const known = derived.get(key)
  if (known !== undefined) return known
  const created = { ...projection, selected: new Set(names), expansions: [] }
  derived.set(key, created)
  return created
}

/**
 * Resolves how a request groups rows.
 *
 * @param orderBy the terms of `$orderby`
 * @throws ODataError InvalidSystemQueryOption for an order that groups do not have
 */
export function groupingOf(
  analytical: AnalyticalSet,
  { groupBy, measures }: GroupSelection,
  orderBy: readonly OrderByTerm[],
  source: GroupSource | undefined,
  request: GroupRequest,
): Grouping {
  const needed = new Set(measures)
  const terms = orderBy.map(({ descending, expression }) => {
    const property = ownProperty(expression)
    const measure = property && analytical.measures.get(property.name)
    if (measure !== undefined) needed.add(measure)
    if (property === undefined || (measure === undefined && !groupBy.includes(property)))
      throw cannotSort(expression, analytical)
    return { expression: groupValue(property), descending }
  })
  return {
    analytical,
    groupBy,
    measures: [...needed],
    orderBy: [...terms, ...remainingTerms(groupBy, orderBy)],
    writeId: groupIdWriter(groupBy, request),
    source,
  }
}

/**
 * Returns the grouping of one group.
 *
 * @param selected names of the properties to read; undefined for all
 */
export function groupWithId(
  analytical: AnalyticalSet,
  groupBy: readonly Property[],
  id: string,
  source: GroupSource | undefined,
  selected?: ReadonlySet<string>,
): Grouping {
  const all = [...analytical.measures.values()]
  const measures = selected === undefined ? all : all.filter(({ property }) => selected.has(property.name))
  return { analytical, groupBy, measures, orderBy: [], writeId: () => id, source }
}

/** Returns the property of the entity itself if the expression is its path. */
function ownProperty(expression: Expression): Property | undefined {
  const named = expression.origin ?? expression
  return named.kind === 'PropertyPath' && named.steps.length === 0 ? named.property : undefined
}

function remainingTerms(
  groupBy: readonly Property[],
  orderBy: readonly OrderByTerm[],
): readonly OrderByTerm[] {
  const sorted = new Set(orderBy.map(({ expression }) => ownProperty(expression)))
  return groupBy
    .filter((property) => !sorted.has(property))
    .map((property) => ({ expression: groupValue(property), descending: false }))
}

/** Returns the value that groups have. The values of computed properties are those of their rows. */
function groupValue(property: Property): PropertyPath {
  const stored = property.computed === undefined ? property : { ...property, computed: undefined }
  return { kind: 'PropertyPath', steps: [], property: stored, type: property.type as PrimitiveTypeName }
}

function cannotSort(expression: Expression, { set }: AnalyticalSet): ODataError {
  const name = ownProperty(expression)?.name
  const what = name === undefined ? 'an expression' : `'${name}'`
  return new ODataError('InvalidSystemQueryOption', {
    message: `$orderby: groups of '${set.path}' cannot be sorted by ${what}. Name a measure or a property in $select.`,
  })
}
