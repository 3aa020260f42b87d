import createDebug from 'debug'
import { isNumeric } from './primitive-types/primitive-type-name.js'
import { checkChoice, checkNames, invalid } from '../errors/check-option.js'
import { didYouMean } from '../errors/suggestions.js'
import type { AnalyticalSet, Measure, RowSource } from './analytical-set.js'
import type { AggregationMethod, MeasureOption } from './measure-option.js'
import { analyticalProperties, groupIdOf, unitOf } from './analytical-set.js'
import { aggregationMethods, isCounted } from './measure-option.js'
import type { EdmModel, EntitySet, Property } from './edm-model.js'
import { entitySetsOf, nameOfType } from './edm-model.js'
import type { EntityOf, EntitySetName } from './infer.js'

const debug = createDebug('odata-v2:provider')

/**
 * Options of one analytical entity set.
 *
 * @typeParam PropertyName names of the properties of the set
 * @typeParam SetName names of the entity sets of the model
 * @example
 * const sales: AnalyticalSetOptions = {
 *   source: 'OrderItems',
 *   properties: { Country: 'Order/Country' },
 *   measures: { Amount: 'sum', BestAmount: { max: 'Amount' } },
 * }
 */
export interface AnalyticalSetOptions<PropertyName extends string = string, SetName extends string = string> {
  /** The aggregation of measures, by name. Default: `sum` for numbers, `max` for other types. */
  readonly measures?: { readonly [Name in PropertyName]?: MeasureOption<PropertyName> } | undefined
  /**
   * A measure of rows with different units, in a request that does not select the unit: null, or the sum of the numbers.
   * Default: `null`.
   */
  readonly mixedUnits?: 'null' | 'sum' | undefined
  /**
   * The entity set whose rows are grouped. `authorize` is called for both sets, and both filters apply. Default: the set
   * itself.
   */
  readonly source?: SetName | undefined
  /**
   * Where the rows of `source` have the values of properties: paths, also over single-valued navigation properties.
   * Default: the property with the same name.
   *
   * @example const analytics: AnalyticsOptions = { Sales: { properties: { Country: 'Order/Country' } } }
   */
  readonly properties?: { readonly [Name in PropertyName]?: string } | undefined
}

/**
 * Options of analytical entity sets, by name; false for a set that is served like any other.
 *
 * @example const analytics: AnalyticsOptions = { Sales: { mixedUnits: 'sum' }, Stock: false }
 */
export type AnalyticsOptions<Model = EdmModel> = {
  readonly [Name in EntitySetName<Model>]?:
    AnalyticalSetOptions<keyof EntityOf<Model, Name> & string, EntitySetName<Model>> | false | undefined
}

/** The names and options of a set, before they are validated. */
type GivenOptions = Readonly<Record<string, AnalyticalSetOptions | false | undefined>>

/**
 * Returns the analytical sets of a model.
 *
 * @param options false disables grouping
 * @throws ConfigurationError for an invalid option
 */
export function analyticalSetsOf(
  model: EdmModel,
  options: AnalyticsOptions | false = {},
): ReadonlyMap<EntitySet, AnalyticalSet> {
  const analytical = new Map<EntitySet, AnalyticalSet>()
  if (options === false) return analytical
  if (typeof options !== 'object' || (options as unknown) === null) {
    throw invalid(`analytics must be false or an object such as { Sales: { measures: { Amount: 'sum' } } }`)
  }
  const given = options as GivenOptions
  const sets = entitySetsOf(model)
  checkNames(
    given,
    sets.map(({ path }) => path),
    'an entity set',
    'analytics.',
  )
  for (const set of sets) {
    const one = given[set.path]
    const id = one === false ? undefined : groupIdOf(set)
    if (id !== undefined) analytical.set(set, analyticalSet(set, id, one === false ? {} : (one ?? {}), sets))
    else if (typeof one === 'object') throw notAnalytical(set)
  }
  debug(
    'analytical sets: %o',
    [...analytical.keys()].map(({ path }) => path),
  )
  return analytical
}

function notAnalytical({ entityType, path }: EntitySet): Error {
  return invalid(
    `analytics.${path}: '${entityType.qualifiedName}' must have sap:semantics="aggregate" and a single key property of ` +
      'type Edm.String without sap:aggregation-role',
  )
}

function analyticalSet(
  set: EntitySet,
  id: Property,
  options: AnalyticalSetOptions,
  sets: readonly EntitySet[],
): AnalyticalSet {
  const prefix = `analytics.${set.path}.`
  checkNames(options, ['measures', 'mixedUnits', 'source', 'properties'], 'an option', prefix)
  checkChoice(`${prefix}mixedUnits`, options.mixedUnits, ['null', 'sum'])
  const { dimensions, grouping, measures, totaled } = analyticalProperties(set)
  const given = (options.measures ?? {}) as Readonly<Record<string, MeasureOption | undefined>>
  checkNames(
    given,
    measures.map(({ name }) => name),
    'a measure',
    `${prefix}measures.`,
  )
  const other = [...grouping, id].find((one) => one.aggregate !== undefined)
  if (other !== undefined) {
    throw invalid(`'${other.name}' of '${set.path}' has 'aggregate', but not sap:aggregation-role="measure"`)
  }
  return {
    set,
    id,
    grouping,
    dimensions,
    totaled,
    measures: new Map(
      measures.map((property) => [
        property.name,
        measureOf(
          property,
          given[property.name] ?? property.aggregate,
          set,
          `${prefix}measures.${property.name}`,
        ),
      ]),
    ),
    addsMixedUnits: options.mixedUnits === 'sum',
    source: rowSource(set, options, sets, prefix),
  }
}

function rowSource(
  set: EntitySet,
  { properties = {}, source }: AnalyticalSetOptions,
  sets: readonly EntitySet[],
  prefix: string,
): RowSource | undefined {
  if (source === undefined) {
    if (Object.keys(properties).length > 0) throw invalid(`${prefix}properties requires 'source'`)
    return undefined
  }
  const names = sets.filter((one) => one !== set).map(({ path }) => path)
  const found = sets.find((one) => one !== set && one.path === source)
  if (found === undefined)
    throw invalid(`${prefix}source must be another entity set.${didYouMean(String(source), names)}`)
  const stored = set.entityType.properties.filter(({ isKey }) => !isKey).map(({ name }) => name)
  checkNames(properties, stored, 'a property', `${prefix}properties.`)
  const paths = Object.entries(properties as Readonly<Record<string, unknown>>)
  for (const [name, path] of paths) {
    if (path !== undefined && typeof path !== 'string')
      throw invalid(`${prefix}properties.${name} must be a path such as 'Order/Country'`)
  }
  return { set: found, paths: new Map(paths as (readonly [string, string])[]) }
}

function measureOf(
  property: Property,
  option: MeasureOption | undefined,
  set: EntitySet,
  label: string,
): Measure {
  const [method, inputName] = methodOf(option, label) ?? [isNumeric(property.type) ? 'sum' : 'max', undefined]
  const input = inputName === undefined ? property : inputNamed(inputName, set, label)
  checkTypes(method, input, property, label)
  return { property, method, input, unit: checkedUnit(property, set) ?? checkedUnit(input, set) }
}

/** @throws ConfigurationError for a unit that is not found: values in different units would be added */
function checkedUnit(property: Property, set: EntitySet): Property | undefined {
  const { name, property: unit } = unitOf(property, set) ?? {}
  if (name === undefined || unit !== undefined) return unit
  const hint = didYouMean(
    name,
    set.entityType.properties.map((one) => one.name),
  )
  throw invalid(
    `'${property.name}' of '${set.path}' has sap:unit="${name}", which is not a property.${hint || " Disable groups by 'analytics: false', or correct the annotation"}`,
  )
}

function methodOf(
  option: MeasureOption | undefined,
  label: string,
): readonly [method: AggregationMethod, input: string | undefined] | undefined {
  if (option === undefined) return undefined
  const entries = typeof option === 'object' ? Object.entries(option) : [[option, undefined]]
  const [[method, input] = []] = entries
  if (entries.length !== 1 || !aggregationMethods.some((one) => one === method)) {
    throw invalid(
      `${label} must be one of ${aggregationMethods.join(', ')}, or an object such as { max: 'Amount' }`,
    )
  }
  return [method as AggregationMethod, input]
}

function inputNamed(name: string, { entityType }: EntitySet, label: string): Property {
  const property = entityType.property(name)
  if (property !== undefined) return property
  const names = entityType.properties.map((one) => one.name)
  throw invalid(`${label}: '${entityType.name}' has no property '${name}'.${didYouMean(name, names)}`)
}

function checkTypes(method: AggregationMethod, input: Property, property: Property, label: string): void {
  const isNumber = isNumeric(property.type)
  const fits =
    method === 'min' || method === 'max'
      ? input.type === property.type
      : isNumber && (isCounted(method) || isNumeric(input.type))
  if (fits) return
  throw invalid(
    `${label}: '${method}' of '${input.name}' (${nameOfType(input.type)}) is not a valid ${nameOfType(property.type)}`,
  )
}
