import { prefersGzip } from '../http/accept-encoding.js'
import { isNotModified } from '../http/conditional-requests.js'
import type { ODataResponse } from '../http/odata-response.js'
import { httpDate } from '../http/response-headers.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { mapValue } from '../util/promise-or-value.js'
import type { MetadataDocument } from './metadata-document.js'
import type { RequestSession, ResourceMethods } from './request-session.js'

/** URI 0: the list of entity sets. @spec MS-ODATA 2.2.6.5.1 */
export const serviceDocument: ResourceMethods<'ServiceDocument'> = {
  reads: () => ({ offers: 'serviceDocument' }),
  GET(_target, session) {
    const { format, contentType } = session.negotiated
    const body = format.serviceDocument(session.service.model, session.writeContext())
    return { status: 200, headers: session.headers(contentType), body }
  },
}

/** URI 8: the model as EDMX, compressed for clients that accept it. @spec MS-ODATA 2.2.6.5.2, RFC 9110 8.4 */
export const metadata: ResourceMethods<'Metadata'> = {
  reads: () => ({ offers: 'metadata' }),
  GET(_target, session) {
    return mapValue(session.service.metadata(session.language?.language), (document) =>
      respond(document, session),
    )
  },
}

function respond(document: MetadataDocument, session: RequestSession): PromiseOrValue<ODataResponse> {
  const { request, scope, service } = session
  const { loaded } = service
  // Parts of a batch have no encoding of their own.
  const isCompressed =
    scope === undefined && prefersGzip(request.header('accept-encoding'), document.byteLength)
  const etag = document.etag(isCompressed)
  const validators = { ETag: etag, 'Last-Modified': httpDate(loaded) }
  if (isNotModified(request, { etag, lastModified: loaded })) {
    return { status: 304, headers: { ...headersOf(session), ...validators } }
  }
  const headers = {
    ...headersOf(session, session.negotiated.contentType),
    ...validators,
    ...(isCompressed && { 'Content-Encoding': 'gzip' }),
  }
  return mapValue(document.body(isCompressed), (body) => ({ status: 200, headers, body }))
}

function headersOf(session: RequestSession, contentType?: string): Readonly<Record<string, string>> {
  const headers = session.headersOfOneForm(contentType)
  return session.scope === undefined ? { ...headers, Vary: `${headers.Vary}, Accept-Encoding` } : headers
}
