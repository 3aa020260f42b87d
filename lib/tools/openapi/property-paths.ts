import type { Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { EntitySource, PropertyChain } from '../../query/request-target.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import {
  conditionalChange,
  conditionalRead,
  response,
  responseContent,
  BODIES,
  propertyContent,
  propertyResponse,
  requestContent,
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

/** The path of a complex property, of all simple properties of an owner, or of the raw values of these. */
interface PropertyPath extends PropertyOwner {
  readonly kind: 'ComplexProperty' | 'SimpleProperty' | 'PropertyValue'
  /** The response with status 200. */
  readonly ok: JsonObject
  readonly requestBody: JsonObject
  readonly readParameters: readonly JsonObject[]
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
    const value: PropertyOwner = {
      ...owner,
      path: `${owner.path}/${percentEncode(name)}`,
      name: `${owner.name}_${name}`,
      chain: [...owner.chain, property],
      properties: type.properties,
    }
    const schema = objectSchema({ [name]: builder.values.ofType(type) })
    addPropertyPath(
      {
        ...value,
        kind: 'ComplexProperty',
        label: `${name} of ${owner.label}`,
        ok: { description: name, content: responseContent(schema, 'application/xml') },
        requestBody: { required: true, content: requestContent(schema) },
        readParameters: [FORMAT_PARAMETER],
      },
      builder,
    )
    addOwnerPaths(value, builder)
  }
}

function addSimplePropertyPaths(owner: PropertyOwner, builder: DocumentBuilder): void {
  const { path, name, chain } = owner
  const properties = owner.properties.filter(({ type }) => isPrimitive(type))
  if (properties.length === 0) return
  const complexPath = chain.map((property) => property.name).join('/')
  const label = complexPath === '' ? owner.label : `${complexPath} of ${owner.label}`
  const rawBody = properties.some(({ type }) => type === 'Edm.Binary') ? 'RawBytes' : 'Raw'
  addPropertyPath(
    {
      ...owner,
      properties,
      kind: 'SimpleProperty',
      path: `${path}/{property}`,
      name: `${name}_property`,
      label: `a property of ${label}`,
      ok: simplePropertyResponse(owner, builder),
      requestBody: BODIES.Property,
      readParameters: [FORMAT_PARAMETER],
    },
    builder,
  )
  addPropertyPath(
    {
      ...owner,
      properties,
      kind: 'PropertyValue',
      path: `${path}/{property}/$value`,
      name: `${name}_value`,
      label: `the raw value of a property of ${label}`,
      ok: response('Raw'),
      requestBody: BODIES[rawBody],
      readParameters: [],
    },
    builder,
  )
}

function simplePropertyResponse({ source, chain }: PropertyOwner, builder: DocumentBuilder): JsonObject {
  const complex = chain.at(-1)?.type
  if (complex === undefined || isPrimitive(complex)) {
    return propertyResponse(source.set.entityType, builder)
  }
  return {
    description: 'A property of the complex value.',
    content: propertyContent(builder.names.of(complex), complex.properties),
  }
}

function addPropertyPath(path: PropertyPath, builder: DocumentBuilder): void {
  const { label, ok, requestBody, readParameters } = path
  const { entityType } = path.source.set
  const operation =
    (method: DescribedMethod, create: (parameters: readonly JsonObject[]) => Operation) => () => {
      const parameters = pathParameters(method, path, builder)
      return parameters === undefined ? undefined : create(parameters)
    }
  const change = (method: DescribedMethod, verb: string, summary: string, body?: JsonObject) =>
    operation(method, (parameters) => {
      const conditional = conditionalChange(entityType, builder)
      return {
        verb,
        summary,
        parameters: [...parameters, ...conditional.parameters],
        requestBody: body,
        responses: { '204': response('Changed'), '404': response('NotFound'), ...conditional.responses },
      }
    })
  builder.addPath(path, {
    GET: operation('GET', (parameters) => {
      const conditional = conditionalRead(entityType, builder)
      return {
        verb: 'read',
        summary: `Read ${label}`,
        parameters: [...parameters, ...readParameters, ...conditional.parameters],
        responses: { '200': ok, ...conditional.responses, '404': response('NotFound') },
      }
    }),
    PUT: change('PUT', 'replace', `Replace ${label}`, requestBody),
    PATCH: change('PATCH', 'update', `Update ${label}`, requestBody),
    DELETE: change('DELETE', 'clear', `Set ${label} to null`),
  })
}

/**
 * Returns the parameters of the path: for simple properties the names of those that support a method.
 *
 * @returns undefined when the method is not supported
 */
function pathParameters(
  method: DescribedMethod,
  { kind, source, chain, properties }: PropertyPath,
  builder: DocumentBuilder,
): readonly JsonObject[] | undefined {
  const isAllowed = (path: PropertyChain): boolean => builder.allows(method, { kind, owner: source, path })
  if (kind === 'ComplexProperty') return isAllowed(chain) ? [] : undefined
  const names = properties
    .filter((one) => method === 'GET' || builder.sap?.properties.get(one)?.notUpdatable !== true)
    .filter((one) => isAllowed([...chain, one]))
    .map(({ name }) => name)
  if (names.length === 0) return undefined
  const component = [source.set.path, ...chain.map(({ name }) => name), NAME_COMPONENTS[method]]
  const parameter = builder.shareParameter(component.map(cleanName).join('.'), () => ({
    name: 'property',
    in: 'path',
    required: true,
    schema: { type: 'string', enum: names },
  }))
  return [parameter]
}

const NAME_COMPONENTS: Readonly<Record<DescribedMethod, string>> = {
  GET: 'property',
  POST: 'property',
  PUT: 'changeable',
  PATCH: 'changeable',
  DELETE: 'clearable',
}
