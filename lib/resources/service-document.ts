import type { ResourceMethods } from './request-session.js'

/** URI 0: the feeds of the service. @spec MS-ODATA 2.2.6.5.1 */
export const serviceDocument: ResourceMethods<'ServiceDocument'> = {
  reads: () => ({ offers: 'serviceDocument' }),
  GET(_target, session) {
    const { format, contentType } = session.negotiated
    const body = format.serviceDocument(session.service.model, session.writeContext())
    return { status: 200, headers: session.headers(contentType), body }
  },
}
