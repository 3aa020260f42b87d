import type { MethodTable } from '../http/method-router.js'
import type { FunctionImport } from '../edm/edm-model.js'
import type {
  CollectionSource,
  EntitySource,
  RequestTarget,
  ResourceKind,
  ValueOwner,
} from '../query/request-target.js'
import { batch } from './batch.js'
import { complexProperty } from './complex-property.js'
import { entityCount } from './entity-count.js'
import { entitySet } from './entity-set.js'
import { entity } from './entity.js'
import { functionImport } from './function-import.js'
import { links } from './links.js'
import { mediaResource } from './media-resource.js'
import { metadata } from './metadata.js'
import { propertyValue } from './property-value.js'
import type { ResourceHandler, ResourceMethods } from './resource-context.js'
import { serviceDocument } from './service-document.js'
import { simpleProperty } from './simple-property.js'

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
 * The methods of what a request addresses. Where a function is called on the way, its own method decides, since
 * calling it is what the request does.
 *
 * @spec MS-ODATA 2.2.3.7.2 (m:HttpMethod)
 */
export function methodsOf(target: RequestTarget): MethodTable<ResourceHandler<RequestTarget>> {
  // The table gives each kind its own handlers; the target has the kind by which they were found.
  const table = resources[target.kind] as MethodTable<ResourceHandler<RequestTarget>>
  const called = calledFunction(target)
  if (called === undefined) return table
  const { GET } = table
  return {
    GET: called.httpMethod === 'POST' ? undefined : GET,
    POST: called.httpMethod === 'GET' ? undefined : GET,
  }
}

function calledFunction(target: RequestTarget): FunctionImport | undefined {
  switch (target.kind) {
    case 'ServiceDocument':
    case 'Metadata':
    case 'Batch':
      return undefined
    case 'EntitySet':
      return functionBehind(target.collection)
    case 'Entity':
    case 'MediaResource':
      return functionBehind(target.entity)
    case 'EntityCount':
      return functionBehind(target.of)
    case 'ComplexProperty':
    case 'SimpleProperty':
    case 'PropertyValue':
      return functionBehind(target.owner)
    case 'Links':
      return functionBehind(target.source)
    case 'FunctionImport':
      return target.call.functionImport
  }
}

function functionBehind(source: CollectionSource | EntitySource | ValueOwner): FunctionImport | undefined {
  switch (source.kind) {
    case 'EntitySet':
      return undefined
    case 'RelatedEntities':
    case 'RelatedEntity':
      return functionBehind(source.source)
    case 'KeyedEntity':
      return functionBehind(source.collection)
    case 'ReturnedEntities':
    case 'ReturnedEntity':
    case 'ReturnedValue':
      return source.call.functionImport
  }
}
