import type { Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { EntitySource, PropertyChain, RequestTarget } from '../../query/request-target.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import { cleanName } from './component-names.js'
import type { DescribedMethod, DescribedService } from './described-service.js'
import { document, inD } from './entity-components.js'
import type { Place } from './entity-paths.js'
import type { JsonObject } from './json.js'
import { reference } from './json.js'
import type { OperationParts } from './operations.js'
import { changingVersion, operation, pathItem, readingVersion, response } from './operations.js'

/** Where properties are: an entity, or a complex value within it. */
interface Owner {
  readonly entity: Place<EntitySource>
  readonly path: string
  readonly name: string
  readonly chain: PropertyChain
  readonly properties: readonly Property[]
}

const format: readonly JsonObject[] = [reference('parameters', 'format')]

/**
 * The properties of an entity. All simple ones that stand at one place share a path, whose parameter names them:
 * otherwise there would be as many paths as there are columns.
 *
 * @spec MS-ODATA 2.2.3.5 (URI 3, 4 and 5)
 */
export function propertyPaths(
  entity: Place<EntitySource>,
  service: DescribedService,
): Record<string, JsonObject> {
  const { properties } = entity.source.set.entityType
  return pathsOf({ entity, path: entity.path, name: entity.name, chain: [], properties }, service)
}

function pathsOf(owner: Owner, service: DescribedService): Record<string, JsonObject> {
  const { entity, path, name, chain, properties } = owner
  let paths = simplePaths(owner, service)
  for (const property of properties) {
    const { type } = property
    if (isPrimitive(type)) continue
    const inner: Owner = {
      entity,
      path: `${path}/${percentEncode(property.name)}`,
      name: `${name}_${property.name}`,
      chain: [...chain, property],
      properties: type.properties,
    }
    paths = { ...paths, ...complexPath(inner, property, service), ...pathsOf(inner, service) }
  }
  return paths
}

function complexPath(
  owner: Owner,
  { type }: Property,
  service: DescribedService,
): Record<string, JsonObject> {
  const { entity, path, name, chain } = owner
  const target: RequestTarget = { kind: 'ComplexProperty', owner: entity.source, path: chain }
  const last = chain.at(-1)?.name ?? ''
  const content: JsonObject = {
    type: 'object',
    required: [last],
    properties: { [last]: service.values.ofType(type) },
  }
  const parts = partsOf(entity, name, `${last} of ${entity.label}`)
  const operationOf = (method: DescribedMethod): readonly [DescribedMethod, JsonObject | undefined] => [
    method,
    service.allows(method, target)
      ? operation(
          method,
          method === 'GET'
            ? parts.read(
                { '200': { description: last, content: document(inD(content), 'application/xml') } },
                format,
              )
            : parts.change(method, { required: true, content: document(content, 'application/xml') }),
          service,
        )
      : undefined,
  ]
  return pathItem(path, entity.parameters, (['GET', 'PUT', 'PATCH'] as const).map(operationOf))
}

function simplePaths(owner: Owner, service: DescribedService): Record<string, JsonObject> {
  const { entity, path, name, chain, properties } = owner
  const simple = properties.filter(({ type }) => isPrimitive(type))
  if (simple.length === 0) return {}
  const document = sharedPath(owner, simple, 'SimpleProperty', service)
  const raw = sharedPath(owner, simple, 'PropertyValue', service)
  const label =
    chain.length === 0 ? entity.label : `${chain.map((one) => one.name).join('/')} of ${entity.label}`
  const value = partsOf(entity, `${name}_property`, `a property of ${label}`)
  const text = partsOf(entity, `${name}_value`, `the raw value of a property of ${label}`)
  const inner = chain.at(-1)?.type
  const answer: JsonObject =
    inner === undefined || isPrimitive(inner)
      ? response(`${service.names.of(entity.source.set.entityType)}.value`)
      : {
          description: 'A property of the complex value.',
          content: documentOf(reference('schemas', service.names.of(inner))),
        }
  const rawBody = simple.some(({ type }) => type === 'Edm.Binary') ? 'RawBytes' : 'Raw'
  return {
    ...pathItem(`${path}/{property}`, entity.parameters, [
      document('GET', (one) => value.read({ '200': answer }, [...one, ...format])),
      document('PUT', (one) => value.change('PUT', singleMember, one)),
      document('PATCH', (one) => value.change('PATCH', singleMember, one)),
      document('DELETE', (one) => value.change('DELETE', undefined, one)),
    ]),
    ...pathItem(`${path}/{property}/$value`, entity.parameters, [
      raw('GET', (one) => text.read({ '200': response('Raw') }, one)),
      raw('PUT', (one) => text.change('PUT', reference('requestBodies', rawBody), one)),
      raw('PATCH', (one) => text.change('PATCH', reference('requestBodies', rawBody), one)),
      raw('DELETE', (one) => text.change('DELETE', undefined, one)),
    ]),
  }
}

function documentOf(schema: JsonObject): JsonObject {
  return document(inD({ allOf: [schema], minProperties: 1, maxProperties: 1 }), 'application/xml')
}

const singleMember = reference('requestBodies', 'Property')

/** The operation of a method on those of the properties that have it, which are named by the parameter `property`. */
function sharedPath(
  { entity, chain }: Owner,
  simple: readonly Property[],
  kind: 'SimpleProperty' | 'PropertyValue',
  service: DescribedService,
) {
  return (
    method: DescribedMethod,
    parts: (parameters: readonly JsonObject[]) => OperationParts,
  ): readonly [DescribedMethod, JsonObject | undefined] => {
    const names = simple
      .filter((one) => isPossible(method, one, service))
      .filter((one) => service.allows(method, { kind, owner: entity.source, path: [...chain, one] }))
      .map(({ name }) => name)
    if (names.length === 0) return [method, undefined]
    const place = [entity.source.set.path, ...chain.map((one) => one.name), propertyKinds[method]]
    const parameter = service.shared('parameters', place.map(cleanName).join('.'), () => ({
      name: 'property',
      in: 'path',
      required: true,
      schema: { type: 'string', enum: names },
    }))
    return [method, operation(method, parts([parameter]), service)]
  }
}

const propertyKinds: Readonly<Record<DescribedMethod, string>> = {
  GET: 'property',
  POST: 'property',
  PUT: 'changeable',
  PATCH: 'changeable',
  DELETE: 'clearable',
}

/** What clients cannot change can only be sent back as it is. */
function isPossible(method: DescribedMethod, property: Property, { sap }: DescribedService): boolean {
  return method === 'GET' || sap?.properties.get(property)?.notUpdatable !== true
}

function partsOf({ source, tag }: Place<EntitySource>, name: string, label: string) {
  const { entityType } = source.set
  return {
    read(responses: JsonObject, parameters: readonly JsonObject[]): OperationParts {
      const version = readingVersion(entityType)
      return {
        name,
        verb: 'read',
        tag,
        summary: `Read ${label}`,
        parameters: [...parameters, ...version.parameters],
        responses: { ...responses, ...version.responses, '404': response('NotFound') },
      }
    },
    change(
      method: DescribedMethod,
      requestBody: JsonObject | undefined,
      parameters: readonly JsonObject[] = [],
    ): OperationParts {
      const version = changingVersion(entityType)
      const [verb, deed] = changes[method] ?? ['update', 'Change']
      return {
        name,
        verb,
        tag,
        summary: `${deed} ${label}`,
        parameters: [...parameters, ...version.parameters],
        requestBody,
        responses: { '204': response('Changed'), '404': response('NotFound'), ...version.responses },
      }
    },
  }
}

const changes: Readonly<Partial<Record<DescribedMethod, readonly [verb: string, deed: string]>>> = {
  PUT: ['replace', 'Replace'],
  PATCH: ['update', 'Change'],
  DELETE: ['clear', 'Set to null'],
}
