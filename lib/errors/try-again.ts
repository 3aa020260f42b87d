import { ODataError } from './odata-error.js'

/** Seconds after which a client may try again what did not work out at once. */
const retryAfter = 1

/**
 * The error of a change that failed only because of others that were made at the same moment: made again, it may well
 * succeed. The library makes the changes of a request, or of a change set, up to three more times before the client is
 * answered with it.
 *
 * @param cause what the store said
 */
export function tryAgain(cause: unknown): ODataError {
  return new ODataError('ServiceUnavailable', {
    message: 'Others change the same data at the moment. Try again.',
    details: { tryAgain: true, retryAfter },
    cause,
  })
}

/** Whether an error says that the same may succeed when it is done again: `details.tryAgain` is true. */
export function asksToTryAgain(error: unknown): boolean {
  return error instanceof ODataError && error.details.tryAgain === true
}
