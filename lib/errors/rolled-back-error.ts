import { ODataError } from './odata-error.js'

/**
 * Returns the error of work that continues after the rollback of its change set.
 *
 * @param call its reason is the cause: a client that disconnects is not a failure
 */
export function rolledBackError({ signal }: { readonly signal: AbortSignal }): ODataError {
  return new ODataError('ServiceUnavailable', {
    message: 'The change set has been rolled back.',
    cause: signal.reason,
  })
}
