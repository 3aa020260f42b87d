import { ODataError } from '../errors/odata-error.js'
import { truncate } from '../util/truncate.js'
import type { ODataRequest } from './odata-request.js'

const tunnelled: readonly string[] = ['PUT', 'MERGE', 'PATCH', 'DELETE']

/**
 * The method that a request means: networks that know only GET and POST let the others through as a header of POST.
 *
 * @throws ODataError BadRequest for contradicting headers, or headers on another method than POST; NotImplemented for a
 * method that there is not
 * @spec MS-ODATA 2.2.5.8 (X-HTTP-Method)
 */
export function methodOf(request: ODataRequest): string {
  const header = request.header('x-http-method')
  const override = request.header('x-http-method-override')
  const named = header ?? override
  if (named === undefined) return request.method
  if (request.method !== 'POST') {
    throw new ODataError('BadRequest', { message: 'X-HTTP-Method can only be used with POST.' })
  }
  if (header !== undefined && override !== undefined && meant(header) !== meant(override)) {
    throw new ODataError('BadRequest', {
      message: 'X-HTTP-Method and X-HTTP-Method-Override differ: send one of them.',
    })
  }
  const method = meant(named)
  if (tunnelled.includes(method)) return method
  throw new ODataError('NotImplemented', {
    message: `X-HTTP-Method must be one of ${tunnelled.join(', ')}, not '${truncate(method, 50)}'.`,
  })
}

function meant(header: string): string {
  return header.trim().toUpperCase()
}
