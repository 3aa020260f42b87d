import type { Row } from '../evaluation/row.js'
import { entryDocument } from '../formats/row-errors.js'
import { isNotModified } from '../http/conditional-requests.js'
import type { ODataResponse } from '../http/odata-response.js'
import { absentEntity } from '../data/target-resolver.js'
import type { DataReader } from '../data/data-reader.js'
import type { RowBatch } from '../data/row-batch.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { mapValue } from '../util/promise-or-value.js'
import { addressOfRow, deleteEntity, updateEntity } from './change-entity.js'
import { entityTagOf, checkExpansionsOfVersion1 } from './version-rules.js'
import type { RequestSession, ResourceMethods } from './request-session.js'

/** URI 2, 6A and 10: one entity. @spec MS-ODATA 2.2.6.5.4 */
export const entity: ResourceMethods<'Entity'> = {
  reads: () => ({ offers: 'entry', authorizes: 'read' }),
  PUT: (target, session) => updateEntity(target.entity, 'replace', session),
  MERGE: (target, session) => updateEntity(target.entity, 'merge', session),
  PATCH: (target, session) => updateEntity(target.entity, 'merge', session),
  DELETE: (target, session) => deleteEntity(target.entity, session),
  // Without a promise where the provider has the entity at hand: batches hold many such requests.
  GET(target, session) {
    const opened = session.reader()
    const isReturned = target.entity.kind === 'ReturnedEntity' && session.request.method === 'POST'
    const show = (data: DataReader): PromiseOrValue<ODataResponse> => {
      const mayBeAbsent = session.settings.nullNavigation === 204 && target.entity.kind !== 'KeyedEntity'
      const found = data.readEntity(target.entity, session.authorized, session.query.projection)
      return mapValue(found, (row) => {
        if (row === undefined && !mayBeAbsent) throw absentEntity(target.entity)
        return shown(row, session, data, isReturned)
      })
    }
    return mapValue(opened, show)
  },
}

function shown(
  row: Row | undefined,
  session: RequestSession,
  data: DataReader,
  isReturned: boolean,
): PromiseOrValue<ODataResponse> {
  if (row === undefined) return { status: 204, headers: session.headers() }
  const response = shownEntity(row, session, data)
  return isReturned ? mapValue(response, (entry) => withAddress(entry, row, session)) : response
}

/** Lets a batch refer to the entity that a function called by POST returned, by the Content-ID of the call. */
function withAddress(
  { status, headers, body }: ODataResponse,
  row: Row,
  session: RequestSession,
): ODataResponse {
  const address = addressOfRow(row, session.query.projection.set, session)
  return { status, headers: { ...headers, 'Content-Location': address }, body }
}

function shownEntity(row: Row, session: RequestSession, data: DataReader): PromiseOrValue<ODataResponse> {
  const { format, contentType } = session.negotiated
  const { projection } = session.query
  const etag = entityTagOf(row, projection.set)
  // What is shown inline has versions of its own, which the tag of the entity says nothing of.
  const isWhole = projection.expansions.length === 0
  if (isNotModified(session.request, { etag }) && isWhole)
    return { status: 304, headers: { ...session.headers(), ...(etag === undefined ? {} : { ETag: etag }) } }
  const write = (batch: RowBatch): ODataResponse => {
    if (session.version === '1.0') checkExpansionsOfVersion1(batch)
    const body = entryDocument(format, projection, batch, session.writeContext(data))
    const headers = session.headers(contentType)
    return { status: 200, headers: etag === undefined ? headers : { ...headers, ETag: etag }, body }
  }
  const expanded = data.expand([row], projection, session.authorized.restrictions)
  return mapValue(expanded, write)
}
