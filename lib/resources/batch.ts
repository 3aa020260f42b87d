import { ODataError } from '../errors/odata-error.js'
import type { ResourceMethods } from './resource-context.js'

/** URI 9: several requests in one. @spec MS-ODATA 2.2.7.6 */
export const batch: ResourceMethods<'Batch'> = {
  POST() {
    throw new ODataError('NotImplemented', { message: 'This service does not take batches.' })
  },
}
