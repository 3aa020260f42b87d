import { ODataError } from '../../errors/odata-error.js'

/** Seconds after which a throttled or restarted store usually responds. */
const RETRY_AFTER_S = 5

/**
 * Returns the error for the client: 404 when an object does not exist, 412 when a condition of the request does not hold,
 * and 503 for all other errors of the store, which the client has not caused. Errors of the request itself stay as they
 * are.
 */
export function storageError(error: unknown): unknown {
  if (error instanceof ODataError) return error
  if (isMissing(error)) {
    return new ODataError('ResourceNotFound', {
      message: 'The media resource does not exist in the object storage.',
      cause: error,
    })
  }
  if (isRefused(error)) return new ODataError('PreconditionFailed', { cause: error })
  return new ODataError('ServiceUnavailable', {
    message: 'The object storage cannot be reached at the moment.',
    details: { retryAfter: RETRY_AFTER_S },
    cause: error,
  })
}

/** Returns the error for a read of an object that was replaced after it was found. */
export function replacedError(cause: unknown): ODataError {
  const message = 'The media resource was replaced while it was read.'
  return new ODataError('ServiceUnavailable', { message, details: { retryAfter: 1 }, cause })
}

/** Returns true for an object that does not exist. `NotFound` is the error of requests for metadata. */
export function isMissing(error: unknown): boolean {
  return ['NoSuchKey', 'NotFound'].includes(nameOf(error))
}

/** Returns true for a failed condition, or another change at the same time. */
export function isRefused(error: unknown): boolean {
  return ['PreconditionFailed', 'ConditionalRequestConflict'].includes(nameOf(error))
}

function nameOf(error: unknown): string {
  return String((error as { readonly name?: unknown } | null | undefined)?.name)
}
