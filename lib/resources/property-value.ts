import { ODataError } from '../errors/odata-error.js'
import { rawValue } from '../formats/plain-text.js'
import { isNotModified } from '../http/conditional-requests.js'
import { deleteValue, updateRawValue } from './change-property.js'
import { readValue } from './property-owner.js'
import { simpleValue } from './property-response.js'
import type { ResourceMethods } from './request-session.js'

/** URI 4 and 5 with `$value`: the value without mark-up. Null has no raw form. @spec MS-ODATA 2.2.6.5.7 */
export const propertyValue: ResourceMethods<'PropertyValue'> = {
  // A value has no parts that could be merged: all three replace it.
  PUT: ({ owner, path }, session) => updateRawValue(owner, path, session),
  MERGE: ({ owner, path }, session) => updateRawValue(owner, path, session),
  PATCH: ({ owner, path }, session) => updateRawValue(owner, path, session),
  DELETE: ({ owner, path }, session) => deleteValue(owner, path, session),
  async GET({ owner, path }, session) {
    const { value, etag } = await readValue(owner, path, session)
    if (value === null || value === undefined) {
      throw new ODataError('ResourceNotFound', { message: 'The value is null, which has no raw form.' })
    }
    const { type, property } = simpleValue(owner, path)
    const { contentType, body } = rawValue(type, value, property)
    const tag = etag === undefined ? {} : { ETag: etag }
    if (isNotModified(session.request, { etag }))
      return { status: 304, headers: { ...session.headersOfOneForm(), ...tag } }
    return { status: 200, headers: { ...session.headersOfOneForm(contentType), ...tag }, body }
  },
}
