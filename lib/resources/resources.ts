import type { MethodTable } from '../http/methods.js'
import type { EntitySet, NavigationProperty } from '../edm/edm-model.js'
import type { CanWrite } from '../data/can-write.js'
import { calledFunction, isCollection } from '../query/request-target.js'
import type { EntitySource, RequestTarget, ResourceKind } from '../query/request-target.js'
import { batch } from './batch.js'
import { entityCount } from './entity-count.js'
import { entitySet } from './entity-set.js'
import { entity } from './entity.js'
import { functionImport } from './function-import.js'
import { links } from './links.js'
import { mediaResource } from './media-resource.js'
import { complexProperty, propertyValue, simpleProperty } from './property.js'
import type { ResourceHandler, ResourceMethods, ResourceRoute } from './request-session.js'
import { metadata, serviceDocument } from './service-documents.js'

/** The methods of every kind of resource. */
const resources: { readonly [Kind in ResourceKind]: ResourceMethods<Kind> } = {
  ServiceDocument: serviceDocument,
  Metadata: metadata,
  Batch: batch,
  EntitySet: entitySet,
  Entity: entity,
  EntityCount: entityCount,
  ComplexProperty: complexProperty,
  SimpleProperty: simpleProperty,
  PropertyValue: propertyValue,
  MediaResource: mediaResource,
  Links: links,
  FunctionImport: functionImport,
}

/**
 * Returns the methods of a target that the provider supports. If the path calls a function, the HTTP method of the
 * function decides: the request is a call.
 *
 * @param isReadOnly whether the service refuses changes, including function calls by POST
 * @spec MS-ODATA 2.2.3.7.2 (m:HttpMethod)
 */
export function methodsOf(target: RequestTarget, canWrite: CanWrite, isReadOnly: boolean): AnyMethods {
  // The handlers of a kind accept the targets of that kind.
  const table = resources[target.kind] as AnyMethods
  const called = calledFunction(target)
  if (called === undefined)
    return allowedMethods(table, changesOf(target, isReadOnly ? canWriteNothing : canWrite))
  return {
    GET: called.httpMethod === 'POST' ? undefined : table.GET,
    POST: isReadOnly || called.httpMethod === 'GET' ? undefined : table.GET,
  }
}

/** Returns the route of the requests of a target; see {@link methodsOf}. */
export function routeOf(target: RequestTarget, canWrite: CanWrite, isReadOnly: boolean): ResourceRoute {
  const { reads } = resources[target.kind] as ResourceMethods<ResourceKind>
  return {
    methods: methodsOf(target, canWrite, isReadOnly),
    read: reads?.(target),
  }
}

const canWriteNothing: CanWrite = () => false

type AnyMethods = MethodTable<ResourceHandler<RequestTarget>>

/** Removes the handlers of the changes that the provider does not support. */
function allowedMethods({ GET, POST, PUT, MERGE, PATCH, DELETE }: AnyMethods, changes: Changes): AnyMethods {
  return {
    GET,
    ...(changes.insert && { POST }),
    ...(changes.update && { PUT, MERGE, PATCH }),
    ...(changes.delete && { DELETE }),
  }
}

interface Changes {
  readonly insert: boolean
  readonly update: boolean
  readonly delete: boolean
}

const unchangeable: Changes = { insert: false, update: false, delete: false }

function changesOf(target: RequestTarget, canWrite: CanWrite): Changes {
  switch (target.kind) {
    case 'Batch':
      return { ...unchangeable, insert: true }
    case 'EntitySet':
      return { ...unchangeable, insert: canInsert(target.collection.set, canWrite) }
    case 'Entity': {
      const { entity } = target
      const over = entity.kind === 'KeyedEntity' ? entity.collection : entity
      const isRelated = over.kind === 'RelatedEntities' || over.kind === 'RelatedEntity'
      return {
        insert: false,
        update: canWrite(entity.set, 'update'),
        delete: isRelated ? canChangeLink('unlink', over, canWrite) : canWrite(entity.set, 'delete'),
      }
    }
    case 'ComplexProperty':
    case 'SimpleProperty':
    case 'PropertyValue': {
      const isKey = target.path.some((property) => property.isKey)
      const update = !isKey && target.owner.kind !== 'ReturnedValue' && canWrite(target.owner.set, 'update')
      return { insert: false, update, delete: update && (target.path.at(-1)?.nullable ?? false) }
    }
    case 'Links': {
      if (target.count) return unchangeable
      const isOne = !isCollection(target.linked)
      const over = { source: target.source, navigation: target.navigation, set: target.linked.set }
      const canLink = canChangeLink('link', over, canWrite)
      return {
        insert: canLink && !isOne,
        update: canLink && isOne && !target.navigation.isCollection,
        delete: isOne && canChangeLink('unlink', over, canWrite),
      }
    }
    case 'MediaResource': {
      const { set } = target.entity
      return { insert: false, update: canWrite(set, 'media.write'), delete: canWrite(set, 'media.remove') }
    }
    default:
      return unchangeable
  }
}

/** The source entity of a link, its navigation property and the set of its target. */
interface LinkEnds {
  readonly source: EntitySource
  readonly navigation: NavigationProperty
  readonly set: EntitySet
}

/**
 * Returns true if links of a navigation property can be changed. A link with a referential constraint is a foreign key.
 */
function canChangeLink(
  change: 'link' | 'unlink',
  { source, navigation, set: target }: LinkEnds,
  canWrite: CanWrite,
): boolean {
  const constraint = navigation.association.referentialConstraint
  if (constraint === undefined) return canWrite(source.set, change)
  return canWrite(constraint.dependent === navigation.fromEnd ? source.set : target, 'update')
}

/** Returns true if entities can be inserted. Media link entries also need a way to store their media resource. */
function canInsert(set: EntitySet, canWrite: CanWrite): boolean {
  return canWrite(set, 'insert') || (set.entityType.hasStream && canWrite(set, 'media.insert'))
}
