import type { EntitySet, EntityType, Property } from '../../edm/edm-model.js'
import { hasDefaultValue, isPrimitive, isStoreGenerated } from '../../edm/edm-model.js'
import { exportMediaTypes } from '../../formats/export/negotiate-export.js'
import type { DocumentBuilder } from './document-builder.js'
import type { Json, JsonObject } from './json.js'
import { objectSchema, present, reference } from './json.js'
import { collectionReference, entityReference } from './type-schemas.js'
import { sampleOf } from './value-schemas.js'

const TEXT: JsonObject = { schema: { type: 'string' } }

/** Returns the content of a request: JSON only, because orval sends no media type if there are several. */
export function requestContent(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } }
}

/** Returns the content of a response in JSON, or in Atom or XML, which is not described further. */
function documentContent(schema: JsonObject, xmlMediaType: string): JsonObject {
  return { 'application/json': { schema }, [xmlMediaType]: TEXT }
}

/** Returns the content of a response: in verbose JSON, an object with the document as member `d`. */
export function responseContent(schema: JsonObject, xmlMediaType: string): JsonObject {
  return documentContent(objectSchema({ d: schema }), xmlMediaType)
}

/**
 * Returns a response without a schema of the model. Errors are references; other responses are part of their operation,
 * like request bodies: some generators do not look up their media types.
 */
export function response(name: keyof typeof ERROR_RESPONSES | keyof typeof RESPONSES): JsonObject {
  return name in ERROR_RESPONSES ? reference('responses', name) : RESPONSES[name as keyof typeof RESPONSES]
}

/** Headers and responses that a conditional request adds to an operation. */
interface ConditionalParts {
  readonly parameters: readonly JsonObject[]
  readonly responses: JsonObject
}

export function conditionalRead(type: EntityType, builder: DocumentBuilder): ConditionalParts {
  if (hasEtag(type, builder) === 'never') return { parameters: [], responses: {} }
  return {
    parameters: [reference('parameters', 'If-None-Match')],
    responses: { '304': response('NotModified') },
  }
}

export function conditionalChange(type: EntityType, builder: DocumentBuilder): ConditionalParts {
  const etag = hasEtag(type, builder)
  if (etag === 'never') return { parameters: [], responses: {} }
  return {
    parameters: [reference('parameters', etag === 'always' ? 'If-Match' : 'If-Match.optional')],
    responses: { '412': response('PreconditionFailed'), '428': response('PreconditionRequired') },
  }
}

/** Checks whether entities of a type have an ETag: `sometimes` if only derived types have concurrency tokens, or the store decides. */
function hasEtag(type: EntityType, { taggedTypes }: DocumentBuilder): 'always' | 'sometimes' | 'never' {
  if (type.concurrencyTokens.length > 0) return 'always'
  const tagged = taggedTypes.get(type.qualifiedName)
  if (tagged !== undefined) return tagged
  return type.derivedTypes.some(({ concurrencyTokens }) => concurrencyTokens.length > 0)
    ? 'sometimes'
    : 'never'
}

const ETAG_HEADER: JsonObject = { ETag: reference('headers', 'ETag') }

/** Returns the response with an entity. */
export function entityResponse(type: EntityType, builder: DocumentBuilder): JsonObject {
  return {
    description: `An entity of type ${type.name}.`,
    ...etagHeaders(type, builder),
    content: responseContent(entityReference(type, builder), 'application/atom+xml'),
  }
}

/** Returns the response with a page of entities. */
export function pageResponse(type: EntityType, builder: DocumentBuilder): JsonObject {
  return {
    description: `Entities of type ${type.name}.`,
    content: {
      ...responseContent(collectionReference(type, builder), 'application/atom+xml'),
      ...exportContent(builder),
    },
  }
}

/** Returns the response with a property of an entity. @spec MS-ODATA 2.2.6.3.6 (an object with one member) */
export function propertyResponse(type: EntityType, builder: DocumentBuilder): JsonObject {
  return {
    description: `A property of an entity of type ${type.name}.`,
    ...etagHeaders(type, builder),
    content: propertyContent(builder.names.of(type), type.properties),
  }
}

/** Returns the content of a response with one of the properties of a type. */
export function propertyContent(schema: string, properties: readonly Property[]): JsonObject {
  const d = { allOf: [reference('schemas', schema)], minProperties: 1, maxProperties: 1 }
  const first = properties.find(({ type }) => isPrimitive(type))
  const example = first && { d: { [first.name]: sampleOf(first) } }
  return { 'application/json': present({ schema: objectSchema({ d }), example }), 'application/xml': TEXT }
}

function etagHeaders(type: EntityType, builder: DocumentBuilder): JsonObject {
  return hasEtag(type, builder) === 'never' ? {} : { headers: ETAG_HEADER }
}

/** Returns the files that collections are available as. */
function exportContent({ settings }: DocumentBuilder): JsonObject {
  const media = exportMediaTypes(settings.exports?.formats ?? [])
  return Object.fromEntries(media.map((type) => [type, type.startsWith('text/') ? TEXT : {}]))
}

/** Returns the body of a request that changes an entity. */
export function entityBody(type: EntityType, builder: DocumentBuilder): JsonObject {
  return {
    required: true,
    content: requestContent(entityReference(type, builder)),
  }
}

/**
 * Returns the body of a request that creates an entity. A media link entry is created with its media resource, or with an Atom
 * entry.
 *
 * @spec MS-ODATA 2.2.7.1
 */
export function newEntityBody(set: EntitySet, builder: DocumentBuilder): JsonObject {
  const { entityType } = set
  if (entityType.hasStream) {
    const entry = { 'application/atom+xml;type=entry': TEXT }
    const media = builder.acceptsMedia(set) ? { 'application/octet-stream': {}, '*/*': {} } : {}
    return { required: true, content: { ...media, ...entry } }
  }
  const required = entityType.properties.filter(
    (property) =>
      isCreatable(property, builder) && !property.isKey && !property.nullable && !hasDefaultValue(property),
  )
  const whole = entityReference(entityType, builder)
  const schema =
    required.length === 0 ? whole : { allOf: [whole], required: required.map(({ name }) => name) }
  const example = entityType.abstract ? undefined : newEntitySample(entityType, required, builder)
  return {
    required: true,
    content: { 'application/json': { schema, example } },
  }
}

/** Returns true if clients set a simple property when they create an entity. */
function isCreatable(property: Property, { sap }: DocumentBuilder): boolean {
  return (
    isPrimitive(property.type) &&
    !isStoreGenerated(property) &&
    property.concurrencyMode !== 'Fixed' &&
    sap?.properties.get(property)?.notCreatable !== true
  )
}

/** Shows the key, the required properties and up to three others. */
function newEntitySample(type: EntityType, required: readonly Property[], builder: DocumentBuilder): Json {
  const optional = type.properties.filter(
    (property) => !required.includes(property) && !property.isKey && isCreatable(property, builder),
  )
  const examples = new Set([...required, ...optional.slice(0, 3)])
  const shown = type.properties.filter(
    (property) => examples.has(property) || (property.isKey && !isStoreGenerated(property)),
  )
  return Object.fromEntries(shown.map((property) => [property.name, sampleOf(property)]))
}

function errorResponse(description: string): JsonObject {
  return { description, content: documentContent(reference('schemas', 'Error'), 'application/xml') }
}

const BYTES: JsonObject = { 'application/octet-stream': {} }

export const ERROR_RESPONSES = {
  Error: errorResponse('The request failed. `code` and `message` state the reason.'),
  NotFound: errorResponse('The resource does not exist.'),
  PreconditionFailed: errorResponse('The entity has changed since the client read it.'),
  PreconditionRequired: errorResponse('The request needs an If-Match header with the ETag of the entity.'),
} satisfies Readonly<Record<string, JsonObject>>

const RESPONSES = {
  Changed: { description: 'The change is done.', headers: ETAG_HEADER },
  Done: { description: 'The request succeeded; there is no content.' },
  NotModified: { description: 'The resource has not changed since the client read it.' },
  Count: {
    description: 'The number of entities.',
    content: { 'text/plain': { schema: { type: 'string', pattern: '^[0-9]+$', examples: ['1'] } } },
  },
  Link: {
    description: 'The URI of the entity.',
    content: responseContent(reference('schemas', 'Link'), 'application/xml'),
  },
  Links: {
    description: 'The URIs of the entities.',
    content: responseContent(reference('schemas', 'Links'), 'application/xml'),
  },
  Raw: {
    description: 'The value as plain text, or as bytes.',
    headers: ETAG_HEADER,
    content: { 'text/plain': TEXT, ...BYTES },
  },
  Media: { description: 'The media resource.', headers: ETAG_HEADER, content: { '*/*': {} } },
  MediaRange: {
    description: 'The requested range of the media resource.',
    headers: ETAG_HEADER,
    content: { '*/*': {} },
  },
} satisfies Readonly<Record<string, JsonObject>>

/** Bodies without a schema of the model. */
export const BODIES = {
  Link: { required: true, content: requestContent(reference('schemas', 'Link')) },
  Property: {
    required: true,
    description: 'An object with the property as its only member: `{"Name":"x"}`.',
    content: requestContent({ type: 'object', minProperties: 1, maxProperties: 1 }),
  },
  Raw: { required: true, content: { 'text/plain': TEXT } },
  RawBytes: { required: true, content: { ...BYTES, '*/*': {} } },
  Media: { required: true, content: { ...BYTES, '*/*': {} } },
} satisfies Readonly<Record<string, JsonObject>>

export const SHARED_HEADERS: Readonly<Record<string, JsonObject>> = {
  ETag: {
    description: 'The version of the entity, for If-Match and If-None-Match.',
    schema: { type: 'string' },
  },
  Location: { description: 'The URI of the new entity.', schema: { type: 'string' } },
}

function header(name: string, description: string, required: boolean, facets: JsonObject = {}): JsonObject {
  return { name, in: 'header', required, description, schema: { type: 'string', ...facets } }
}

export const SHARED_PARAMETERS: Readonly<Record<string, JsonObject>> = {
  'If-Match': header('If-Match', 'The ETag of the entity to change; `*` matches any.', true),
  'If-Match.optional': header('If-Match', 'The ETag of the entity to change.', false),
  'If-None-Match': header('If-None-Match', 'The ETag of the representation that the client has.', false),
  Prefer: header('Prefer', 'Whether the response contains the entity.', false, {
    enum: ['return=representation', 'return=minimal'],
  }),
  Range: header('Range', 'The requested range of bytes: `bytes=0-999`.', false),
  Slug: header('Slug', 'A name for the new media resource, percent-encoded.', false),
}

export const CSRF_PARAMETER: JsonObject = header(
  'x-csrf-token',
  'The token from the response to a GET request with `x-csrf-token: Fetch`.',
  true,
)
