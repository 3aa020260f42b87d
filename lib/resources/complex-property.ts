import { updateProperty } from './change-property.js'
import { propertyResponse } from './property-response.js'
import type { ResourceMethods } from './request-session.js'

/** URI 3. @spec MS-ODATA 2.2.6.5.5 */
export const complexProperty: ResourceMethods<'ComplexProperty'> = {
  reads: () => ({ offers: 'value' }),
  GET: ({ owner, path }, session) => propertyResponse(owner, path, session),
  PUT: ({ owner, path }, session) => updateProperty(owner, path, 'replace', session),
  MERGE: ({ owner, path }, session) => updateProperty(owner, path, 'merge', session),
  PATCH: ({ owner, path }, session) => updateProperty(owner, path, 'merge', session),
}
