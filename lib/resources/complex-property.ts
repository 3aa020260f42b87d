import { propertyResponse } from './property-response.js'
import type { ResourceMethods } from './resource-context.js'

/** URI 3. @spec MS-ODATA 2.2.6.5.5 */
export const complexProperty: ResourceMethods<'ComplexProperty'> = {
  GET: ({ owner, path }, context) => propertyResponse(owner, path, context),
}
