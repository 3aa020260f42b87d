import { ODataError } from '../../errors/odata-error.js'

/** Creates the error for a V4 service that cannot be reached, or whose response cannot be used. */
export function badGateway(reason: string, cause?: unknown): ODataError {
  return new ODataError('ServiceUnavailable', {
    message: 'The upstream service failed.',
    cause: new Error(reason, cause === undefined ? undefined : { cause }),
  })
}

/** Creates the error for a V4 service that does not respond in time. */
export function gatewayTimeout(reason: string): ODataError {
  return new ODataError('ServiceUnavailable', {
    message: 'The upstream service did not respond in time.',
    cause: new Error(reason),
  })
}
