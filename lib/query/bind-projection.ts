import type { EntitySet, EntityType, NavigationProperty } from '../edm/edm-model.js'
import { ODataError, errorAt } from '../errors/odata-error.js'
import { didYouMean } from '../errors/suggestions.js'
import { parseNamePaths } from '../uri/parse-query-options.js'
import type { NamePathSyntax } from '../uri/syntax-tree.js'
import { BoundedCache } from '../util/bounded-cache.js'
import { namesOf } from './bind-path.js'
import type { Expansion, Projection } from './projection.js'
import { wholeProjection } from './projection.js'
import { groupBy } from '../util/get-or-create.js'

/** Limits of the cost of `$expand`. */
export interface ExpandLimits {
  /** Maximum number of navigation properties in a path of `$expand`. Default: 5. */
  readonly expandDepth: number
  /** Maximum number of paths of `$expand`. Default: 20. */
  readonly expandPaths: number
}

/**
 * Binds `$expand` and `$select`. Returns a cached object for equal strings, unless it was evicted.
 *
 * @throws ODataError InvalidSystemQueryOption for unknown names and names that cannot be expanded,
 * LimitExceeded for
 * too many
 * @spec MS-ODATA 2.2.3.6.1.3, 2.2.3.6.1.11
 */
export function bindProjection(
  set: EntitySet,
  expand: string | undefined,
  select: string | undefined,
  limits: ExpandLimits,
): Projection {
  if (expand === undefined && select === undefined) return wholeProjection(set)
  const known = knownProjections(set, limits)
  const text = JSON.stringify([expand, select])
  let projection = known.get(text)
  if (projection === undefined) {
    projection = newProjection(set, expand, select, limits)
    known.set(text, projection)
  }
  return projection
}

const keptProjections = 100
const projections = new WeakMap<ExpandLimits, WeakMap<EntitySet, BoundedCache<string, Projection>>>()

/**
 * Returns cached projections. Requests that differ only in filter or page share a projection and its compiled writers.
 */
function knownProjections(set: EntitySet, limits: ExpandLimits): BoundedCache<string, Projection> {
  let bySet = projections.get(limits)
  if (bySet === undefined) {
    bySet = new WeakMap()
    projections.set(limits, bySet)
  }
  let known = bySet.get(set)
  if (known === undefined) {
    known = new BoundedCache(keptProjections)
    bySet.set(set, known)
  }
  return known
}

function newProjection(
  set: EntitySet,
  expand: string | undefined,
  select: string | undefined,
  limits: ExpandLimits,
): Projection {
  const expandPaths = expand === undefined ? [] : parseNamePaths(expand, '$expand')
  const selectPaths = select === undefined ? undefined : parseNamePaths(select, '$select')
  checkLimits(expandPaths, limits)
  const createError: CreateError = (message, label, position) =>
    errorAt(`${label}: ${message}`, (label === '$expand' ? expand : select) ?? '', position)
  return projectionOf(set, expandPaths, selectPaths, createError)
}

type CreateError = (message: string, label: '$expand' | '$select', position: number) => Error

function checkLimits(paths: readonly NamePathSyntax[], { expandDepth, expandPaths }: ExpandLimits): void {
  const tooMuch = (message: string, limit: string): ODataError =>
    new ODataError('LimitExceeded', { message: `$expand: ${message}.`, details: { limit } })
  if (paths.length > expandPaths) throw tooMuch(`at most ${expandPaths} paths can be expanded`, 'expandPaths')
  if (paths.some(({ names }) => names.length > expandDepth)) {
    throw tooMuch(`at most ${expandDepth} levels can be expanded`, 'expandDepth')
  }
}

function projectionOf(
  set: EntitySet,
  expand: readonly NamePathSyntax[],
  select: readonly NamePathSyntax[] | undefined,
  createError: CreateError,
): Projection {
  const type = set.entityType
  const selected = select === undefined ? undefined : selectedNames(type, select, set, createError)
  const expansions: Expansion[] = []
  for (const [name, paths] of groupBy(expand, ({ names }) => names[0] ?? '')) {
    const navigation = navigationNamed(name, type, paths, createError)
    const expansion = expansionOf(set, navigation, paths, select, createError)
    if (selected === undefined || selected.has(name)) expansions.push(expansion)
  }
  return { set, entityType: type, selected, expansions }
}

function navigationNamed(
  name: string,
  type: EntityType,
  paths: readonly NamePathSyntax[],
  createError: CreateError,
): NavigationProperty {
  const navigation = withDerived(type, (one) => one.navigationProperty(name))
  if (navigation !== undefined) return navigation
  const position = paths[0]?.position ?? 0
  const isData = withDerived(type, (one) => one.property(name)) !== undefined
  if (isData) throw createError(`'${name}' is not a navigation property`, '$expand', position)
  const known = type.navigationProperties.map((one) => one.name)
  throw createError(
    `'${type.name}' has no navigation property '${name}'.${didYouMean(name, known)}`,
    '$expand',
    position,
  )
}

function expansionOf(
  set: EntitySet,
  navigation: NavigationProperty,
  expand: readonly NamePathSyntax[],
  select: readonly NamePathSyntax[] | undefined,
  createError: CreateError,
): Expansion {
  const target = set.targetOf(navigation)
  if (target === undefined) {
    const position = expand[0]?.position ?? 0
    throw createError(`the model does not define the entity set of '${navigation.name}'`, '$expand', position)
  }
  const below = tails(expand)
  const selectBelow = selectionBelow(navigation.name, select)
  return {
    navigation,
    projection: projectionOf(target, below, selectBelow, createError),
    expandText: textOf(below),
    selectText: textOf(selectBelow ?? []),
  }
}

/** Returns the names that are selected at this level: all for `*`, the first name for a path. */
function selectedNames(
  type: EntityType,
  select: readonly NamePathSyntax[],
  set: EntitySet,
  createError: CreateError,
): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { names: path, position } of select) {
    const [name = '', ...rest] = path
    if (name === '*') {
      if (rest.length > 0) throw createError(`nothing can follow '*'`, '$select', position)
      for (const one of allNames(type)) names.add(one)
      continue
    }
    if (withDerived(type, (one) => one.property(name)) !== undefined) {
      if (rest.length > 0)
        throw createError(`members of '${name}' cannot be selected alone`, '$select', position)
    } else {
      const navigation = withDerived(type, (one) => one.navigationProperty(name))
      if (navigation === undefined) {
        const hint = didYouMean(name, namesOf(type, type))
        throw createError(`'${type.name}' has no property '${name}'.${hint}`, '$select', position)
      }
      checkBelow(navigation, rest, position, set, createError)
    }
    names.add(name)
  }
  return names
}

/** Checks the names after a navigation property in `$select`, even if it is not expanded. */
function checkBelow(
  navigation: NavigationProperty,
  rest: readonly string[],
  position: number,
  set: EntitySet,
  createError: CreateError,
): void {
  const target = set.targetOf(navigation)
  if (rest.length === 0 || target === undefined) return
  selectedNames(target.entityType, [{ names: rest, position }], target, createError)
}

function allNames(type: EntityType): string[] {
  return [type, ...type.derivedTypes].flatMap((one) => namesOf(one, one))
}

/** Finds a member in the type, or in a type that is derived from it. */
function withDerived<T>(type: EntityType, find: (type: EntityType) => T | undefined): T | undefined {
  for (const one of [type, ...type.derivedTypes]) {
    const found = find(one)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the part of `$select` below a navigation property; undefined if it selects whole entities. */
function selectionBelow(
  name: string,
  select: readonly NamePathSyntax[] | undefined,
): readonly NamePathSyntax[] | undefined {
  const own = select?.filter(({ names }) => names[0] === name) ?? []
  if (own.length === 0 || own.some(({ names }) => names.length === 1)) return undefined
  return tails(own)
}

function tails(paths: readonly NamePathSyntax[]): NamePathSyntax[] {
  return paths
    .filter(({ names }) => names.length > 1)
    .map(({ names, position }) => ({ names: names.slice(1), position }))
}

function textOf(paths: readonly NamePathSyntax[]): string {
  return paths.map(({ names }) => names.join('/')).join(',')
}
