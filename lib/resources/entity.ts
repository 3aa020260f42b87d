import type { Row } from '../evaluation/row.js'
import type { Negotiated } from '../formats/negotiate.js'
import { entryDocument } from '../formats/provider-fault.js'
import { isNotModified } from '../http/conditional-requests.js'
import type { ODataResponse } from '../http/odata-response.js'
import type { DataAccess } from '../data/data-access.js'
import type { RowBatch } from '../provider/row-batch.js'
import type { MaybePromise } from '../util/maybe-promise.js'
import { isPromiseLike, whenThere } from '../util/maybe-promise.js'
import { addressOfRow, deleteEntity, updateEntity } from './change-entity.js'
import { entityTagOf } from './entity-version.js'
import type { ResourceContext, ResourceMethods } from './resource-context.js'
import { checkContentOfVersion1, checkExpansionsOfVersion1 } from './version-rules.js'

/** URI 2, 6A and 10: one entity. @spec MS-ODATA 2.2.6.5.4 */
export const entity: ResourceMethods<'Entity'> = {
  PUT: (target, context) => updateEntity(target.entity, 'replace', context),
  MERGE: (target, context) => updateEntity(target.entity, 'merge', context),
  PATCH: (target, context) => updateEntity(target.entity, 'merge', context),
  DELETE: (target, context) => deleteEntity(target.entity, context),
  // Without a promise where the provider has the entity at hand: batches hold many such requests.
  GET(target, context) {
    const negotiated = context.negotiate('entry')
    const { filter, projection } = context.query
    if (context.version === '1.0') checkContentOfVersion1(projection, negotiated.format)
    const opened = context.data()
    const isReturned = target.entity.kind === 'ReturnedEntity' && context.request.method === 'POST'
    const show = (data: DataAccess): MaybePromise<ODataResponse> => {
      const mayBeAbsent = context.settings.nullNavigation === 204 && target.entity.kind !== 'KeyedEntity'
      const found = mayBeAbsent
        ? data.findEntity(target.entity, 'read', filter, projection)
        : data.entity(target.entity, filter, projection)
      return isPromiseLike(found)
        ? found.then((row) => shown(row, negotiated, context, data, isReturned))
        : shown(found, negotiated, context, data, isReturned)
    }
    return isPromiseLike(opened) ? opened.then(show) : show(opened)
  },
}

function shown(
  row: Row | undefined,
  negotiated: Negotiated,
  context: ResourceContext,
  data: DataAccess,
  isReturned: boolean,
): MaybePromise<ODataResponse> {
  if (row === undefined) return { status: 204, headers: context.headers() }
  const response = shownEntity(row, negotiated, context, data)
  return isReturned ? whenThere(response, (entry) => withAddress(entry, row, context)) : response
}

/** Lets a batch refer to the entity that a function called by POST returned, by the Content-ID of the call. */
function withAddress(
  { status, headers, body }: ODataResponse,
  row: Row,
  context: ResourceContext,
): ODataResponse {
  const address = addressOfRow(row, context.query.projection.set, context)
  return { status, headers: { ...headers, 'Content-Location': address }, body }
}

function shownEntity(
  row: Row,
  { format, contentType }: Negotiated,
  context: ResourceContext,
  data: DataAccess,
): MaybePromise<ODataResponse> {
  const { projection } = context.query
  const etag = entityTagOf(row, projection.set)
  // What is shown inline has versions of its own, which the tag of the entity says nothing of.
  const isWhole = projection.expansions.length === 0
  if (isNotModified(context.request, { etag }) && isWhole)
    return { status: 304, headers: { ...context.headers(), ...(etag === undefined ? {} : { ETag: etag }) } }
  const write = (batch: RowBatch): ODataResponse => {
    if (context.version === '1.0') checkExpansionsOfVersion1(batch)
    const body = entryDocument(format, projection, batch, context.writeContext(data))
    const headers = context.headers(contentType)
    return { status: 200, headers: etag === undefined ? headers : { ...headers, ETag: etag }, body }
  }
  const expanded = data.expand([row], projection, 1)
  return isPromiseLike(expanded) ? expanded.then(write) : write(expanded)
}
