import { updateProperty } from './change-property.js'
import { propertyResponse } from './property-response.js'
import type { ResourceMethods } from './resource-context.js'

/** URI 3. @spec MS-ODATA 2.2.6.5.5 */
export const complexProperty: ResourceMethods<'ComplexProperty'> = {
  GET: ({ owner, path }, context) => propertyResponse(owner, path, context),
  PUT: ({ owner, path }, context) => updateProperty(owner, path, 'replace', context),
  MERGE: ({ owner, path }, context) => updateProperty(owner, path, 'merge', context),
  PATCH: ({ owner, path }, context) => updateProperty(owner, path, 'merge', context),
}
