import type { EntitySet, EntityType, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { DescribedService } from './described-service.js'
import { isVersioned } from './described-service.js'
import type { Json, JsonObject } from './json.js'
import { reference } from './json.js'
import { keyParameters, keyPartNames } from './key-template.js'
import { collectionReference, entityReference } from './type-schemas.js'
import { sampleOf } from './value-schemas.js'

const xml: JsonObject = { schema: { type: 'string' } }

/** What answers are within: no answer in JSON is an array. */
export function inD(schema: JsonObject): JsonObject {
  return { type: 'object', required: ['d'], properties: { d: schema } }
}

/** @param atom the media type of the same in Atom, or of XML */
export function document(schema: JsonObject, atom: string): JsonObject {
  return { 'application/json': { schema }, [atom]: xml }
}

export const etagHeader: JsonObject = { ETag: reference('headers', 'ETag') }

/** The keys of each type, by the names that {@link keyReferences} refers to. */
export function keyComponents(service: DescribedService): Record<string, JsonObject> {
  const components: Record<string, JsonObject> = {}
  for (const type of service.model.entityTypes.values()) {
    const names = keyPartNames(type)
    for (const [index, parameter] of keyParameters(type).entries()) {
      components[keyComponent(type, names[index] ?? '', service)] = parameter
    }
  }
  return components
}

export function keyReferences(type: EntityType, service: DescribedService): readonly JsonObject[] {
  return keyPartNames(type).map((name) => reference('parameters', keyComponent(type, name, service)))
}

function keyComponent(type: EntityType, name: string, { names }: DescribedService): string {
  return `${names.of(type)}.key.${name}`
}

/** The answers that hold entities: one and many of each type. */
export function entityResponses(service: DescribedService): Record<string, JsonObject> {
  const components: Record<string, JsonObject> = {}
  for (const type of service.model.entityTypes.values()) {
    const name = service.names.of(type)
    components[name] = {
      description: `An entity of type ${type.name}.`,
      ...(isVersioned(type) === 'never' ? {} : { headers: etagHeader }),
      content: document(inD(entityReference(type, service)), 'application/atom+xml'),
    }
    components[`${name}.page`] = {
      description: `Entities of type ${type.name}.`,
      content: document(inD(collectionReference(type, service)), 'application/atom+xml'),
    }
    components[`${name}.value`] = valueResponse(type, service)
  }
  return components
}

/** One of the properties of a type, complex ones included. @spec MS-ODATA 2.2.6.3.6 */
function valueResponse(type: EntityType, service: DescribedService): JsonObject {
  const schema: JsonObject = {
    allOf: [reference('schemas', service.names.of(type))],
    minProperties: 1,
    maxProperties: 1,
  }
  return {
    description: `A property of an entity of type ${type.name}.`,
    ...(isVersioned(type) === 'never' ? {} : { headers: etagHeader }),
    content: document(inD(schema), 'application/xml'),
  }
}

/** The bodies that change entities, of each type, and those that add entities to each set. */
export function requestBodies(service: DescribedService): Record<string, JsonObject> {
  const components: Record<string, JsonObject> = {}
  for (const type of service.model.entityTypes.values()) {
    const schema = entityReference(type, service)
    components[service.names.of(type)] = {
      required: true,
      content: { 'application/json': { schema }, 'application/atom+xml': xml },
    }
  }
  return components
}

/**
 * The body of a new entity. A new media link entry is sent as its bytes, or as an Atom entry without them.
 *
 * @spec MS-ODATA 2.2.7.1
 */
export function newEntityBody(set: EntitySet, service: DescribedService): JsonObject {
  const { entityType } = set
  if (entityType.hasStream) {
    const entry = { 'application/atom+xml;type=entry': xml }
    const content = service.takesMedia(set) ? { 'application/octet-stream': {}, '*/*': {}, ...entry } : entry
    return { required: true, content }
  }
  const required = entityType.properties.filter((one) => isNeeded(one, service))
  const whole = entityReference(entityType, service)
  const schema =
    required.length === 0 ? whole : { allOf: [whole], required: required.map(({ name }) => name) }
  const example = entityType.abstract ? undefined : newEntitySample(entityType, required, service)
  return {
    required: true,
    content: { 'application/json': { schema, example }, 'application/atom+xml': xml },
  }
}

/** A key may be missing that the store makes; what it is, it says itself. */
function isNeeded(property: Property, { sap }: DescribedService): boolean {
  const { nullable, defaultValue, storeGeneratedPattern = 'None', isKey, type } = property
  if (nullable || defaultValue !== undefined || isKey || !isPrimitive(type)) return false
  if (storeGeneratedPattern !== 'None' || property.concurrencyMode === 'Fixed') return false
  return sap?.properties.get(property)?.notCreatable !== true
}

/** The least that makes an entity, and some more to see what it looks like. */
function newEntitySample(type: EntityType, required: readonly Property[], { sap }: DescribedService): Json {
  const isOffered = (one: Property): boolean =>
    isPrimitive(one.type) &&
    !one.isKey &&
    one.concurrencyMode !== 'Fixed' &&
    (one.storeGeneratedPattern ?? 'None') === 'None' &&
    sap?.properties.get(one)?.notCreatable !== true
  const more = type.properties.filter((one) => !required.includes(one) && isOffered(one)).slice(0, 3)
  const shown = type.properties.filter(
    (one) =>
      required.includes(one) ||
      more.includes(one) ||
      (one.isKey && (one.storeGeneratedPattern ?? 'None') === 'None'),
  )
  return Object.fromEntries(shown.map((one) => [one.name, sampleOf(one)]))
}
