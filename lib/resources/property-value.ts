import { ODataError } from '../errors/odata-error.js'
import { rawValue } from '../formats/raw-value.js'
import { isNotModified } from '../http/conditional-requests.js'
import { deleteValue, updateRawValue } from './change-property.js'
import { readValue } from './property-owner.js'
import { simpleValue } from './property-response.js'
import type { ResourceMethods } from './resource-context.js'

/** URI 4 and 5 with `$value`: the value without mark-up. Null has no raw form. @spec MS-ODATA 2.2.6.5.7 */
export const propertyValue: ResourceMethods<'PropertyValue'> = {
  // A value has no parts that could be merged: all three replace it.
  PUT: ({ owner, path }, context) => updateRawValue(owner, path, context),
  MERGE: ({ owner, path }, context) => updateRawValue(owner, path, context),
  PATCH: ({ owner, path }, context) => updateRawValue(owner, path, context),
  DELETE: ({ owner, path }, context) => deleteValue(owner, path, context),
  async GET({ owner, path }, context) {
    const { value, etag } = await readValue(owner, path, context)
    if (value === null || value === undefined) {
      throw new ODataError('ResourceNotFound', { message: 'The value is null, which has no raw form.' })
    }
    const { type, property } = simpleValue(owner, path)
    const { contentType, body } = rawValue(type, value, property)
    const tag = etag === undefined ? {} : { ETag: etag }
    if (isNotModified(context.request, { etag }))
      return { status: 304, headers: { ...context.headersOfOneForm(), ...tag } }
    return { status: 200, headers: { ...context.headersOfOneForm(contentType), ...tag }, body }
  },
}
