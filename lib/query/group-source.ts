import type { AnalyticalSet } from '../edm/analytical-set.js'
import type { EdmModel, EntitySet, Property } from '../edm/edm-model.js'
import { nameOfType } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { invalid } from '../errors/check-option.js'
import type { ODataErrorCode } from '../errors/error-codes.js'
import { ODataError } from '../errors/odata-error.js'
import { parseFilter } from '../uri/parse-expression.js'
import { bindOrderBy } from './bind-expression.js'
import { getOrCreate } from '../util/get-or-create.js'
import type { EntityPath, Expression, PropertyPath } from './expression.js'
import { mapPaths } from './expression.js'
import type { IdSettings } from './group-id.js'

/** The rows of another entity set that are grouped instead of those of an analytical set. */
export class GroupSource {
  /** Conditions of the application recur: providers and services compare them by identity. */
  private readonly mapped = new WeakMap<Expression, Expression>()

  /** @param paths leads from a row of the set to the value of a property of the analytical set, by its name */
  constructor(
    readonly set: EntitySet,
    readonly paths: ReadonlyMap<string, PropertyPath>,
  ) {}

  /** Returns the path of a property of the analytical set. Start-up has checked that there is one. */
  path(property: Property): PropertyPath {
    const path = this.paths.get(property.name)
    if (path === undefined) throw new TypeError(`There is no path for '${property.name}'.`)
    return path
  }

  /** Returns the same rows with other paths, such as restricted ones. */
  withPaths(map: (path: PropertyPath) => PropertyPath): GroupSource {
    return new GroupSource(this.set, new Map([...this.paths].map(([name, path]) => [name, map(path)])))
  }

  /**
   * Converts a condition on the analytical set to a condition on its rows.
   *
   * @throws ODataError with the code for a property that rows do not have
   */
  map(condition: Expression, code: ODataErrorCode = 'QueryOptionNotAllowed'): Expression {
    return getOrCreate(this.mapped, condition, () => this.mappedOnce(condition, code))
  }

  private mappedOnce(condition: Expression, code: ODataErrorCode): Expression {
    return mapPaths(condition, <P extends PropertyPath | EntityPath>(path: P): P => {
      const [step] = path.steps
      const own = path.kind === 'PropertyPath' && step === undefined ? path.property : undefined
      const found = own && this.paths.get(own.name)
      if (found !== undefined) return { ...path, ...found }
      throw cannotFilter(own?.name ?? nameOfStep(path), code)
    })
  }
}

/** Returns the path of a property of the rows that are grouped. */
export function rowPath(property: Property, source: GroupSource | undefined): PropertyPath {
  if (source !== undefined) return source.path(property)
  return { kind: 'PropertyPath', steps: [], property, type: property.type as PrimitiveTypeName }
}

/**
 * Binds the paths of the options `source` and `properties`.
 *
 * @returns undefined for a set that groups its own rows
 * @throws ConfigurationError for a path that does not exist, and for one of another type than its property
 */
export function bindGroupSource(
  analytical: AnalyticalSet,
  model: EdmModel,
  { search }: Pick<IdSettings, 'search'>,
): GroupSource | undefined {
  const { set, source } = analytical
  if (source === undefined) return undefined
  const paths = new Map<string, PropertyPath>()
  const needed = propertiesOfGroups(analytical)
  for (const property of set.entityType.properties) {
    const given = source.paths.get(property.name)
    if (given === undefined && !needed.has(property)) continue
    const label = `analytics.${set.path}.properties.${property.name}`
    const path = bindRowPath(given ?? property.name, label, source.set, model)
    if (path.type !== property.type) {
      throw invalid(
        `${label}: '${given ?? property.name}' of '${source.set.path}' is ${path.type}, not ${nameOfType(property.type)}`,
      )
    }
    paths.set(property.name, path)
  }
  for (const path of search.get(set.path)?.paths ?? []) {
    if (!paths.has(path))
      throw invalid(`search.${set.path}: the rows of '${source.set.path}' have no '${path}'`)
  }
  return new GroupSource(source.set, paths)
}

/** Returns the properties whose values come from rows. */
export function propertiesOfGroups({ grouping, measures }: AnalyticalSet): ReadonlySet<Property> {
  const needed = new Set(grouping)
  for (const { input, method, unit } of measures.values()) {
    if (method !== 'count') needed.add(input)
    if (unit !== undefined) needed.add(unit)
  }
  return needed
}

function bindRowPath(text: string, label: string, set: EntitySet, model: EdmModel): PropertyPath {
  const scope = { model, entitySet: set, entityType: set.entityType }
  const [term] = errorsOfOption(() =>
    bindOrderBy([{ expression: parseFilter(text, { label }), descending: false }], scope, {
      source: text,
      label,
    }),
  )
  const path = term?.expression
  if (path?.kind !== 'PropertyPath' || path.origin !== undefined)
    throw invalid(`${label}: '${text}' must be the path of a stored property of '${set.path}'`)
  // The application has chosen the path: a caller who cannot read an entity on it gets null instead of an error.
  const steps = path.steps.map((step) => (step.kind === 'Navigation' ? { ...step, isComputed: true } : step))
  return { ...path, steps }
}

function errorsOfOption<T>(bind: () => T): T {
  try {
    return bind()
  } catch (error) {
    throw error instanceof ODataError ? invalid(error.message.replace(/\.$/, '')) : error
  }
}

function nameOfStep({ kind, steps: [step] }: PropertyPath | EntityPath): string {
  if (step === undefined) return kind
  if (step.kind === 'Navigation') return step.navigation.name
  return step.kind === 'Complex' ? step.property.name : step.type.name
}

function cannotFilter(name: string, code: ODataErrorCode): ODataError {
  return new ODataError(code, {
    message: `A filter cannot use '${name}': the rows that are grouped do not have it.`,
  })
}
