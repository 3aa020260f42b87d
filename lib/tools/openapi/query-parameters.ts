import type { EntitySet, NavigationProperty, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { SetRestrictions } from '../../edm/sap-annotations.js'
import { legalityOf } from '../../query/query-option-legality.js'
import type { RequestTarget } from '../../query/request-target.js'
import { isCollection, querySource } from '../../query/request-target.js'
import type { SystemQueryOption } from '../../uri/parse-query-options.js'
import { cleanName } from './component-names.js'
import type { DescribedService } from './described-service.js'
import type { Json, JsonObject } from './json.js'
import { present, reference } from './json.js'
import { sampleLiteral } from './value-schemas.js'

/** In the order in which they take effect. */
const order: readonly SystemQueryOption[] = [
  '$filter',
  '$orderby',
  '$skip',
  '$top',
  '$skiptoken',
  '$inlinecount',
  '$expand',
  '$select',
  '$format',
]

const ofSets: ReadonlySet<SystemQueryOption> = new Set(['$filter', '$orderby', '$expand', '$select'])

/** The system query options that a resource takes when it is read. @spec MS-ODATA 2.2.3.6.1 */
export function queryParameters(target: RequestTarget, service: DescribedService): readonly JsonObject[] {
  const { settings, sap } = service
  const source = querySource(target)
  const isMany = source !== undefined && isCollection(source)
  const restrictions = isMany && source.kind !== 'ReturnedEntities' ? sap?.sets.get(source.set) : undefined
  return order.flatMap((option) => {
    if (legalityOf(option, target) !== 'yes' || settings.disabledQueryOptions.has(option)) return []
    if (isRuledOut(option, restrictions)) return []
    if (!ofSets.has(option)) return [reference('parameters', option.slice(1))]
    // A filter on one entity is of little use, and that of a function's result has no examples.
    if (source === undefined || (option === '$filter' && !isMany)) return []
    const parameter = ofSet(option, source.set, service)
    if (parameter === undefined) return []
    const isWhole = source.kind === 'EntitySet'
    if (option === '$filter' && isWhole && restrictions !== undefined && needsFilter(restrictions)) {
      return [{ ...parameter, required: true }]
    }
    return [reference('parameters', componentName(option, source.set))]
  })
}

function isRuledOut(option: SystemQueryOption, restrictions: SetRestrictions | undefined): boolean {
  if (restrictions === undefined) return false
  const { notPageable, notTopable, notCountable } = restrictions
  if (option === '$skip') return notPageable
  if (option === '$top') return notPageable || notTopable
  return option === '$inlinecount' && notCountable
}

function needsFilter({ requiresFilter, requiredInFilter }: SetRestrictions): boolean {
  return requiresFilter || requiredInFilter.length > 0
}

/** The parameters to which operations refer: those of all sets, then those of each. */
export function parameterComponents(service: DescribedService): Record<string, JsonObject> {
  const components: Record<string, JsonObject> = { ...shared }
  for (const set of service.entitySets) {
    for (const option of ofSets) {
      const parameter = ofSet(option, set, service)
      if (parameter !== undefined) components[componentName(option, set)] = parameter
    }
  }
  return components
}

function componentName(option: SystemQueryOption, { path }: EntitySet): string {
  return `${cleanName(path)}.${option.slice(1)}`
}

function ofSet(option: SystemQueryOption, set: EntitySet, service: DescribedService): JsonObject | undefined {
  switch (option) {
    case '$filter':
      return filterParameter(set, service)
    case '$orderby':
      return orderParameter(set, service)
    case '$expand':
      return expandParameter(set)
    default:
      return selectParameter(set)
  }
}

/** One that a client can compare with a value, without annotations that say how. */
function filterable({ entityType }: EntitySet, { sap }: DescribedService): Property | undefined {
  return entityType.properties.find((one) => {
    const { notFilterable, filterRestriction } = sap?.properties.get(one) ?? {}
    return isPrimitive(one.type) && notFilterable !== true && filterRestriction === undefined
  })
}

function filterParameter(set: EntitySet, service: DescribedService): JsonObject {
  const { sap } = service
  const names = sap?.sets.get(set)?.requiredInFilter ?? []
  const property = filterable(set, service)
  const compared = names.length > 0 ? names : property === undefined ? [] : [property.name]
  const example = compared.map((name) => comparison(name, set)).join(' and ')
  const unusable = set.entityType.properties.filter((one) => sap?.properties.get(one)?.notFilterable === true)
  return present({
    name: '$filter',
    in: 'query',
    description: `Only entities for which this is true.${exceptions(unusable)}`,
    schema: { type: 'string' },
    example: example === '' ? undefined : example,
  })
}

function comparison(path: string, { entityType }: EntitySet): string {
  let property: Property | undefined
  for (const name of path.split('/')) {
    const type = property === undefined || isPrimitive(property.type) ? entityType : property.type
    property = type.property(name)
  }
  const type = property?.type
  return type !== undefined && isPrimitive(type) ? `${path} eq ${sampleLiteral(type)}` : `${path} ne null`
}

function orderParameter({ entityType }: EntitySet, { sap }: DescribedService): JsonObject | undefined {
  const simple = entityType.properties.filter(({ type }) => isPrimitive(type) && type !== 'Edm.Binary')
  const isSortable = (one: Property): boolean => sap?.properties.get(one)?.notSortable !== true
  const sortable = simple.filter(isSortable)
  const [first] = sortable
  if (first === undefined) return undefined
  return {
    name: '$orderby',
    in: 'query',
    description: `Expressions to sort by, each with \`asc\` or \`desc\`.${exceptions(
      simple.filter((one) => !isSortable(one)),
    )}`,
    ...list,
    schema: { type: 'array', items: { type: 'string' } },
    example: [first.name],
  }
}

function exceptions(properties: readonly Property[]): string {
  return properties.length === 0 ? '' : ` It cannot use ${properties.map(({ name }) => name).join(', ')}.`
}

function expandParameter(set: EntitySet): JsonObject | undefined {
  const names = followed(set).map(({ name }) => name)
  const [first] = names
  if (first === undefined) return undefined
  return {
    name: '$expand',
    in: 'query',
    description: 'Related entities to show within each entity, over paths of any length.',
    ...list,
    schema: namesOrPaths(names),
    example: [first],
  }
}

/** The navigation properties that lead anywhere. */
export function followed(set: EntitySet): readonly NavigationProperty[] {
  return set.entityType.navigationProperties.filter((one) => set.targetOf(one) !== undefined)
}

function selectParameter(set: EntitySet): JsonObject {
  const { properties, navigationProperties } = set.entityType
  const names = [...properties, ...navigationProperties].map(({ name }) => name)
  return {
    name: '$select',
    in: 'query',
    description: 'The properties to show; paths select within what `$expand` shows.',
    ...list,
    schema: namesOrPaths(['*', ...names]),
    example: names.slice(0, 2),
  }
}

const list: JsonObject = { style: 'form', explode: false }

function namesOrPaths(names: readonly string[]): JsonObject {
  return { type: 'array', items: { anyOf: [{ enum: names }, { type: 'string', pattern: '/' }] } }
}

function parameter(name: string, description: string, schema: JsonObject, example?: Json): JsonObject {
  return present({ name, in: 'query', description, schema, example })
}

const count: JsonObject = { type: 'integer', minimum: 0 }

const shared: Readonly<Record<string, JsonObject>> = {
  top: parameter('$top', 'How many to show at most.', count, 10),
  skip: parameter('$skip', 'How many to leave out at the start.', count, 0),
  skiptoken: parameter('$skiptoken', 'Where a page begins; it comes from `__next`.', { type: 'string' }),
  inlinecount: parameter('$inlinecount', 'Whether to say how many there are on all pages.', {
    type: 'string',
    enum: ['allpages', 'none'],
  }),
  format: parameter('$format', 'The form of the answer; it counts more than Accept.', {
    type: 'string',
    enum: ['json', 'atom', 'xml'],
  }),
}
