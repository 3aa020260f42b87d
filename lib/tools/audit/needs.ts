import { annotationValue, sapNamespace } from '../../edm/annotations.js'
import type { EdmModel, EntitySet, NavigationProperty, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { AuditRun } from './audit-run.js'
import type { Need } from './check.js'
import { literalOf } from './literals.js'
import type { Row, Sample } from './sample.js'
import { presentValues } from './sample.js'

/** Nothing but the address of the service. */
export const nothing: Need<true> = {
  description: 'nothing but the service',
  find: () => Promise.resolve(true),
}

export const model: Need<EdmModel> = {
  description: 'a metadata document that can be read',
  find: ({ service }) => service.model(),
}

/** Entities of one set, at least so many. */
export function entities(minimum = 1): Need<Sample> {
  const found = minimum === 1 ? 'entities' : `${minimum} entities`
  return sampleWhere(`an entity set with ${found} that can be read`, ({ rows }) => rows.length >= minimum)
}

export function sampleWhere(description: string, fits: (sample: Sample) => boolean): Need<Sample> {
  return inSamples(description, (sample) => (fits(sample) ? sample : undefined))
}

/** What is found in some sample: one that has all entities of its set is preferred. */
export function inSamples<Subject>(
  description: string,
  find: (sample: Sample) => Subject | undefined,
): Need<Subject> {
  return { description, find: (audit) => firstOf(audit, find), missing: missingInSamples }
}

/** What is not found may be missing in the model, or only in the entities: nobody can tell. */
async function missingInSamples({ service }: AuditRun): Promise<string> {
  const samples = await service.allSamples()
  return samples.length === 0
    ? 'No entity set has entities that can be read.'
    : 'None was found in the entities that were read.'
}

/** Tells a model without such properties from entities whose values are of no use to a check. */
export function missingValues(
  types: readonly PrimitiveTypeName[],
  lack: string,
): (audit: AuditRun) => Promise<string> {
  return async ({ service }) => {
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

async function firstOf<Subject>(
  { service }: AuditRun,
  find: (sample: Sample) => Subject | undefined,
): Promise<Subject | undefined> {
  let second: Subject | undefined
  for (const set of await service.entitySets()) {
    const sample = await service.sample(set)
    const found = sample === undefined || sample.rows.length === 0 ? undefined : find(sample)
    if (found === undefined) continue
    if (sample?.complete === true) return found
    second ??= found
  }
  return second
}

/** A property, and one of the values it has. */
export interface PropertySubject {
  readonly sample: Sample
  readonly name: string
  readonly type: PrimitiveTypeName
  /** As JSON shows it. */
  readonly value: unknown
  /** As addresses have it, not encoded. */
  readonly literal: string
}

/** Properties of some types, and what their values must be for a check to tell right from wrong. */
export interface PropertyDemands {
  readonly types: readonly PrimitiveTypeName[]
  /** True for a value that a query can be made with. */
  readonly usable?: (value: unknown) => boolean
  /** True when all values of the property, and there are at least two, are such as the check can judge. */
  readonly all?: (values: readonly unknown[]) => boolean
  readonly where?: (property: Property, sample: Sample) => boolean
}

export function property(description: string, demands: PropertyDemands): Need<PropertySubject> {
  return {
    ...inSamples(description, (sample) => propertyIn(sample, demands)),
    missing: missingValues(demands.types, 'not with two different values that the check can tell apart'),
  }
}

function propertyIn(sample: Sample, demands: PropertyDemands): PropertySubject | undefined {
  const { types, usable = () => true, all = () => true, where = () => true } = demands
  for (const one of sample.set.entityType.properties) {
    const { type, name } = one
    if (!isPrimitive(type) || !types.includes(type) || !isFilterable(one) || !where(one, sample)) continue
    const values = [...new Set(presentValues(sample, one))]
    if (values.length < 2 || !all(values)) continue
    const candidates = values.filter(usable)
    const value = candidates[Math.floor(candidates.length / 2)]
    if (value !== undefined) return { sample, name, type, value, literal: literalOf(type, value) }
  }
  return undefined
}

/** A navigation property that leads from an entity, and that entity. */
export interface NavigationSubject {
  readonly sample: Sample
  readonly navigation: NavigationProperty
  readonly row: Row
  readonly target: EntitySet | undefined
}

/** @param fits whether a navigation property is such as is looked for */
export function navigation(
  description: string,
  fits: (navigation: NavigationProperty, row: Row) => boolean,
): Need<NavigationSubject> {
  return inSamples(description, (sample) => {
    for (const row of sample.rows) {
      const found = sample.set.entityType.navigationProperties.find((one) => fits(one, row))
      if (found !== undefined) {
        return { sample, navigation: found, row, target: sample.set.targetOf(found) }
      }
    }
    return undefined
  })
}

export const toMany = navigation(
  'an entity with a navigation property that leads to many',
  ({ isCollection }) => isCollection,
)

export const toOne = navigation(
  'an entity with a navigation property that leads to one',
  ({ isCollection }) => !isCollection,
)

/** SAP's annotations say what a service refuses. */
export function isFilterable(property: Property): boolean {
  return annotationValue(property, sapNamespace, 'filterable') !== 'false'
}

export function isSortable(property: Property): boolean {
  return annotationValue(property, sapNamespace, 'sortable') !== 'false'
}
