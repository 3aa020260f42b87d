import { labelOf } from '../../edm/annotations.js'
import { checkProvider } from '../../data/check-provider.js'
import { canWrite } from '../../data/can-write.js'
import type { EdmModel, EntitySet } from '../../edm/edm-model.js'
import { functionImportsOf } from '../../edm/edm-model.js'
import { withCallerName } from '../../errors/check-option.js'
import { configureService } from '../../configure-service.js'
import type { OpenApiInfo } from '../../http/openapi-options.js'
import type { ServiceOptions, Settings } from '../../options.js'
import type { Provider } from '../../provider/provider.js'
import type { CollectionSource, EntitySource } from '../../query/request-target.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import {
  CSRF_PARAMETER,
  ERROR_RESPONSES,
  SHARED_HEADERS,
  SHARED_PARAMETERS,
  responseContent,
} from './components.js'
import { DocumentBuilder } from './document-builder.js'
import type { SourcePath } from './entity-paths.js'
import { addCollectionPaths, addEntityPaths } from './entity-paths.js'
import { addFunctionPath, FUNCTION_TAG } from './function-paths.js'
import type { JsonObject } from './json.js'
import { objectSchema, present, reference } from './json.js'
import { keyComponents, keyReferences, keyTemplate } from './keys.js'
import { descriptionOf, paragraphs } from './names.js'
import { addNavigationPaths } from './navigation-paths.js'
import { addPropertyPaths } from './property-paths.js'
import { queryComponents } from './query-parameters.js'
import { typeSchemas } from './type-schemas.js'

/**
 * Options of {@link openApiDocument}: the options of the service that clients notice.
 *
 * @example
 * const options: OpenApiOptions = { title: 'Shop', serviceRoot: 'https://example.org/shop/', readOnly: true }
 * const document = openApiDocument(model, options)
 */
export interface OpenApiOptions
  extends
    OpenApiInfo,
    Pick<
      ServiceOptions,
      | 'analytics'
      | 'annotations'
      | 'computed'
      | 'csrf'
      | 'defaultFormat'
      | 'disabledQueryOptions'
      | 'doubleAsNumber'
      | 'exports'
      | 'nullNavigation'
      | 'pageSize'
      | 'readOnly'
      | 'sapRestrictions'
      | 'search'
      | 'serviceRoot'
    > {
  /** The provider of the service, which decides on the methods of each set. Default: all methods are described. */
  readonly provider?: Pick<Provider, 'entitySets'> | undefined
}

/**
 * An OpenAPI 3.1 document, ready for `JSON.stringify`.
 *
 * @example
 * const document: OpenApiDocument = openApiDocument(model)
 * const paths = Object.keys(document.paths) // ['/Products', '/Products({ID})', ...]
 */
export interface OpenApiDocument extends JsonObject {
  /** The version of OpenAPI. */
  readonly openapi: '3.1.0'
  /** Title, version and description. */
  readonly info: JsonObject
  /** The URL of the service. */
  readonly servers: readonly JsonObject[]
  /** A tag for each entity set. */
  readonly tags: readonly JsonObject[]
  /** Empty: authentication is not described. */
  readonly security: readonly JsonObject[]
  /** The operations by path. */
  readonly paths: Readonly<Record<string, JsonObject>>
  /** Schemas, parameters and responses. */
  readonly components: Readonly<Record<string, JsonObject>>
}

/**
 * Describes a service as an OpenAPI 3.1 document: its operations with their query options, headers, bodies in verbose
 * JSON and responses. The same model and options result in the same document.
 *
 * @param model from `defineModel` or `readEdmx`
 * @param options title, version and description; the provider and options of the service
 * @returns plain data, for `JSON.stringify`
 * @throws TypeError for unknown options and for a provider that does not match the model
 * @example
 * const document = openApiDocument(model, { title: 'Shop', serviceRoot: 'https://example.org/shop/', readOnly: true })
 * await writeFile('openapi.json', JSON.stringify(document, null, 2))
 * @spec MS-ODATA 2.2.3 (URIs), 2.2.6.3 (verbose JSON)
 */
export function openApiDocument(model: EdmModel, options: OpenApiOptions = {}): OpenApiDocument {
  const { title, version, description, batch, provider, ...others } = options
  const configured = withCallerName('openApiDocument', () => {
    if (provider !== undefined) checkProvider(provider, model)
    return configureService(model, { ...others, openapi: { title, version, description, batch } })
  })
  return describeService(configured.model, configured.settings, provider)
}

/** @param provider undefined when all methods are to be described */
export function describeService(
  model: EdmModel,
  settings: Settings,
  provider: Pick<Provider, 'entitySets'> | undefined,
): OpenApiDocument {
  const builder = new DocumentBuilder(
    model,
    settings,
    (set, name) => provider === undefined || canWrite(provider, set, name),
    provider,
  )
  addServicePaths(builder)
  for (const set of builder.entitySets) addSetPaths(set, builder)
  for (const functionImport of functionImportsOf(model)) addFunctionPath(functionImport, builder)
  return {
    openapi: '3.1.0',
    info: infoOf(model, settings),
    servers: settings.serviceRoot === undefined ? [] : [{ url: serverUrl(settings.serviceRoot) }],
    // Linters require it. Authentication is not part of the service.
    security: [],
    tags: tagsOf(builder),
    paths: builder.paths,
    components: componentsOf(builder),
  }
}

/** Removes the slash at the end: OpenAPI appends paths that start with one. */
export function serverUrl(serviceRoot: string): string {
  return serviceRoot.replace(/\/$/, '')
}

function addSetPaths(set: EntitySet, builder: DocumentBuilder): void {
  const { entityType } = set
  const source: CollectionSource = { kind: 'EntitySet', set }
  const collection: SourcePath<CollectionSource> = {
    source,
    path: `/${percentEncode(set.path)}`,
    name: set.path,
    tag: set.path,
    label: labelOf(set) ?? set.name,
    parameters: [],
  }
  const entity: SourcePath<EntitySource> = {
    source: { kind: 'KeyedEntity', collection: source, key: {}, set },
    path: collection.path + keyTemplate(entityType),
    name: `${set.path}_entity`,
    tag: set.path,
    label: labelOf(entityType) ?? entityType.name,
    parameters: keyReferences(entityType, builder),
  }
  addCollectionPaths(collection, builder)
  addEntityPaths(entity, builder)
  addPropertyPaths(entity, builder)
  addNavigationPaths(entity, builder)
}

const FORMATS = {
  atom: 'Send `Accept: application/json` with every request: responses are Atom or XML without it.',
  json: 'Responses are JSON unless `Accept` or `$format` requests Atom or XML.',
}

const METHODS =
  'Every resource that supports GET also supports HEAD; all support OPTIONS. `MERGE` is equivalent to `PATCH`. Bodies of requests can also be Atom or XML.'

function infoOf({ defaultContainer }: EdmModel, { openapi, defaultFormat }: Settings): JsonObject {
  const { title, version, description } = openapi ?? {}
  const conventions = `An OData 2.0 service. Its metadata document is at \`/$metadata\`. ${FORMATS[defaultFormat]}`
  return {
    title: title ?? labelOf(defaultContainer) ?? defaultContainer.name,
    version: version ?? '1.0.0',
    description: paragraphs(description ?? descriptionOf(defaultContainer), conventions, METHODS),
  }
}

function tagsOf({ entitySets, paths }: DocumentBuilder): readonly JsonObject[] {
  const sets = entitySets.map((set) =>
    present({ name: set.path, description: descriptionOf(set) ?? labelOf(set) }),
  )
  const hasFunctions = JSON.stringify(paths).includes(`"tags":["${FUNCTION_TAG}"]`)
  return [...sets, ...(hasFunctions ? [{ name: FUNCTION_TAG }] : []), { name: SERVICE_TAG }]
}

/** Returns the components. Must be called after all paths were added, because operations add components. */
function componentsOf(builder: DocumentBuilder): Readonly<Record<string, JsonObject>> {
  return {
    schemas: typeSchemas(builder),
    parameters: {
      ...SHARED_PARAMETERS,
      ...(builder.settings.csrf === undefined ? {} : { 'x-csrf-token': CSRF_PARAMETER }),
      ...keyComponents(builder),
      ...queryComponents(builder),
      ...builder.parameters,
    },
    responses: ERROR_RESPONSES,
    headers: SHARED_HEADERS,
  }
}

/** The tag of operations that belong to no entity set. */
const SERVICE_TAG = 'Service'

const TEXT: JsonObject = { schema: { type: 'string' } }

const SERVICE_DOCUMENT = objectSchema({ EntitySets: { type: 'array', items: { type: 'string' } } })

const BATCH_EXAMPLE = [
  '--batch',
  'Content-Type: application/http',
  'Content-Transfer-Encoding: binary',
  '',
  'GET $metadata HTTP/1.1',
  '',
  '',
  '--batch--',
  '',
].join('\r\n')

/** Adds the service document, the metadata document and `$batch`. @spec MS-ODATA 2.2.3.5 (URI 0, 8 and 9) */
function addServicePaths(builder: DocumentBuilder): void {
  const resource = (path: string, name: string) => ({ path, name, tag: SERVICE_TAG, parameters: [] })
  builder.addPath(resource('/', 'service'), {
    GET: () => ({
      verb: 'read',
      summary: 'Read the service document',
      parameters: [reference('parameters', 'format')],
      responses: {
        '200': {
          description: 'The entity sets.',
          content: responseContent(SERVICE_DOCUMENT, 'application/atomsvc+xml'),
        },
      },
    }),
  })
  builder.addPath(resource('/$metadata', 'metadata'), {
    GET: () => ({
      verb: 'read',
      summary: 'Read the metadata document',
      responses: { '200': { description: 'The model as EDMX.', content: { 'application/xml': TEXT } } },
    }),
  })
  if (builder.settings.openapi?.batch !== true) return
  builder.addPath(
    resource('/$batch', 'batch'),
    {
      POST: () => ({
        verb: 'send',
        summary: 'Send several requests in one',
        description: 'The changes of a change set are atomic: all of them succeed, or none.',
        requestBody: {
          required: true,
          content: { 'multipart/mixed; boundary=batch': { ...TEXT, example: BATCH_EXAMPLE } },
        },
        responses: {
          '202': { description: 'A response for each request.', content: { 'multipart/mixed': TEXT } },
        },
      }),
    },
    { kind: 'Batch' },
  )
}
