import type { EntityType, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { EntitySource, PropertyChain } from '../../query/request-target.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import {
  conditionalChange,
  conditionalRead,
  documentContent,
  response,
  responseContent,
} from './components.js'
import type { DescribedMethod, DocumentBuilder, Operation } from './document-builder.js'
import type { SourcePath } from './entity-paths.js'
import type { JsonObject } from './json.js'
import { objectSchema, reference } from './json.js'
import { cleanName } from './names.js'

/** An entity, or a complex value in it, with its properties. */
interface PropertyOwner extends SourcePath<EntitySource> {
  /** The complex properties that lead from the entity to the value. */
  readonly chain: PropertyChain
  readonly properties: readonly Property[]
}

const FORMAT_PARAMETER = reference('parameters', 'format')

/**
 * Adds the properties of an entity. All simple properties of an entity or complex value share one path, with a
 * parameter for the name: a path for each column would make the document too large for many tools.
 *
 * @spec MS-ODATA 2.2.3.5 (URI 3, 4 and 5)
 */
export function addPropertyPaths(entity: SourcePath<EntitySource>, builder: DocumentBuilder): void {
  addOwnerPaths({ ...entity, chain: [], properties: entity.source.set.entityType.properties }, builder)
}

function addOwnerPaths(owner: PropertyOwner, builder: DocumentBuilder): void {
  addSimplePropertyPaths(owner, builder)
  for (const property of owner.properties) {
    const { name, type } = property
    if (isPrimitive(type)) continue
    const complex: PropertyOwner = {
      ...owner,
      path: `${owner.path}/${percentEncode(name)}`,
      name: `${owner.name}_${name}`,
      chain: [...owner.chain, property],
      properties: type.properties,
    }
    addComplexPropertyPath(complex, property, builder)
    addOwnerPaths(complex, builder)
  }
}

function addComplexPropertyPath(
  complex: PropertyOwner,
  { name, type }: Property,
  builder: DocumentBuilder,
): void {
  const { source, chain } = complex
  const { entityType } = source.set
  const label = `${name} of ${complex.label}`
  const schema = objectSchema({ [name]: builder.values.ofType(type) })
  const ok = { description: name, content: responseContent(schema, 'application/xml') }
  const body = { required: true, content: documentContent(schema, 'application/xml') }
  builder.addPath(
    complex,
    {
      GET: () => readOperation(label, entityType, ok, [FORMAT_PARAMETER]),
      PUT: () => changeOperation('PUT', label, entityType, body),
      PATCH: () => changeOperation('PATCH', label, entityType, body),
    },
    { kind: 'ComplexProperty', owner: source, path: chain },
  )
}

/** The path of all simple properties of an owner, or of their raw values. */
interface SharedPath extends PropertyOwner {
  readonly kind: 'SimpleProperty' | 'PropertyValue'
  /** The response with status 200. */
  readonly ok: JsonObject
  readonly requestBody: JsonObject
  readonly readParameters: readonly JsonObject[]
}

function addSimplePropertyPaths(owner: PropertyOwner, builder: DocumentBuilder): void {
  const { path, name, chain } = owner
  const properties = owner.properties.filter(({ type }) => isPrimitive(type))
  if (properties.length === 0) return
  const complexPath = chain.map((property) => property.name).join('/')
  const label = complexPath === '' ? owner.label : `${complexPath} of ${owner.label}`
  const rawBody = properties.some(({ type }) => type === 'Edm.Binary') ? 'RawBytes' : 'Raw'
  const common = { ...owner, properties }
  addSharedPath(
    {
      ...common,
      kind: 'SimpleProperty',
      path: `${path}/{property}`,
      name: `${name}_property`,
      label: `a property of ${label}`,
      ok: propertyResponse(owner, builder),
      requestBody: reference('requestBodies', 'Property'),
      readParameters: [FORMAT_PARAMETER],
    },
    builder,
  )
  addSharedPath(
    {
      ...common,
      kind: 'PropertyValue',
      path: `${path}/{property}/$value`,
      name: `${name}_value`,
      label: `the raw value of a property of ${label}`,
      ok: response('Raw'),
      requestBody: reference('requestBodies', rawBody),
      readParameters: [],
    },
    builder,
  )
}

function propertyResponse({ source, chain }: PropertyOwner, { names }: DocumentBuilder): JsonObject {
  const complex = chain.at(-1)?.type
  if (complex === undefined || isPrimitive(complex)) {
    return response(`${names.of(source.set.entityType)}.value`)
  }
  const schema = { allOf: [reference('schemas', names.of(complex))], minProperties: 1, maxProperties: 1 }
  return {
    description: 'A property of the complex value.',
    content: responseContent(schema, 'application/xml'),
  }
}

function addSharedPath(shared: SharedPath, builder: DocumentBuilder): void {
  const { label, ok, requestBody, readParameters } = shared
  const { entityType } = shared.source.set
  const withName = (method: DescribedMethod, create: (name: JsonObject) => Operation) => () => {
    const parameter = nameParameter(method, shared, builder)
    return parameter === undefined ? undefined : create(parameter)
  }
  const change = (method: DescribedMethod, body?: JsonObject) =>
    withName(method, (name) => changeOperation(method, label, entityType, body, [name]))
  builder.addPath(shared, {
    GET: withName('GET', (name) => readOperation(label, entityType, ok, [name, ...readParameters])),
    PUT: change('PUT', requestBody),
    PATCH: change('PATCH', requestBody),
    DELETE: change('DELETE'),
  })
}

/** The path parameter `property`, with the names of the properties that support a method; undefined for none. */
function nameParameter(
  method: DescribedMethod,
  { kind, source, chain, properties }: SharedPath,
  builder: DocumentBuilder,
): JsonObject | undefined {
  const names = properties
    .filter((one) => method === 'GET' || builder.sap?.properties.get(one)?.notUpdatable !== true)
    .filter((one) => builder.allows(method, { kind, owner: source, path: [...chain, one] }))
    .map(({ name }) => name)
  if (names.length === 0) return undefined
  const component = [source.set.path, ...chain.map(({ name }) => name), NAME_COMPONENTS[method]]
  return builder.share('parameters', component.map(cleanName).join('.'), () => ({
    name: 'property',
    in: 'path',
    required: true,
    schema: { type: 'string', enum: names },
  }))
}

const NAME_COMPONENTS: Readonly<Record<DescribedMethod, string>> = {
  GET: 'property',
  POST: 'property',
  PUT: 'changeable',
  PATCH: 'changeable',
  DELETE: 'clearable',
}

function readOperation(
  label: string,
  entityType: EntityType,
  ok: JsonObject,
  parameters: readonly JsonObject[],
): Operation {
  const conditional = conditionalRead(entityType)
  return {
    verb: 'read',
    summary: `Read ${label}`,
    parameters: [...parameters, ...conditional.parameters],
    responses: { '200': ok, ...conditional.responses, '404': response('NotFound') },
  }
}

function changeOperation(
  method: DescribedMethod,
  label: string,
  entityType: EntityType,
  requestBody: JsonObject | undefined,
  parameters: readonly JsonObject[] = [],
): Operation {
  const conditional = conditionalChange(entityType)
  const [verb, action] = CHANGES[method] ?? ['update', 'Update']
  return {
    verb,
    summary: `${action} ${label}`,
    parameters: [...parameters, ...conditional.parameters],
    requestBody,
    responses: { '204': response('Changed'), '404': response('NotFound'), ...conditional.responses },
  }
}

const CHANGES: Readonly<Partial<Record<DescribedMethod, readonly [verb: string, action: string]>>> = {
  PUT: ['replace', 'Replace'],
  PATCH: ['update', 'Update'],
  DELETE: ['clear', 'Set to null'],
}
