import type { Annotatable } from '../../edm/annotations.js'
import { sapAnnotation } from '../../edm/annotations.js'
import type { EdmModel, NavigationProperty, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { AuditRun, Need } from './check.js'
import type { Row, Sample } from './sample.js'
import { formatLiteral } from './values.js'

export const anyService: Need<true> = {
  description: 'a service',
  find: () => Promise.resolve(true),
}

export const model: Need<EdmModel> = {
  description: 'a metadata document that can be read',
  find: ({ service }) => service.model(),
}

/** Returns a set with at least this many entities. */
export function entities(minimum = 1): Need<Sample> {
  const found = minimum === 1 ? 'entities' : `${minimum} entities`
  return sampleWhere(`an entity set with ${found} that can be read`, ({ rows }) => rows.length >= minimum)
}

export function sampleWhere(description: string, fits: (sample: Sample) => boolean): Need<Sample> {
  return inSamples(description, (sample) => (fits(sample) ? sample : undefined))
}

/** Searches the samples. Prefers a sample that has all entities of its set. */
export function inSamples<Subject>(
  description: string,
  find: (sample: Sample) => Subject | undefined,
): Need<Subject> {
  return {
    description,
    find: async ({ service }) => {
      let incomplete: Subject | undefined
      for (const set of await service.entitySets()) {
        const sample = await service.sample(set)
        const found = sample === undefined || sample.rows.length === 0 ? undefined : find(sample)
        if (found !== undefined && sample?.isComplete === true) return found
        incomplete ??= found
      }
      return incomplete
    },
    missing: async ({ service }) =>
      (await service.allSamples()).length === 0
        ? 'No entity set has entities that can be read.'
        : 'None was found in the entities that were read.',
  }
}

/** Distinguishes models without such properties from entities without suitable values. */
function missingValues(types: readonly PrimitiveTypeName[], lack: string) {
  return async ({ service }: AuditRun): Promise<string> => {
    const paths = (await service.entitySets()).flatMap((set) =>
      set.entityType.properties
        .filter(({ type }) => isPrimitive(type) && types.includes(type))
        .map(({ name }) => `${set.path}/${name}`),
    )
    if (paths.length === 0) return `The service has no property of type ${types.join(' or ')}.`
    const others = paths.length > 3 ? ` and ${paths.length - 3} more` : ''
    return `There is ${paths.slice(0, 3).join(', ')}${others}, but ${lack}.`
  }
}

/** A property and one of its values, for queries. */
export interface PropertySubject {
  readonly sample: Sample
  readonly name: string
  readonly type: PrimitiveTypeName
  /** The JSON value. */
  readonly value: unknown
  /** The URI literal of the value, not percent-encoded. */
  readonly literal: string
}

/** Returns true if the service allows an operation, by its SAP annotations. */
export function isAllowed(element: Annotatable, operation: string): boolean {
  return sapAnnotation(element, operation) !== 'false'
}

/** Describes properties that a check can query. They have at least two different values. */
export interface PropertyFilter {
  readonly types: readonly PrimitiveTypeName[]
  /** Returns true if a query can contain the value. */
  readonly isUsable?: (value: unknown) => boolean
  /** Returns true if the check can judge the value. It must be true for all values of the property. */
  readonly isJudgeable?: (value: unknown) => boolean
  readonly where?: (property: Property, sample: Sample) => boolean
}

export function property(description: string, filter: PropertyFilter): Need<PropertySubject> {
  return {
    ...inSamples(description, (sample) => queryableProperty(sample, filter)),
    missing: missingValues(filter.types, 'not with two different values that the check can tell apart'),
  }
}

function queryableProperty(sample: Sample, filter: PropertyFilter): PropertySubject | undefined {
  const { types, isUsable = () => true, isJudgeable = () => true, where = () => true } = filter
  for (const one of sample.type.properties) {
    const { type, name } = one
    if (!isPrimitive(type) || !types.includes(type) || !isAllowed(one, 'filterable') || !where(one, sample))
      continue
    const values = [...new Set(sample.valuesOf(one))]
    if (values.length < 2 || !values.every(isJudgeable)) continue
    const candidates = values.filter(isUsable)
    const value = candidates[Math.floor(candidates.length / 2)]
    if (value !== undefined) return { sample, name, type, value, literal: formatLiteral(type, value) }
  }
  return undefined
}

/** A property of one entity. */
interface PropertyOfRow {
  readonly sample: Sample
  readonly row: Row
  readonly property: Property
  readonly name: string
  /** The address of the property. */
  readonly address: string
}

export function propertyWhere(
  description: string,
  fits: (value: unknown, property: Property) => boolean,
): Need<PropertyOfRow> {
  return inSamples(description, (sample) => {
    for (const row of sample.rows) {
      const found = sample.type.properties.find((one) => fits(row[one.name], one))
      if (found === undefined) continue
      const { name } = found
      return { sample, row, property: found, name, address: `${sample.addressOf(row)}/${name}` }
    }
    return undefined
  })
}

const isPresent = (value: unknown): boolean => value !== null && value !== undefined

/** Returns a property of one of the types, in an entity in which it has a value. */
export function valueOfType(types: readonly PrimitiveTypeName[], isUsable = isPresent): Need<PropertyOfRow> {
  return {
    ...propertyWhere(
      `a property of type ${types.join(' or ')}`,
      (value, { type }) => isPrimitive(type) && types.includes(type) && isUsable(value),
    ),
    missing: missingValues(types, 'without a value in the entities that were read'),
  }
}

export const nullProperty = propertyWhere(
  'an entity with a property that is null',
  (value, { type }) => isPrimitive(type) && value === null,
)

/** A navigation property of one entity. */
interface NavigationSubject {
  readonly sample: Sample
  readonly row: Row
  readonly navigation: NavigationProperty
  readonly name: string
  /** The address of the entity. */
  readonly entity: string
  /** The address of the navigation property. */
  readonly address: string
}

/** Returns false for navigation properties to groups of analytical sets, which cannot be expanded or linked. */
export function leadsToEntities({ targetType }: NavigationProperty): boolean {
  return sapAnnotation(targetType, 'semantics') !== 'aggregate'
}

export function navigationWhere(
  description: string,
  fits: (navigation: NavigationProperty) => boolean,
): Need<NavigationSubject> {
  return inSamples(description, (sample) => {
    const navigation = sample.type.navigationProperties.find((one) => leadsToEntities(one) && fits(one))
    if (navigation === undefined) return undefined
    const { name } = navigation
    const { first: row, firstAddress: entity } = sample
    return { sample, row, navigation, name, entity, address: `${entity}/${name}` }
  })
}

export const toMany = navigationWhere(
  'an entity with a navigation property to many entities',
  ({ isCollection }) => isCollection,
)

export const toOne = navigationWhere(
  'an entity with a navigation property to one entity',
  ({ isCollection }) => !isCollection,
)
