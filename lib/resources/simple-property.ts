import { deleteValue, updateProperty } from './change-property.js'
import { propertyResponse } from './property-response.js'
import type { ResourceMethods } from './resource-context.js'

/** URI 4 and 5. @spec MS-ODATA 2.2.6.5.6 */
export const simpleProperty: ResourceMethods<'SimpleProperty'> = {
  GET: ({ owner, path }, context) => propertyResponse(owner, path, context),
  PUT: ({ owner, path }, context) => updateProperty(owner, path, 'replace', context),
  MERGE: ({ owner, path }, context) => updateProperty(owner, path, 'merge', context),
  PATCH: ({ owner, path }, context) => updateProperty(owner, path, 'merge', context),
  DELETE: ({ owner, path }, context) => deleteValue(owner, path, context),
}
