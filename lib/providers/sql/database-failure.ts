import { ODataError, retryableError } from '../../errors/odata-error.js'
import { readOnlyDatabase } from './constraint-violations.js'
import type { SqlDialect } from './dialect.js'
import { statementTimeout } from './running-statement.js'

/** Seconds after which a restarted database usually accepts connections. */
const RETRY_AFTER_S = 5

/** Returns the error for the client if a failure of the database is not caused by its request. */
export function databaseFailure(dialect: SqlDialect, error: unknown): unknown {
  switch (dialect.classifyError(error)?.kind) {
    case 'again':
      return retryableError(error)
    case 'away':
      return unavailable('The database cannot be reached at the moment.', error)
    case 'standby':
      return standbyError(error)
    case 'readOnly':
      return readOnlyDatabase(error)
    case 'slow':
      return statementTimeout(error)
    case 'unsupported':
      return new ODataError('NotImplemented', {
        message: 'The database does not support this request.',
        cause: error,
      })
    default:
      return error
  }
}

/** Returns the error for a request that a standby server does not accept until it is promoted. */
export function standbyError(cause: unknown): ODataError {
  return unavailable('The database is a standby at the moment and does not accept this request.', cause)
}

function unavailable(message: string, cause: unknown): ODataError {
  return new ODataError('ServiceUnavailable', { message, details: { retryAfter: RETRY_AFTER_S }, cause })
}
