import { isNotModified } from '../http/conditional-requests.js'
import { httpDate } from '../http/response-headers.js'
import type { ResourceMethods } from './request-session.js'

/** URI 0: the list of entity sets. @spec MS-ODATA 2.2.6.5.1 */
export const serviceDocument: ResourceMethods<'ServiceDocument'> = {
  reads: () => ({ offers: 'serviceDocument' }),
  GET(_target, session) {
    const { format, contentType } = session.negotiated
    const body = format.serviceDocument(session.service.model, session.writeContext())
    return { status: 200, headers: session.headers(contentType), body }
  },
}

/** URI 8: the model as EDMX. @spec MS-ODATA 2.2.6.5.2 */
export const metadata: ResourceMethods<'Metadata'> = {
  reads: () => ({ offers: 'metadata' }),
  GET(_target, session) {
    const { loaded } = session.service
    const { bytes, etag } = session.service.metadata(session.language?.language)
    const validators = { ETag: etag, 'Last-Modified': httpDate(loaded) }
    if (isNotModified(session.request, { etag, lastModified: loaded })) {
      return { status: 304, headers: { ...session.headersOfOneForm(), ...validators } }
    }
    const { contentType } = session.negotiated
    return { status: 200, headers: { ...session.headersOfOneForm(contentType), ...validators }, body: bytes }
  },
}
