import type { EdmModel, EntitySet } from '../../edm/edm-model.js'
import { startedBy } from '../../errors/start-fault.js'
import type { OpenApiInfo, ServiceOptions, Settings } from '../../options.js'
import { settingsOf } from '../../options.js'
import { checkProvider } from '../../data/check-provider.js'
import type { Provider } from '../../provider/provider.js'
import { canWrite } from '../../data/provider-calls.js'
import type { CollectionSource } from '../../query/request-target.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import { DescribedService } from './described-service.js'
import {
  entityResponses,
  keyComponents,
  requestBodies,
  inD,
  document,
  etagHeader,
} from './entity-components.js'
import type { Place } from './entity-paths.js'
import { collectionPaths, entityPaths, keyedPlace } from './entity-paths.js'
import { functionPath, functionTag } from './function-paths.js'
import type { Json, JsonObject } from './json.js'
import { present, reference } from './json.js'
import { keyTemplate } from './key-template.js'
import { navigationPaths } from './navigation-paths.js'
import { propertyPaths } from './property-paths.js'
import { parameterComponents } from './query-parameters.js'
import { descriptionOf, labelOf } from './texts.js'
import { typeSchemas } from './type-schemas.js'
import { ifAllowed, operation, pathItem } from './operations.js'

/** The tag of what belongs to no entity set. */
const serviceTag = 'Service'

const text: JsonObject = { schema: { type: 'string' } }

const serviceDocument: JsonObject = {
  'application/json': {
    schema: inD({
      type: 'object',
      required: ['EntitySets'],
      properties: { EntitySets: { type: 'array', items: { type: 'string' } } },
    }),
  },
  'application/atomsvc+xml': text,
}

const batchContent: JsonObject = {
  ...text,
  example: [
    '--batch',
    'Content-Type: application/http',
    'Content-Transfer-Encoding: binary',
    '',
    'GET $metadata HTTP/1.1',
    '',
    '',
    '--batch--',
    '',
  ].join('\r\n'),
}

/** Options of {@link openApiDocument}: what the service is mounted with, as far as clients see it. */
export interface OpenApiOptions
  extends
    OpenApiInfo,
    Pick<
      ServiceOptions,
      | 'csrf'
      | 'disabledQueryOptions'
      | 'doubleAsNumber'
      | 'nullNavigation'
      | 'pageSize'
      | 'readOnly'
      | 'sapRestrictions'
      | 'serviceRoot'
    > {
  /** What the data comes from: only what it can change is described as changeable. Default: one that can do everything. */
  readonly provider?: Pick<Provider, 'entitySets'> | undefined
}

/** An OpenAPI document of version 3.1, ready for `JSON.stringify`. */
export interface OpenApiDocument extends JsonObject {
  readonly openapi: '3.1.0'
  readonly info: JsonObject
  readonly servers: readonly JsonObject[]
  readonly tags: readonly JsonObject[]
  readonly paths: Readonly<Record<string, JsonObject>>
  readonly components: Readonly<Record<string, JsonObject>>
}

/**
 * Describes a service as an OpenAPI 3.1 document: the operations that it has, with their query options, headers,
 * bodies in verbose JSON and answers. The same model and options give the same document.
 *
 * @param model from `defineModel` or `readEdmx`
 * @param options title, version and description; the provider and the options of the service
 * @returns plain data, for `JSON.stringify`
 * @throws TypeError for misspelt options and for a provider that does not fit the model
 * @example
 * const document = openApiDocument(model, { title: 'Shop', serviceRoot: 'https://example.org/shop/', readOnly: true })
 * await writeFile('openapi.json', JSON.stringify(document, null, 2))
 * @spec MS-ODATA 2.2.3 (URIs), 2.2.6.3 (verbose JSON)
 */
export function openApiDocument(model: EdmModel, options: OpenApiOptions = {}): OpenApiDocument {
  const { title, version, description, provider, ...others } = options
  const settings = startedBy('openApiDocument', () => {
    if (provider !== undefined) checkProvider(provider, model)
    return settingsOf({ ...others, openapi: { title, version, description } }, model)
  })
  return describe(model, settings, provider)
}

/** @param provider undefined for one that can do everything */
export function describe(
  model: EdmModel,
  settings: Settings,
  provider: Pick<Provider, 'entitySets'> | undefined,
): OpenApiDocument {
  const service = new DescribedService(
    model,
    settings,
    (set, name) => provider === undefined || canWrite(provider, set, name),
  )
  const functions = model.entityContainers.flatMap(({ functionImports }) => functionImports)
  const paths = {
    ...servicePaths(service),
    ...Object.assign({}, ...service.entitySets.map((set) => pathsOfSet(set, service))),
    ...Object.assign({}, ...functions.map((one) => functionPath(one, service))),
  } as Readonly<Record<string, JsonObject>>
  return {
    openapi: '3.1.0',
    info: infoOf(model, settings.openapi ?? {}),
    servers: settings.serviceRoot === undefined ? [] : [{ url: serverAddress(settings.serviceRoot) }],
    tags: tagsOf(service, paths),
    paths,
    // Last: paths say what they have in common.
    components: componentsOf(service),
  }
}

/** Paths begin with a slash, which the address of a server must not end with. */
export function serverAddress(serviceRoot: string): string {
  return serviceRoot.replace(/\/$/, '')
}

function pathsOfSet(set: EntitySet, service: DescribedService): Readonly<Record<string, JsonObject>> {
  const path = `/${percentEncode(set.path)}`
  const collection: Place<CollectionSource> = {
    source: { kind: 'EntitySet', set },
    path,
    name: set.path,
    tag: set.path,
    label: labelOf(set) ?? set.name,
    parameters: [],
  }
  const { entityType } = set
  const label = labelOf(entityType) ?? entityType.name
  const address = path + keyTemplate(entityType)
  const entity = keyedPlace(set, address, label, `${set.path}_entity`, service)
  return {
    ...collectionPaths(collection, service),
    ...entityPaths(entity, service),
    ...propertyPaths(entity, service),
    ...navigationPaths(entity, service),
  }
}

function infoOf({ defaultContainer }: EdmModel, { title, version, description }: OpenApiInfo): JsonObject {
  const text = description ?? descriptionOf(defaultContainer)
  return {
    title: title ?? labelOf(defaultContainer) ?? defaultContainer.name,
    version: version ?? '1.0.0',
    description: text === undefined ? conventions : `${text}\n\n${conventions}`,
  }
}

const conventions = [
  'An OData service of version 2.0. Its model is at `/$metadata`. Answers are Atom or XML unless `Accept` or `$format` asks for JSON.',
  'What can be read also answers `HEAD`, and everything answers `OPTIONS`; `MERGE` is another word for `PATCH`.',
].join('\n\n')

function tagsOf(
  service: DescribedService,
  paths: Readonly<Record<string, JsonObject>>,
): readonly JsonObject[] {
  const sets = service.entitySets.map((set) =>
    present({ name: set.path, description: descriptionOf(set) ?? labelOf(set) }),
  )
  const hasFunctions = JSON.stringify(paths).includes(`"tags":["${functionTag}"]`)
  return [...sets, ...(hasFunctions ? [{ name: functionTag }] : []), { name: serviceTag }]
}

function componentsOf(service: DescribedService): Readonly<Record<string, JsonObject>> {
  const csrf: Record<string, Json> =
    service.settings.csrf === undefined ? {} : { 'x-csrf-token': csrfParameter }
  return {
    schemas: typeSchemas(service),
    parameters: {
      ...sharedParameters,
      ...csrf,
      ...keyComponents(service),
      ...parameterComponents(service),
      ...service.components.parameters,
    },
    responses: { ...sharedResponses, ...entityResponses(service), ...service.components.responses },
    requestBodies: { ...sharedBodies, ...requestBodies(service), ...service.components.requestBodies },
    headers: sharedHeaders,
  }
}

/** The service document, the metadata and `$batch`. @spec MS-ODATA 2.2.3.5 (URI 0, 8 and 9) */
function servicePaths(service: DescribedService): Record<string, JsonObject> {
  const feeds = operation(
    'GET',
    {
      name: 'service',
      verb: 'read',
      tag: serviceTag,
      summary: 'Read the service document',
      parameters: [reference('parameters', 'format')],
      responses: { '200': { description: 'The entity sets.', content: serviceDocument } },
    },
    service,
  )
  const metadata = operation(
    'GET',
    {
      name: 'metadata',
      verb: 'read',
      tag: serviceTag,
      summary: 'Read the model',
      responses: { '200': { description: 'The model as EDMX.', content: { 'application/xml': text } } },
    },
    service,
  )
  const batch = ifAllowed('POST', { kind: 'Batch' }, service, () => ({
    name: 'batch',
    verb: 'send',
    tag: serviceTag,
    summary: 'Send several requests in one',
    description: 'The changes of a change set happen all or not at all.',
    requestBody: { required: true, content: { 'multipart/mixed; boundary=batch': batchContent } },
    responses: {
      '202': { description: 'An answer for each part.', content: { 'multipart/mixed': text } },
    },
  }))
  return {
    ...pathItem('/', [], [['GET', feeds]]),
    ...pathItem('/$metadata', [], [['GET', metadata]]),
    ...pathItem('/$batch', [], [batch]),
  }
}

function failure(description: string): JsonObject {
  return { description, content: document(reference('schemas', 'Error'), 'application/xml') }
}

const plainText: JsonObject = { 'text/plain': { schema: { type: 'string' } } }

const bytes: JsonObject = { 'application/octet-stream': {} }

/** Answers that are the same for all sets. */
const sharedResponses: Record<string, JsonObject> = {
  Error: failure('The request cannot be answered; `code` and `message` say why.'),
  NotFound: failure('There is no such resource.'),
  PreconditionFailed: failure('The entity has changed since the client read it.'),
  PreconditionRequired: failure('If-Match must name the version that is changed.'),
  Changed: { description: 'Done.', headers: etagHeader },
  Done: { description: 'Done.' },
  NotModified: { description: 'It is as the client knows it.' },
  Count: {
    description: 'How many there are.',
    content: { 'text/plain': { schema: { type: 'string', pattern: '^[0-9]+$' } } },
  },
  Link: {
    description: 'The address of the entity.',
    content: document(inD(reference('schemas', 'Link')), 'application/xml'),
  },
  Links: {
    description: 'The addresses of the entities.',
    content: document(inD(reference('schemas', 'Links')), 'application/xml'),
  },
  Raw: {
    description: 'The value as text, or its bytes.',
    headers: etagHeader,
    content: { ...plainText, ...bytes },
  },
  Media: { description: 'The bytes of the media resource.', headers: etagHeader, content: { '*/*': {} } },
  MediaRange: {
    description: 'The part of the media resource that Range asks for.',
    headers: etagHeader,
    content: { '*/*': {} },
  },
}

const sharedBodies: Record<string, JsonObject> = {
  Link: {
    required: true,
    content: {
      'application/json': { schema: reference('schemas', 'Link') },
      'application/xml': { schema: { type: 'string' } },
    },
  },
  Property: {
    required: true,
    description: 'The property by its name: `{"Name":"x"}`.',
    content: document({ type: 'object', minProperties: 1, maxProperties: 1 }, 'application/xml'),
  },
  Raw: { required: true, content: { 'text/plain': { schema: { type: 'string' } } } },
  RawBytes: { required: true, content: { ...bytes, '*/*': {} } },
  Media: { required: true, content: { ...bytes, '*/*': {} } },
}

const sharedHeaders: Record<string, JsonObject> = {
  ETag: {
    description: 'The version of the entity, for If-Match and If-None-Match.',
    schema: { type: 'string' },
  },
  Location: { description: 'The address of the new entity.', schema: { type: 'string' } },
}

function header(name: string, description: string, required: boolean, more: JsonObject = {}): JsonObject {
  return { name, in: 'header', required, description, schema: { type: 'string', ...more } }
}

const sharedParameters: Record<string, JsonObject> = {
  'If-Match': header('If-Match', 'The version that is changed, from the ETag; `*` for any.', true),
  'If-Match.optional': header('If-Match', 'The version that is changed, from the ETag.', false),
  'If-None-Match': header('If-None-Match', 'The version that the client has.', false),
  Prefer: header('Prefer', 'Whether the entity is sent back.', false, {
    enum: ['return=representation', 'return=minimal'],
  }),
  Range: header('Range', 'The part that is wanted: `bytes=0-999`.', false),
  Slug: header('Slug', 'A name for what is new, percent-encoded.', false),
}

const csrfParameter: JsonObject = header(
  'x-csrf-token',
  'The token that `x-csrf-token: Fetch` gets with any GET.',
  true,
)
