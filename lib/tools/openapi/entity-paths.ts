import type { CollectionSource, EntitySource, RequestTarget } from '../../query/request-target.js'
import {
  BODIES,
  conditionalChange,
  conditionalRead,
  entityBody,
  entityResponse,
  newEntityBody,
  pageResponse,
  response,
  responseContent,
} from './components.js'
import type { DocumentBuilder, Operation, ResourcePath } from './document-builder.js'
import { reference } from './json.js'
import { queryParameters } from './query-parameters.js'
import { entityReference } from './type-schemas.js'

/** The path of a collection or an entity. */
export interface SourcePath<Source> extends ResourcePath {
  readonly source: Source
  /** How summaries name the resource. */
  readonly label: string
}

/** Adds a collection and its `$count`. @spec MS-ODATA 2.2.3.5 (URI 1, 6B and 15) */
export function addCollectionPaths(collection: SourcePath<CollectionSource>, builder: DocumentBuilder): void {
  const { source, path, label } = collection
  const restrictions = builder.sap?.sets.get(source.set)
  const isReadable = !(source.kind === 'EntitySet' && restrictions?.notAddressable === true)
  builder.addPath(
    collection,
    {
      GET: () => (isReadable ? listOperation(collection, builder) : undefined),
      POST: () => createOperation(collection, builder),
    },
    { kind: 'EntitySet', collection: source },
  )
  if (!isReadable || restrictions?.notCountable === true) return
  builder.addPath(
    { ...collection, path: `${path}/$count` },
    {
      GET: () => ({
        verb: 'count',
        summary: `Count ${label}`,
        parameters: queryParameters({ kind: 'EntityCount', of: source }, builder),
        responses: { '200': response('Count') },
      }),
    },
  )
}

function listOperation({ source, label }: SourcePath<CollectionSource>, builder: DocumentBuilder): Operation {
  const pageSize = builder.settings.pageSize(source.set)
  return {
    verb: 'list',
    summary: `List ${label}`,
    description: Number.isFinite(pageSize) ? `Returns at most ${pageSize} entities per page.` : undefined,
    parameters: queryParameters({ kind: 'EntitySet', collection: source }, builder),
    responses: { '200': pageResponse(source.set.entityType, builder) },
  }
}

function createOperation(
  { source: { set }, label }: SourcePath<CollectionSource>,
  builder: DocumentBuilder,
): Operation {
  const { entityType } = set
  const created = {
    description: 'The new entity.',
    headers: { Location: reference('headers', 'Location') },
    content: responseContent(entityReference(entityType, builder), 'application/atom+xml'),
  }
  return {
    verb: 'create',
    summary: `Create an entity in ${label}`,
    parameters: [
      ...(entityType.hasStream ? [reference('parameters', 'Slug')] : []),
      reference('parameters', 'Prefer'),
    ],
    requestBody: newEntityBody(set, builder),
    responses: { '201': created, '204': response('Changed') },
  }
}

/** Adds an entity and its media resource. @spec MS-ODATA 2.2.3.5 (URI 2, 6A and 17) */
export function addEntityPaths(entity: SourcePath<EntitySource>, builder: DocumentBuilder): void {
  const { source } = entity
  const target: RequestTarget = { kind: 'Entity', entity: source }
  builder.addPath(
    entity,
    {
      GET: () => readOperation(entity, builder),
      PUT: () => ({
        ...changeOperation(entity, builder),
        verb: 'replace',
        summary: `Replace ${entity.label}`,
        description: 'Properties that are missing from the body are set to their default or to null.',
      }),
      PATCH: () => changeOperation(entity, builder),
      DELETE: () => deleteOperation(entity, builder),
    },
    target,
  )
  if (source.set.entityType.hasStream && source.kind === 'KeyedEntity') addMediaPath(entity, builder)
}

function readOperation({ source, label }: SourcePath<EntitySource>, builder: DocumentBuilder): Operation {
  const { entityType } = source.set
  const conditional = conditionalRead(entityType, builder)
  const canBeEmpty = builder.settings.nullNavigation === 204 && source.kind !== 'KeyedEntity'
  return {
    verb: 'read',
    summary: `Read ${label}`,
    parameters: [...queryParameters({ kind: 'Entity', entity: source }, builder), ...conditional.parameters],
    responses: {
      '200': entityResponse(entityType, builder),
      ...(canBeEmpty ? { '204': response('Done') } : {}),
      ...conditional.responses,
      '404': response('NotFound'),
    },
  }
}

function changeOperation({ source, label }: SourcePath<EntitySource>, builder: DocumentBuilder): Operation {
  const { entityType } = source.set
  const conditional = conditionalChange(entityType, builder)
  return {
    verb: 'update',
    summary: `Update properties of ${label}`,
    parameters: [...conditional.parameters, reference('parameters', 'Prefer')],
    requestBody: entityBody(entityType, builder),
    responses: {
      '200': entityResponse(entityType, builder),
      '204': response('Changed'),
      '404': response('NotFound'),
      ...conditional.responses,
    },
  }
}

/** Describes DELETE. Over a navigation property it removes the link only, which is not a conditional request. */
function deleteOperation({ source, label }: SourcePath<EntitySource>, builder: DocumentBuilder): Operation {
  const responses = { '204': response('Done'), '404': response('NotFound') }
  if (source.kind === 'RelatedEntity') {
    return { verb: 'unlink', summary: `Remove the link to ${label}`, responses }
  }
  const conditional = conditionalChange(source.set.entityType, builder)
  return {
    verb: 'delete',
    summary: `Delete ${label}`,
    parameters: conditional.parameters,
    responses: { ...responses, ...conditional.responses },
  }
}

function addMediaPath(entity: SourcePath<EntitySource>, builder: DocumentBuilder): void {
  const { source, path, name, label } = entity
  const media = `the media resource of ${label}`
  const change = {
    parameters: [reference('parameters', 'If-Match.optional')],
    responses: { '204': response('Changed'), '404': response('NotFound') },
  }
  builder.addPath(
    { ...entity, path: `${path}/$value`, name: `${name}_media` },
    {
      GET: () => ({
        verb: 'read',
        summary: `Read ${media}`,
        parameters: [reference('parameters', 'Range'), reference('parameters', 'If-None-Match')],
        responses: {
          '200': response('Media'),
          '206': response('MediaRange'),
          '304': response('NotModified'),
          '404': response('NotFound'),
        },
      }),
      PUT: () => ({
        verb: 'replace',
        summary: `Replace ${media}`,
        ...change,
        requestBody: BODIES.Media,
      }),
      DELETE: () => ({ verb: 'delete', summary: `Delete ${media}`, ...change }),
    },
    { kind: 'MediaResource', entity: source },
  )
}
