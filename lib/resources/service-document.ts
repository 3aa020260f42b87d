import type { ResourceMethods } from './resource-context.js'

/** URI 0: the feeds of the service. @spec MS-ODATA 2.2.6.5.1 */
export const serviceDocument: ResourceMethods<'ServiceDocument'> = {
  GET(_target, context) {
    const { format, contentType } = context.negotiate('serviceDocument')
    const body = format.serviceDocument(context.service.model, context.writeContext())
    return { status: 200, headers: context.headers(contentType), body }
  },
}
