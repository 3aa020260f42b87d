import { ODataError } from '../errors/odata-error.js'
import { truncate } from '../util/describe-value.js'
import type { ODataRequest } from './odata-request.js'

export type DataServiceVersion = '1.0' | '2.0'

const pattern = /^\s*(\d{1,4})\.(\d{1,4})\s*(?:;.*)?$/s

/**
 * Negotiates the protocol version of a response: the highest that the client and the service support.
 *
 * @throws ODataError DataServiceVersionMismatch for malformed headers, and for requests in an unsupported version
 * @spec MS-ODATA 2.2.5.3, 2.2.5.7 (DataServiceVersion, MaxDataServiceVersion)
 */
export function negotiateVersion(request: ODataRequest): DataServiceVersion {
  const ownHeader = request.header('dataserviceversion')
  const maxHeader = request.header('maxdataserviceversion')
  if (ownHeader === undefined && maxHeader === undefined) return '2.0'
  const own = parseVersion(ownHeader, 'DataServiceVersion')
  const max = parseVersion(maxHeader, 'MaxDataServiceVersion')
  if (own !== undefined && own > 2) {
    throw mismatch('DataServiceVersion: this service supports the versions 1.0 and 2.0.')
  }
  const wanted = max ?? own ?? 2
  if (wanted < 1) throw mismatch('MaxDataServiceVersion: the lowest version is 1.0.')
  return wanted < 2 ? '1.0' : '2.0'
}

/** Parses the header of a protocol version. Clients append their name after a semicolon. */
function parseVersion(header: string | undefined, name: string): number | undefined {
  if (header === undefined) return undefined
  if (header === '2.0') return 2
  const match = pattern.exec(header)
  if (match === null) {
    throw mismatch(`${name} must be a version such as 2.0, not '${truncate(header, 50)}'.`)
  }
  return Number(`${match[1]}.${match[2]}`)
}

function mismatch(message: string): ODataError {
  return new ODataError('DataServiceVersionMismatch', { message })
}
