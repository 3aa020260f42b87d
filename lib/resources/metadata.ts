import { isNotModified } from '../http/conditional-requests.js'
import { httpDate } from '../http/response-headers.js'
import type { ResourceMethods } from './request-session.js'

/** URI 8: the model as EDMX. @spec MS-ODATA 2.2.6.5.2 */
export const metadata: ResourceMethods<'Metadata'> = {
  reads: () => ({ offers: 'metadata' }),
  GET(_target, session) {
    const { contentType } = session.negotiated
    const { loaded } = session.service
    const { bytes, etag } = session.service.metadata()
    const validators = { ETag: etag, ...lastModified(loaded) }
    if (isNotModified(session.request, { etag, lastModified: loaded })) {
      return { status: 304, headers: { ...session.headersOfOneForm(), ...validators } }
    }
    return { status: 200, headers: { ...session.headersOfOneForm(contentType), ...validators }, body: bytes }
  },
}

const texts = new WeakMap<Date, { readonly 'Last-Modified': string }>()

/** The model of a service is loaded once. */
function lastModified(loaded: Date): { readonly 'Last-Modified': string } {
  let header = texts.get(loaded)
  if (header === undefined) {
    header = { 'Last-Modified': httpDate(loaded) }
    texts.set(loaded, header)
  }
  return header
}
