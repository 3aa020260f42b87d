import type { ModelErrors } from '../../edm/build/model-error.js'
import { ModelError } from '../../edm/build/model-error.js'
import type { V4Document } from './v4-document.js'

/**
 * Reads a metadata document in JSON.
 *
 * @spec OData CSDL JSON 4.01
 */
export function readV4Json(_text: string, _errors: ModelErrors): V4Document {
  throw new ModelError(['document: metadata documents in JSON are not supported.'])
}
