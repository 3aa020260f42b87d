import type { EntitySet } from '../../edm/edm-model.js'
import type { CollectionSource, EntitySource, RequestTarget } from '../../query/request-target.js'
import { cleanName } from './component-names.js'
import type { DescribedService } from './described-service.js'
import { document, inD, keyReferences, newEntityBody } from './entity-components.js'
import type { JsonObject } from './json.js'
import { reference } from './json.js'
import type { OperationParts } from './operations.js'
import { changingVersion, ifAllowed, operation, pathItem, readingVersion, response } from './operations.js'
import { queryParameters } from './query-parameters.js'
import { entityReference } from './type-schemas.js'

/** A collection or an entity, and how its address begins. */
export interface Place<Source> {
  readonly source: Source
  readonly path: string
  /** Of its operations. */
  readonly name: string
  readonly tag: string
  /** How people call it. */
  readonly label: string
  /** Of the keys in the path. */
  readonly parameters: readonly JsonObject[]
}

/** A collection and its `$count`. @spec MS-ODATA 2.2.3.5 (URI 1, 6B and 15) */
export function collectionPaths(
  place: Place<CollectionSource>,
  service: DescribedService,
): Record<string, JsonObject> {
  const { source, path, parameters } = place
  const { set } = source
  const target: RequestTarget = { kind: 'EntitySet', collection: source }
  const restrictions = service.sap?.sets.get(set)
  const isReadable = !(source.kind === 'EntitySet' && restrictions?.notAddressable === true)
  const list = isReadable ? ifAllowed('GET', target, service, () => listParts(place, service)) : undefined
  const add = ifAllowed('POST', target, service, () => newParts(place, service))
  return {
    ...pathItem(path, parameters, list === undefined ? [add] : [list, add]),
    ...(isReadable && restrictions?.notCountable !== true ? countPath(place, service) : {}),
  }
}

function countPath(place: Place<CollectionSource>, service: DescribedService): Record<string, JsonObject> {
  const { source, path, name, tag, label, parameters } = place
  const target: RequestTarget = { kind: 'EntityCount', of: source }
  const count = operation(
    'GET',
    {
      name,
      verb: 'count',
      tag,
      summary: `Count ${label}`,
      parameters: queryParameters(target, service),
      responses: { '200': response('Count') },
    },
    service,
  )
  return pathItem(`${path}/$count`, parameters, [['GET', count]])
}

function listParts(place: Place<CollectionSource>, service: DescribedService): OperationParts {
  const { source, name, tag, label } = place
  const size = service.settings.pageSize(source.set)
  return {
    name,
    verb: 'list',
    tag,
    summary: `List ${label}`,
    description: Number.isFinite(size) ? `Pages hold at most ${size}.` : undefined,
    parameters: queryParameters({ kind: 'EntitySet', collection: source }, service),
    responses: { '200': response(`${service.names.of(source.set.entityType)}.page`) },
  }
}

function newParts(
  { source, name, tag, label }: Place<CollectionSource>,
  service: DescribedService,
): OperationParts {
  const { set } = source
  const { entityType } = set
  const created = service.shared('responses', `${service.names.of(entityType)}.new`, () => ({
    description: 'The new entity.',
    headers: { Location: reference('headers', 'Location') },
    content: document(inD(entityReference(entityType, service)), 'application/atom+xml'),
  }))
  return {
    name,
    verb: 'create',
    tag,
    summary: `Add to ${label}`,
    parameters: [
      ...(entityType.hasStream ? [reference('parameters', 'Slug')] : []),
      reference('parameters', 'Prefer'),
    ],
    requestBody: service.shared('requestBodies', `${cleanName(set.path)}.new`, () =>
      newEntityBody(set, service),
    ),
    responses: { '201': created, '204': response('Changed') },
  }
}

/** An entity and its media resource. @spec MS-ODATA 2.2.3.5 (URI 2, 6A and 17) */
export function entityPaths(
  place: Place<EntitySource>,
  service: DescribedService,
): Record<string, JsonObject> {
  const { source, path, parameters } = place
  const { entityType } = source.set
  const target: RequestTarget = { kind: 'Entity', entity: source }
  return {
    ...pathItem(path, parameters, [
      ifAllowed('GET', target, service, () => readParts(place, service)),
      ifAllowed('PUT', target, service, () => changeParts('PUT', place, service)),
      ifAllowed('PATCH', target, service, () => changeParts('PATCH', place, service)),
      ifAllowed('DELETE', target, service, () => deleteParts(place)),
    ]),
    ...(entityType.hasStream && source.kind === 'KeyedEntity' ? mediaPath(place, service) : {}),
  }
}

function readParts(
  { source, name, tag, label }: Place<EntitySource>,
  service: DescribedService,
): OperationParts {
  const { entityType } = source.set
  const version = readingVersion(entityType)
  const nothing = service.settings.nullNavigation === 204 && source.kind !== 'KeyedEntity'
  return {
    name,
    verb: 'read',
    tag,
    summary: `Read ${label}`,
    parameters: [...queryParameters({ kind: 'Entity', entity: source }, service), ...version.parameters],
    responses: {
      '200': response(service.names.of(entityType)),
      ...(nothing ? { '204': response('Done') } : {}),
      ...version.responses,
      '404': response('NotFound'),
    },
  }
}

function changeParts(
  method: 'PUT' | 'PATCH',
  { source, name, tag, label }: Place<EntitySource>,
  service: DescribedService,
): OperationParts {
  const type = source.set.entityType
  const version = changingVersion(type)
  const typeName = service.names.of(type)
  return {
    name,
    verb: method === 'PUT' ? 'replace' : 'update',
    tag,
    summary: method === 'PUT' ? `Replace ${label}` : `Change properties of ${label}`,
    description: method === 'PUT' ? 'Properties that are left out get their default, or null.' : undefined,
    parameters: [...version.parameters, reference('parameters', 'Prefer')],
    requestBody: reference('requestBodies', typeName),
    responses: {
      '200': response(typeName),
      '204': response('Changed'),
      '404': response('NotFound'),
      ...version.responses,
    },
  }
}

/** What is reached over a navigation property is only unlinked, which asks for no version. */
function deleteParts({ source, name, tag, label }: Place<EntitySource>): OperationParts {
  const isLink = source.kind === 'RelatedEntity'
  const version = isLink ? { parameters: [], responses: {} } : changingVersion(source.set.entityType)
  return {
    name,
    verb: isLink ? 'unlink' : 'delete',
    tag,
    summary: isLink ? `Unlink ${label}` : `Delete ${label}`,
    parameters: version.parameters,
    responses: { '204': response('Done'), '404': response('NotFound'), ...version.responses },
  }
}

function mediaPath(place: Place<EntitySource>, service: DescribedService): Record<string, JsonObject> {
  const { source, path, name: entityName, tag, label, parameters } = place
  const target: RequestTarget = { kind: 'MediaResource', entity: source }
  const name = `${entityName}_media`
  const optional = [reference('parameters', 'If-Match.optional')]
  const changed = { '204': response('Changed'), '404': response('NotFound') }
  return pathItem(`${path}/$value`, parameters, [
    ifAllowed('GET', target, service, () => ({
      name,
      verb: 'read',
      tag,
      summary: `Read the media resource of ${label}`,
      parameters: [reference('parameters', 'Range'), reference('parameters', 'If-None-Match')],
      responses: {
        '200': response('Media'),
        '206': response('MediaRange'),
        '304': response('NotModified'),
        '404': response('NotFound'),
      },
    })),
    ifAllowed('PUT', target, service, () => ({
      name,
      verb: 'replace',
      tag,
      summary: `Replace the media resource of ${label}`,
      parameters: optional,
      requestBody: reference('requestBodies', 'Media'),
      responses: changed,
    })),
    ifAllowed('DELETE', target, service, () => ({
      name,
      verb: 'delete',
      tag,
      summary: `Remove the media resource of ${label}`,
      parameters: optional,
      responses: changed,
    })),
  ])
}

/** How the address of an entity of a set begins, with its key. */
export function keyedPlace(
  set: EntitySet,
  path: string,
  label: string,
  name: string,
  service: DescribedService,
): Place<EntitySource> {
  return {
    source: { kind: 'KeyedEntity', collection: { kind: 'EntitySet', set }, key: {}, set },
    path,
    name,
    tag: set.path,
    label,
    parameters: keyReferences(set.entityType, service),
  }
}
