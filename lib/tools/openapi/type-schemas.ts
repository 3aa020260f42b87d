import { isFunction } from '../../edm/edm-model.js'
import type { ComplexType, EntityType, NavigationProperty, Property } from '../../edm/edm-model.js'
import type { DocumentBuilder } from './document-builder.js'
import type { JsonObject } from './json.js'
import { objectSchema, present, reference, stringSchema } from './json.js'
import { titleAndDescription } from './names.js'

/**
 * Returns the types of a model as schemas. No property is required: responses to `$select` and requests with PATCH omit some.
 *
 * @spec MS-ODATA 2.2.6.3.3 (entity types), 2.2.6.3.5 (complex types)
 */
export function typeSchemas(builder: DocumentBuilder): Record<string, JsonObject> {
  const { model, names } = builder
  const all: Record<string, JsonObject> = { ...SHARED_SCHEMAS }
  for (const type of model.complexTypes.values()) all[names.of(type)] = complexSchema(type, builder)
  for (const type of model.entityTypes.values()) {
    const name = names.of(type)
    all[name] = entitySchema(type, builder)
    all[`${name}.collection`] = collectionOf(entityReference(type, builder))
    if (type.derivedTypes.length > 0) {
      const types = [type, ...type.derivedTypes].map((one) => reference('schemas', names.of(one)))
      all[`${name}.any`] = { anyOf: types }
    }
  }
  return all
}

/** Returns a reference to the schema of a type and its derived types. */
export function entityReference(type: EntityType, { names }: DocumentBuilder): JsonObject {
  const name = names.of(type)
  return reference('schemas', type.derivedTypes.length > 0 ? `${name}.any` : name)
}

export function collectionReference(type: EntityType, { names }: DocumentBuilder): JsonObject {
  return reference('schemas', `${names.of(type)}.collection`)
}

function complexSchema(type: ComplexType, builder: DocumentBuilder): JsonObject {
  const properties = propertySchemas(type.properties, builder)
  return present({ type: 'object', ...titleAndDescription(type), properties })
}

function entitySchema(type: EntityType, builder: DocumentBuilder): JsonObject {
  const { baseType } = type
  const isGroup = builder.isGroup(type)
  const navigationProperties = isGroup ? [] : type.declaredNavigationProperties
  const properties = {
    ...(baseType === undefined ? { __metadata: reference('schemas', 'EntityMetadata') } : {}),
    ...propertySchemas(type.declaredProperties, builder, isGroup),
    ...Object.fromEntries(navigationProperties.map((one) => [one.name, navigationSchema(one, builder)])),
  }
  if (baseType === undefined) return present({ type: 'object', ...titleAndDescription(type), properties })
  const base = reference('schemas', builder.names.of(baseType))
  return present({ ...titleAndDescription(type), allOf: [base, { type: 'object', properties }] })
}

function propertySchemas(
  properties: readonly Property[],
  { values, sap }: DocumentBuilder,
  isGroup = false,
): JsonObject {
  return Object.fromEntries(
    properties.map((property) => {
      const { notCreatable, notUpdatable } = sap?.properties.get(property) ?? {}
      const { computed } = property
      const isComputed = computed !== undefined && (computed.expression !== undefined || isFunction(computed))
      const isReadOnly = isGroup || isComputed || (notCreatable === true && notUpdatable === true)
      return [property.name, values.ofProperty(property, isReadOnly)]
    }),
  )
}

/**
 * Returns a deferred link, or the related entities: in responses with `$expand`, and in requests that insert them, too.
 */
function navigationSchema(navigation: NavigationProperty, builder: DocumentBuilder): JsonObject {
  const { isCollection, targetType } = navigation
  const entity = entityReference(targetType, builder)
  const inline = isCollection
    ? [collectionReference(targetType, builder), { type: 'array', items: entity }]
    : [entity, { type: 'null' }]
  const anyOf = [reference('schemas', 'Deferred'), ...inline]
  return present({ ...titleAndDescription(navigation), anyOf })
}

/**
 * Returns a page of items, or all of them. It is complete in itself: generators lose the type of the items if a schema
 * refines that of another one.
 */
export function collectionOf(items: JsonObject): JsonObject {
  return {
    type: 'object',
    required: ['results'],
    properties: {
      __count: {
        ...stringSchema('The number of entities on all pages, with `$inlinecount=allpages`.'),
        pattern: '^[0-9]+$',
        examples: ['1'],
      },
      results: { type: 'array', items },
      __next: stringSchema('The URI of the next page; missing on the last page.'),
    },
  }
}

const SHARED_SCHEMAS: Readonly<Record<string, JsonObject>> = {
  Deferred: {
    description: 'The URI of related entities. In a request body: the URI of an existing entity to link.',
    ...objectSchema({ __deferred: objectSchema({ uri: { type: 'string' } }) }),
  },
  EntityMetadata: {
    type: 'object',
    description: 'Metadata of an entity.',
    properties: {
      uri: stringSchema('The URI of the entity.'),
      type: stringSchema('The qualified name of the entity type.'),
      etag: stringSchema('The ETag of the entity, for If-Match.'),
      content_type: stringSchema('The media type of the media resource.'),
      media_src: stringSchema('The URI to read the media resource.'),
      edit_media: stringSchema('The URI to change the media resource.'),
      media_etag: stringSchema('The ETag of the media resource.'),
    },
  },
  Error: objectSchema({
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: stringSchema('A stable error code.'),
        message: objectSchema({ lang: { type: 'string' }, value: { type: 'string' } }),
        innererror: { type: 'object', description: 'Additional information, such as `errordetails`.' },
      },
    },
  }),
  Link: objectSchema({ uri: { type: 'string' } }),
  Links: collectionOf(reference('schemas', 'Link')),
}
