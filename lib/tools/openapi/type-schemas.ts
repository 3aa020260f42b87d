import type { ComplexType, EntityType, NavigationProperty, Property } from '../../edm/edm-model.js'
import type { DescribedService } from './described-service.js'
import type { JsonObject } from './json.js'
import { present, reference } from './json.js'
import { descriptionOf, labelOf } from './texts.js'

/**
 * The types of a model as schemas. No property is required: `$select` leaves some out, and so does who changes others.
 *
 * @spec MS-ODATA 2.2.6.3.3 (entity types), 2.2.6.3.5 (complex types)
 */
export function typeSchemas(service: DescribedService): Record<string, JsonObject> {
  const { model, names } = service
  const all: Record<string, JsonObject> = { ...sharedSchemas }
  for (const type of model.complexTypes.values()) all[names.of(type)] = complexSchema(type, service)
  for (const type of model.entityTypes.values()) {
    const name = names.of(type)
    all[name] = entitySchema(type, service)
    all[`${name}.collection`] = collectionSchema(type, service)
    if (type.derivedTypes.length > 0) {
      const types = [type, ...type.derivedTypes].map((one) => reference('schemas', names.of(one)))
      all[`${name}.any`] = { anyOf: types }
    }
  }
  return all
}

/** An entity of a type or of one derived from it. */
export function entityReference(type: EntityType, { names }: DescribedService): JsonObject {
  const name = names.of(type)
  return reference('schemas', type.derivedTypes.length > 0 ? `${name}.any` : name)
}

export function collectionReference(type: EntityType, { names }: DescribedService): JsonObject {
  return reference('schemas', `${names.of(type)}.collection`)
}

function complexSchema(type: ComplexType, service: DescribedService): JsonObject {
  return present({
    type: 'object',
    title: labelOf(type),
    description: descriptionOf(type),
    properties: propertySchemas(type.properties, service),
  })
}

function entitySchema(type: EntityType, service: DescribedService): JsonObject {
  const { baseType } = type
  const properties = {
    ...(baseType === undefined ? { __metadata: reference('schemas', 'EntityMetadata') } : {}),
    ...propertySchemas(type.declaredProperties, service),
    ...Object.fromEntries(
      type.declaredNavigationProperties.map((one) => [one.name, navigationSchema(one, service)]),
    ),
  }
  const texts = { title: labelOf(type), description: descriptionOf(type) }
  if (baseType === undefined) return present({ type: 'object', ...texts, properties })
  const base = reference('schemas', service.names.of(baseType))
  return present({ ...texts, allOf: [base, { type: 'object', properties }] })
}

function propertySchemas(properties: readonly Property[], { values, sap }: DescribedService): JsonObject {
  return Object.fromEntries(
    properties.map((property) => {
      const { notCreatable, notUpdatable } = sap?.properties.get(property) ?? {}
      const isFixed = notCreatable === true && notUpdatable === true
      return [property.name, values.ofProperty(property, isFixed)]
    }),
  )
}

/** What it leads to is left out, shown with `$expand`, or sent along with a new entity. */
function navigationSchema(navigation: NavigationProperty, service: DescribedService): JsonObject {
  const { isCollection, targetType } = navigation
  const entity = entityReference(targetType, service)
  const inline = isCollection
    ? [collectionReference(targetType, service), { type: 'array', items: entity }]
    : [entity, { type: 'null' }]
  return present({
    title: labelOf(navigation),
    description: descriptionOf(navigation),
    anyOf: [reference('schemas', 'Deferred'), ...inline],
  })
}

function collectionSchema(type: EntityType, service: DescribedService): JsonObject {
  return {
    allOf: [
      reference('schemas', 'Results'),
      { properties: { results: { items: entityReference(type, service) } } },
    ],
  }
}

const sharedSchemas: Record<string, JsonObject> = {
  Deferred: {
    type: 'object',
    description: 'Where related entities are. In a body: the address of an entity that is to be linked.',
    required: ['__deferred'],
    properties: {
      __deferred: { type: 'object', required: ['uri'], properties: { uri: { type: 'string' } } },
    },
  },
  EntityMetadata: {
    type: 'object',
    description: 'What an entity says of itself.',
    properties: {
      uri: { type: 'string', description: 'Its address.' },
      type: { type: 'string', description: 'The qualified name of its type.' },
      etag: { type: 'string', description: 'Its version, for If-Match.' },
      content_type: { type: 'string', description: 'The media type of its media resource.' },
      media_src: { type: 'string', description: 'Where its media resource is read.' },
      edit_media: { type: 'string', description: 'Where its media resource is changed.' },
      media_etag: { type: 'string', description: 'The version of its media resource.' },
    },
  },
  Error: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', description: 'Stays the same, so that programs can compare it.' },
          message: {
            type: 'object',
            required: ['lang', 'value'],
            properties: { lang: { type: 'string' }, value: { type: 'string' } },
          },
          innererror: { type: 'object', description: 'More of it, such as `errordetails`.' },
        },
      },
    },
  },
  Link: { type: 'object', required: ['uri'], properties: { uri: { type: 'string' } } },
  Links: {
    allOf: [
      { $ref: '#/components/schemas/Results' },
      { properties: { results: { items: { $ref: '#/components/schemas/Link' } } } },
    ],
  },
  Results: {
    type: 'object',
    required: ['results'],
    properties: {
      __count: {
        type: 'string',
        pattern: '^[0-9]+$',
        description: 'How many there are on all pages, when $inlinecount=allpages asks for it.',
      },
      results: { type: 'array' },
      __next: { type: 'string', description: 'The address of the next page, when there is one.' },
    },
  },
}
