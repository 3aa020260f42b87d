import type { Row } from '../evaluation/row.js'
import { entryDocument } from '../formats/row-errors.js'
import { isNotModified } from '../http/conditional-requests.js'
import type { ODataResponse } from '../http/odata-response.js'
import { absentEntity } from '../data/target-reader.js'
import type { DataReader } from '../data/data-reader.js'
import type { EntitySource } from '../query/request-target.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { mapValue } from '../util/promise-or-value.js'
import { addressOfRow, deleteEntity, updateEntity } from './change-entity.js'
import { entityTagOf } from './entity-tags.js'
import { checkExpansionsOfVersion1 } from './version-rules.js'
import type { RequestSession, ResourceMethods } from './request-session.js'

/** URI 2, 6A and 10: one entity. @spec MS-ODATA 2.2.6.5.4 */
export const entity: ResourceMethods<'Entity'> = {
  reads: () => ({ offers: 'entry', authorizes: 'read' }),
  PUT: (target, session) => updateEntity(target.entity, 'replace', session),
  MERGE: (target, session) => updateEntity(target.entity, 'merge', session),
  PATCH: (target, session) => updateEntity(target.entity, 'merge', session),
  DELETE: (target, session) => deleteEntity(target.entity, session),
  // Synchronous if the provider is: batches contain many such requests.
  GET: ({ entity: source }, session) =>
    mapValue(session.reader(), (reader) => {
      const { authorized } = session
      const row = reader.readEntity(source, authorized, authorized.query.projection, true)
      return mapValue(row, (entityRow) => {
        if (entityRow !== undefined) return entityResponse(entityRow, source, reader, session)
        if (session.settings.nullNavigation !== 204 || source.kind === 'KeyedEntity')
          throw absentEntity(source)
        return { status: 204, headers: session.headers() }
      })
    }),
}

function entityResponse(
  row: Row,
  source: EntitySource,
  reader: DataReader,
  session: RequestSession,
): PromiseOrValue<ODataResponse> {
  const { format, contentType } = session.negotiated
  if (session.measurement !== undefined) session.measurement.rows++
  const { query, restrictions } = session.authorized
  const { projection } = query
  const etag = entityTagOf(row, projection.set, session.service.etags)
  const isCalledByPost = source.kind === 'ReturnedEntity' && session.request.method === 'POST'
  // If-Match of a call by POST is the version of the entity that the function was called for.
  const isCalledWithVersion = isCalledByPost && session.request.header('if-match') !== undefined
  // The ETag does not cover the versions of expanded entities.
  if (!isCalledWithVersion && isNotModified(session.request, { etag }) && projection.expansions.length === 0)
    return { status: 304, headers: { ...session.headers(), ...(etag === undefined ? {} : { ETag: etag }) } }
  return mapValue(reader.expand(row, source, projection, restrictions), (batch) => {
    if (session.version === '1.0') checkExpansionsOfVersion1(batch)
    const body = entryDocument(format, projection, batch, session.writeContext(reader))
    let headers = session.headers(contentType)
    if (etag !== undefined) headers = { ...headers, ETag: etag }
    // In a batch, the Content-ID of a call by POST refers to the entity that the function returned.
    if (isCalledByPost)
      headers = { ...headers, 'Content-Location': addressOfRow(row, projection.set, session) }
    return { status: 200, headers, body }
  })
}
