import { ODataError } from '../errors/odata-error.js'
import { truncate } from '../util/truncate.js'
import type { ODataRequest } from './odata-request.js'

/**
 * Refuses a body in a coding, which would be taken for what it is a coding of.
 *
 * @throws ODataError UnsupportedMediaType for anything but `identity`
 * @spec RFC 9110 8.4 (Content-Encoding)
 */
export function refuseEncoding(request: Pick<ODataRequest, 'header'>): void {
  const encoding = request.header('content-encoding')
  if (encoding === undefined || /^[\s,]*(?:identity[\s,]*)*$/i.test(encoding)) return
  throw new ODataError('UnsupportedMediaType', {
    message: `Content-Encoding cannot be '${truncate(encoding, 50)}': send the body as it is.`,
  })
}
