import type { AnalyticalSet } from '../../edm/analytical-set.js'
import type { EntitySet, NavigationProperty, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { SetRestrictions } from '../../edm/sap-annotations.js'
import { optionSupport } from '../../query/query-option-support.js'
import type { RequestTarget } from '../../query/request-target.js'
import { isCollection, querySource } from '../../query/request-target.js'
import type { SystemQueryOption } from '../../uri/parse-query-options.js'
import type { DocumentBuilder } from './document-builder.js'
import type { Json, JsonObject } from './json.js'
import { present, reference } from './json.js'
import { cleanName } from './names.js'
import { sampleLiteral } from './value-schemas.js'

/** Creates a parameter that depends on the entity set; undefined if the option is of no use for the set. */
type CreateParameter = (set: EntitySet, builder: DocumentBuilder) => JsonObject | undefined

/** The parameters of all sets, or how those of a set are created, in the order in which the service applies them. */
const PARAMETERS: Readonly<Record<SystemQueryOption, JsonObject | CreateParameter>> = {
  $filter: filterParameter,
  $orderby: orderParameter,
  $skip: parameter('$skip', 'The number of entities to skip.', countSchema(), 0),
  $top: parameter('$top', 'The maximum number of entities to return.', countSchema(), 10),
  $skiptoken: parameter('$skiptoken', 'The start of a page, as in `__next`.', { type: 'string' }),
  $inlinecount: parameter('$inlinecount', 'Whether to include the number of entities on all pages.', {
    type: 'string',
    enum: ['allpages', 'none'],
  }),
  $expand: expandParameter,
  $select: selectParameter,
  $format: parameter('$format', 'The format of the response; takes precedence over Accept.', {
    type: 'string',
    enum: ['json', 'atom', 'xml'],
  }),
}

const QUERY_OPTIONS = Object.keys(PARAMETERS) as readonly SystemQueryOption[]

/** Returns the system query options that a resource supports. @spec MS-ODATA 2.2.3.6.1 */
export function queryParameters(target: RequestTarget, builder: DocumentBuilder): readonly JsonObject[] {
  const { settings, sap } = builder
  const source = querySource(target)
  const isMany = source !== undefined && isCollection(source)
  const restrictions = isMany && source.kind !== 'ReturnedEntities' ? sap?.sets.get(source.set) : undefined
  const parameters = QUERY_OPTIONS.flatMap((option) => {
    if (optionSupport(option, target) !== 'yes' || settings.disabledQueryOptions.has(option)) return []
    if (restrictions !== undefined && isForbidden(option, restrictions)) return []
    const createParameter = PARAMETERS[option]
    if (typeof createParameter !== 'function') return [reference('parameters', option.slice(1))]
    // $filter is legal for single entities, but hardly useful.
    if (source === undefined || (option === '$filter' && !isMany)) return []
    const parameter = createParameter(source.set, builder)
    if (parameter === undefined) return []
    if (option === '$filter' && source.kind === 'EntitySet' && requiresFilter(restrictions)) {
      return [{ ...parameter, required: true }]
    }
    return [reference('parameters', componentName(option, source.set))]
  })
  const isSearched = isMany && target.kind !== 'Links' && settings.search.has(source.set.path)
  return isSearched ? [reference('parameters', 'search'), ...parameters] : parameters
}

function isForbidden(option: SystemQueryOption, restrictions: SetRestrictions): boolean {
  const { notTopable, notCountable } = restrictions
  if (option === '$top') return notTopable
  return option === '$inlinecount' && notCountable
}

function requiresFilter(restrictions: SetRestrictions | undefined): boolean {
  if (restrictions === undefined) return false
  return restrictions.requiresFilter || restrictions.requiredInFilter.length > 0
}

/** Returns the query options as components: those of all sets, then those of each set. */
export function queryComponents(builder: DocumentBuilder): Record<string, JsonObject> {
  const components: Record<string, JsonObject> = {}
  for (const option of QUERY_OPTIONS) {
    const shared = PARAMETERS[option]
    if (typeof shared !== 'function') components[option.slice(1)] = shared
  }
  if (builder.settings.search.size > 0) components.search = SEARCH_PARAMETER
  for (const set of builder.entitySets) {
    for (const option of QUERY_OPTIONS) {
      const createParameter = PARAMETERS[option]
      const created = typeof createParameter === 'function' ? createParameter(set, builder) : undefined
      if (created !== undefined) components[componentName(option, set)] = created
    }
  }
  return components
}

function componentName(option: SystemQueryOption, { path }: EntitySet): string {
  return `${cleanName(path)}.${option.slice(1)}`
}

function filterParameter(set: EntitySet, builder: DocumentBuilder): JsonObject {
  const { sap } = builder
  const { properties } = set.entityType
  const grouping = builder.groupsOf({ set })?.grouping.map(({ name }) => name)
  const notFilterable = properties.filter(
    (one) => sap?.properties.get(one)?.notFilterable === true || grouping?.includes(one.name) === false,
  )
  const comparable = properties.find(
    (one) =>
      isPrimitive(one.type) &&
      !notFilterable.includes(one) &&
      sap?.properties.get(one)?.filterRestriction === undefined,
  )
  const required = sap?.sets.get(set)?.requiredInFilter ?? []
  const compared = required.length > 0 || comparable === undefined ? required : [comparable.name]
  const example = compared.map((path) => comparison(path, set)).join(' and ')
  return present({
    name: '$filter',
    in: 'query',
    description: `Returns only entities that match this condition.${exceptions(notFilterable)}`,
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
  return type !== undefined && isPrimitive(type) ? `${path} eq ${sampleLiteral({ type })}` : `${path} ne null`
}

function orderParameter(set: EntitySet, builder: DocumentBuilder): JsonObject | undefined {
  const simple = set.entityType.properties.filter(({ type }) => isPrimitive(type) && type !== 'Edm.Binary')
  const groups = builder.groupsOf({ set })
  const ofGroups = [groups?.id.name, groups?.totaled?.name]
  const notSortable = simple.filter(
    (one) => builder.sap?.properties.get(one)?.notSortable === true || ofGroups.includes(one.name),
  )
  const first = simple.find((one) => !notSortable.includes(one))
  if (first === undefined) return undefined
  return listParameter(
    '$orderby',
    `Sorts by these expressions, each with \`asc\` or \`desc\`.${exceptions(notSortable)}${groups === undefined ? '' : ' Uses measures, and properties in `$select`.'}`,
    [first.name],
  )
}

function exceptions(properties: readonly Property[]): string {
  return properties.length === 0 ? '' : ` Cannot use ${properties.map(({ name }) => name).join(', ')}.`
}

function expandParameter(set: EntitySet, builder: DocumentBuilder): JsonObject | undefined {
  if (builder.groupsOf({ set }) !== undefined) return undefined
  const names = navigableProperties(set)
    .filter((one) => !builder.isGroup(one.targetType))
    .map(({ name }) => name)
  const [first] = names
  if (first === undefined) return undefined
  const description =
    'Includes related entities in each entity; paths of navigation properties can be nested.'
  return listParameter('$expand', `${description} Names: ${names.join(', ')}.`, [first])
}

/** Returns the navigation properties that have a target set. */
export function navigableProperties(set: EntitySet): readonly NavigationProperty[] {
  return set.entityType.navigationProperties.filter((one) => set.targetOf(one) !== undefined)
}

function selectParameter(set: EntitySet, builder: DocumentBuilder): JsonObject {
  const { properties, navigationProperties } = set.entityType
  const groups = builder.groupsOf({ set })
  if (groups !== undefined) return groupParameter(groups)
  const names = [...properties, ...navigationProperties].map(({ name }) => name)
  const description = 'Returns only these properties; paths select properties of entities in `$expand`.'
  return listParameter('$select', description, names.slice(0, 2))
}

function groupParameter(groups: AnalyticalSet): JsonObject {
  const example = [groups.grouping[0]?.name, ...groups.measures.keys()].filter((one) => one !== undefined)
  const description =
    'Groups by these properties, and aggregates these measures. Without it, groups by all properties.'
  return listParameter('$select', description, example.slice(0, 2))
}

/** Describes a list as a string: many clients repeat the parameter for each element of an array, or add brackets. */
function listParameter(name: string, description: string, example: readonly string[]): JsonObject {
  return parameter(name, `${description} Separated by commas.`, { type: 'string' }, example.join(','))
}

function parameter(name: string, description: string, schema: JsonObject, example?: Json): JsonObject {
  return present({ name, in: 'query', description, schema, example })
}

function countSchema(): JsonObject {
  return { type: 'integer', minimum: 0 }
}

const SEARCH_PARAMETER: JsonObject = parameter(
  'search',
  'Returns only entities that contain each of these words, regardless of case. A phrase is in double quotes.',
  { type: 'string' },
)
