import { ODataError } from '../errors/odata-error.js'
import { truncate } from '../util/truncate.js'
import type { ODataRequest } from './odata-request.js'

export type DataServiceVersion = '1.0' | '2.0'

const pattern = /^\s*(\d{1,4})\.(\d{1,4})\s*(?:;.*)?$/s

/**
 * The version that an answer is written in: the highest that both sides know.
 *
 * @throws ODataError DataServiceVersionMismatch for headers that name no version, and for requests written in a
 * version that is not ours
 * @spec MS-ODATA 2.2.5.3, 2.2.5.7 (DataServiceVersion, MaxDataServiceVersion)
 */
export function negotiateVersion(request: ODataRequest): DataServiceVersion {
  const own = numberOf(request.header('dataserviceversion'), 'DataServiceVersion')
  const max = numberOf(request.header('maxdataserviceversion'), 'MaxDataServiceVersion')
  if (own !== undefined && own > 2) {
    throw mismatch(`DataServiceVersion: this service speaks versions 1.0 and 2.0.`)
  }
  const wanted = max ?? own ?? 2
  if (wanted < 1) throw mismatch('MaxDataServiceVersion: there is no version below 1.0.')
  return wanted < 2 ? '1.0' : '2.0'
}

/** Behind a semicolon clients name themselves. */
function numberOf(header: string | undefined, name: string): number | undefined {
  if (header === undefined) return undefined
  const match = pattern.exec(header)
  if (match === null) {
    throw mismatch(`${name} must be a version such as 2.0, not '${truncate(header, 50)}'.`)
  }
  return Number(`${match[1]}.${match[2]}`)
}

function mismatch(message: string): ODataError {
  return new ODataError('DataServiceVersionMismatch', { message })
}
