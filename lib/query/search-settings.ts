import { sapAnnotation } from '../edm/annotations.js'
import type { EdmModel, EntitySet, StructuralType } from '../edm/edm-model.js'
import { entitySetsOf, isPrimitive } from '../edm/edm-model.js'
import type { EntitySetName } from '../edm/infer.js'
import type { SetPath } from '../edm/vocabularies/annotation-targets.js'
import { isSearchable } from '../edm/sap-annotations.js'
import { checkChoice, checkNames, ConfigurationError, invalid } from '../errors/check-option.js'
import { bindPath } from './bind-path.js'
import type { PathStep, PropertyPath } from './expression.js'
import type { CaseFolding } from './fold-case.js'

/** Options of matching strings in requests. */
export interface MatchingOptions<Model = EdmModel> {
  /**
   * If true, `substringof`, `startswith`, `endswith` and `indexof` in `$filter` ignore case; if `'all'`, also `eq` and
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
   * app.use('/shop', odataV2(model, provider, { search: { Products: ['Name', 'Category/Name'] } }))
   */
  readonly search?:
    | false
    | { readonly [Name in EntitySetName<Model>]?: readonly SetPath<Model, Name>[] | undefined }
    | undefined
}

/** Limits of the query option `search`. */
export interface SearchLimits {
  /** Characters of the query option `search`. Default: 1000. */
  readonly searchLength: number
  /** Words and phrases of the query option `search`. Default: 20. */
  readonly searchTerms: number
}

/** Settings of matching, and its limits. */
export type Matching = MatchingSettings & { readonly limits: SearchLimits }

/** How an entity set is searched. */
interface SetSearch {
  /** The paths of the option `search`. Undefined for sets with `sap:searchable="true"`: all strings are searched. */
  readonly paths: readonly string[] | undefined
}

/** Validated options of matching. */
export interface MatchingSettings {
  readonly caseInsensitive: CaseFolding
  /** The search of each entity set, by its path. */
  readonly search: ReadonlyMap<string, SetSearch>
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
  const searched = new Map<string, SetSearch>()
  if (search === false) return { caseInsensitive, search: searched }
  if (typeof search !== 'object' || (search as unknown) === null) {
    throw invalid(`search must be false, or an object such as { Products: ['Name'] }`)
  }
  const sets = entitySetsOf(model)
  checkNames(
    search,
    sets.map(({ path }) => path),
    'an entity set',
    'search.',
  )
  for (const set of sets) {
    const paths = (search as Readonly<Record<string, readonly string[] | undefined>>)[set.path]
    if (paths !== undefined) checkPaths(paths, set, model)
    if (paths !== undefined || isSearchable(set)) searched.set(set.path, { paths })
  }
  return { caseInsensitive, search: searched }
}

/**
 * Returns the searched properties of a set.
 *
 * @param model the model of the set, which may lack properties that are hidden from the caller
 */
export function searchedProperties({ paths }: SetSearch, set: EntitySet, model: EdmModel): PropertyPath[] {
  if (paths === undefined) return stringsOf(set.entityType, []).filter(isFilterable)
  return paths.flatMap((path) => {
    try {
      return boundPath(path, set, model)
    } catch (error) {
      if (error instanceof ConfigurationError) return []
      throw error
    }
  })
}

/** Returns true if `$filter` can use a property. It cannot use properties that functions compute. */
function isFilterable({ property, steps }: PropertyPath): boolean {
  if (property.computed !== undefined && property.computed.expression === undefined) return false
  const members = steps.flatMap((step) => (step.kind === 'Complex' ? [step.property] : []))
  return [property, ...members].every((one) => sapAnnotation(one, 'filterable') !== 'false')
}

function checkPaths(paths: unknown, set: EntitySet, model: EdmModel): void {
  const name = `search.${set.path}`
  if (sapAnnotation(set, 'searchable') === 'false')
    throw invalid(`${name}: the set has sap:searchable="false"`)
  if (!Array.isArray(paths) || paths.length === 0) throw invalid(`${name} must be an array such as ['Name']`)
  for (const path of paths as readonly unknown[]) boundPath(String(path), set, model)
}

/** @throws ConfigurationError if the path does not lead to a string */
function boundPath(path: string, set: EntitySet, model: EdmModel): PropertyPath {
  const name = `search.${set.path}`
  const scope = { model, entitySet: set, entityType: set.entityType }
  const bound = bindPath(path.split('/'), scope, (message) => invalid(`${name}: ${message}`))
  const named = bound.origin ?? bound
  if (named.kind === 'PropertyPath' && named.type === 'Edm.String') return named
  throw invalid(`${name}: '${path}' is not a property of type Edm.String`)
}

/** Returns the strings of a type, with those of its complex properties. */
function stringsOf({ properties }: StructuralType, steps: readonly PathStep[]): PropertyPath[] {
  return properties.flatMap((property): PropertyPath[] => {
    const { type } = property
    if (!isPrimitive(type)) return stringsOf(type, [...steps, { kind: 'Complex', property }])
    return type === 'Edm.String' ? [{ kind: 'PropertyPath', steps, property, type }] : []
  })
}
