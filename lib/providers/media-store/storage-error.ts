import { ODataError } from '../../errors/odata-error.js'

/** Seconds after which a throttled or restarted store usually responds. */
const RETRY_AFTER_S = 5

/**
 * Returns the error for the client: 404 when an object does not exist, and 503 for all other errors of the store, which
 * the client has not caused. Errors of the request itself stay as they are.
 */
export function storageError(error: unknown): unknown {
  if (error instanceof ODataError) return error
  if (isMissing(error)) {
    return new ODataError('ResourceNotFound', {
      message: 'The media resource does not exist in the object storage.',
      cause: error,
    })
  }
  return new ODataError('ServiceUnavailable', {
    message: 'The object storage cannot be reached at the moment.',
    details: { retryAfter: RETRY_AFTER_S },
    cause: error,
  })
}

function isMissing(error: unknown): boolean {
  return (error as { readonly name?: unknown } | null)?.name === 'NoSuchKey'
}
