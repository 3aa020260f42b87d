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
      return new ODataError('ServiceUnavailable', {
        message: 'The database cannot be reached at the moment.',
        details: { retryAfter: RETRY_AFTER_S },
        cause: error,
      })
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
