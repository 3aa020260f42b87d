import type { EdmModel, EntitySet, StructuralType } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import type { EntitySetName } from '../edm/infer.js'
import { isSearchable, sapRestrictionsOf } from '../edm/sap-annotations.js'
import { checkChoice, checkNames, invalid } from '../errors/check-option.js'
import { bindPath } from './bind-path.js'
import type { PathStep, PropertyPath } from './expression.js'
import type { CaseFolding } from './fold-case.js'

/** Options of matching strings in requests. */
export interface MatchingOptions<Model = EdmModel> {
  /**
   * Whether `substringof`, `startswith`, `endswith` and `indexof` in `$filter` ignore case; `'all'` includes `eq` and
   * `ne`. Filters of `authorize` are not affected. Default: false.
   */
  readonly caseInsensitive?: CaseFolding | undefined
  /**
   * The properties that the query option `search` searches, by entity set: paths such as `Category/Name`. Sets with
   * `sap:searchable="true"` that are not listed search all their strings. false leaves `search` to the provider.
   *
   * Default: `{}`.
   *
   * @example
   * odataV2(model, provider, { search: { Products: ['Name', 'Category/Name'] } })
   */
  readonly search?:
    false | { readonly [Name in EntitySetName<Model>]?: readonly string[] | undefined } | undefined
}

/** Limits of the query option `search`. */
export interface SearchLimits {
  /** Characters of the query option `search`. Default: 1000. */
  readonly searchLength: number
  /** Words and phrases of the query option `search`. Default: 20. */
  readonly searchTerms: number
}

/** A set that clients can search. */
export interface SearchedSet {
  readonly properties: readonly PropertyPath[]
  /** Whether the option `search` names the set. */
  readonly isConfigured: boolean
}

/** Validated options of matching. */
export interface MatchingSettings {
  readonly caseInsensitive: CaseFolding
  readonly search: ReadonlyMap<EntitySet, SearchedSet>
}

/**
 * Validates the options, and finds the searched properties of each set.
 *
 * @throws ConfigurationError for names that the model does not have, and for properties that are not strings
 */
export function matchingSettingsOf(
  { caseInsensitive = false, search = {} }: MatchingOptions,
  model: EdmModel,
): MatchingSettings {
  checkChoice('caseInsensitive', caseInsensitive, [true, false, 'all'])
  const searched = new Map<EntitySet, SearchedSet>()
  if (search === false) return { caseInsensitive, search: searched }
  if (typeof search !== 'object' || (search as unknown) === null) {
    throw invalid(`search must be false, or an object such as { Products: ['Name'] }`)
  }
  const sets = model.entityContainers.flatMap(({ entitySets }) => entitySets)
  checkNames(
    search,
    sets.map(({ path }) => path),
    'an entity set',
    'search.',
  )
  const restrictions = sapRestrictionsOf(model)
  for (const set of sets) {
    const paths = (search as Readonly<Record<string, readonly string[] | undefined>>)[set.path]
    if (paths !== undefined && restrictions?.sets.get(set)?.notSearchable === true) {
      throw invalid(`search.${set.path}: the set has sap:searchable="false"`)
    }
    if (paths !== undefined)
      searched.set(set, { properties: boundPaths(paths, set, model), isConfigured: true })
    else if (isSearchable(set)) {
      const all = stringsOf(set.entityType, []).filter(
        ({ property, steps }) =>
          ![property, ...membersOf(steps)].some(
            (one) => restrictions?.properties.get(one)?.notFilterable === true,
          ),
      )
      searched.set(set, { properties: all, isConfigured: false })
    }
  }
  return { caseInsensitive, search: searched }
}

function boundPaths(paths: unknown, set: EntitySet, model: EdmModel): PropertyPath[] {
  const name = `search.${set.path}`
  if (!Array.isArray(paths) || paths.length === 0) throw invalid(`${name} must be an array such as ['Name']`)
  return (paths as readonly unknown[]).map((path) => {
    const scope = { model, entitySet: set, entityType: set.entityType }
    const bound = bindPath(String(path).split('/'), scope, (message) => invalid(`${name}: ${message}`))
    const named = bound.origin ?? bound
    if (named.kind === 'PropertyPath' && named.type === 'Edm.String') return named
    throw invalid(`${name}: '${String(path)}' is not a property of type Edm.String`)
  })
}

/** Returns the strings of a type, with those of its complex properties. */
function stringsOf({ properties }: StructuralType, steps: readonly PathStep[]): PropertyPath[] {
  return properties.flatMap((property): PropertyPath[] => {
    const { type } = property
    if (!isPrimitive(type)) return stringsOf(type, [...steps, { kind: 'Complex', property }])
    return type === 'Edm.String' ? [{ kind: 'PropertyPath', steps, property, type }] : []
  })
}

function membersOf(steps: readonly PathStep[]) {
  return steps.flatMap((step) => (step.kind === 'Complex' ? [step.property] : []))
}
