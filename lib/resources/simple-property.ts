import { deleteValue, updateProperty } from './change-property.js'
import { propertyResponse } from './property-response.js'
import type { ResourceMethods } from './request-session.js'

/** URI 4 and 5. @spec MS-ODATA 2.2.6.5.6 */
export const simpleProperty: ResourceMethods<'SimpleProperty'> = {
  reads: () => ({ offers: 'value' }),
  GET: ({ owner, path }, session) => propertyResponse(owner, path, session),
  PUT: ({ owner, path }, session) => updateProperty(owner, path, 'replace', session),
  MERGE: ({ owner, path }, session) => updateProperty(owner, path, 'merge', session),
  PATCH: ({ owner, path }, session) => updateProperty(owner, path, 'merge', session),
  DELETE: ({ owner, path }, session) => deleteValue(owner, path, session),
}
