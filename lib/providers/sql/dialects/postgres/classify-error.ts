import type { DatabaseError } from '../../database-error.js'

/** Codes of errors in statements that input functions of types also use. */
const valueCodes: ReadonlySet<string> = new Set([
  '42601',
  '42602',
  '42703',
  '42704',
  '42883',
  '42P01',
  '3F000',
])

interface PostgresError {
  readonly position?: unknown
  /** Only of errors that the server reports. */
  readonly severity?: unknown
  readonly code?: unknown
  /** The function of the server that reports the error. */
  readonly routine?: unknown
  readonly message?: unknown
  readonly column?: unknown
  readonly constraint?: unknown
  readonly detail?: unknown
}

const kinds: Readonly<Record<string, DatabaseError['kind']>> = {
  '23505': 'unique',
  '23P01': 'exclusion',
  '23503': 'foreignKey',
  '23001': 'foreignKey',
  '23502': 'notNull',
  '23514': 'check',
  '44000': 'check',
  // Raised by a trigger.
  P0001: 'check',
  // A value for a generated column.
  '428C9': 'check',
  // A missing privilege, or a policy of row-level security.
  '42501': 'privilege',
  // A view or a materialized view that cannot be changed.
  '55000': 'privilege',
  '42809': 'privilege',
  '25006': 'readOnly',
  // For example a row that would move out of a foreign partition.
  '0A000': 'unsupported',
  // Too long for an index.
  '54000': 'value',
  '40001': 'again',
  '40P01': 'again',
  '55P03': 'again',
  // Shutting down, crashed, starting, out of connections, or unreachable.
  '57P01': 'away',
  '57P02': 'away',
  '57P03': 'away',
  '53300': 'away',
  ECONNREFUSED: 'away',
  ECONNRESET: 'away',
  EPIPE: 'away',
  ETIMEDOUT: 'away',
}

/** Code of a server that has lost its connection to a foreign server. */
const CONNECTION_FAILURE = '08006'
/** Code of a server that cannot connect to a foreign server. */
const NOT_CONNECTED = '08001'
/** Code of numbers, and of strings as amounts of money, that are out of range. */
const OUT_OF_RANGE = '22003'
/** The function of the server that refuses serializable transactions on a standby. */
const SERIALIZABLE_SNAPSHOT = 'GetSerializableTransactionSnapshot'

/** The function of the server that raises errors of triggers and functions, whose codes can be any. */
const RAISE = 'exec_stmt_raise'

/** The function of the server that refuses a value of a setting, such as a role. */
const SETTING_CHECK = 'call_string_check_hook'

const lostConnection: DatabaseError = { kind: 'away', columns: [], isOutcomeUnknown: true }

const kindsOfClasses: Readonly<Record<string, DatabaseError['kind']>> = {
  '08': 'away',
  '22': 'value',
  '23': 'check',
}

/** Messages of the driver for errors without a code: the connection was lost, perhaps after the statement was sent. */
const lost = new Set(['Connection terminated unexpectedly', 'Connection terminated'])

/** Messages of the driver for statements that were not sent. */
const unsent = new Set([
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'timeout exceeded when trying to connect',
])

/** Classifies an error of PostgreSQL and its drivers. */
export function classifyPostgresError(error: unknown): DatabaseError | undefined {
  const { code, message } = error as PostgresError
  if (typeof code !== 'string') {
    if (unsent.has(String(message))) return { kind: 'away', columns: [], isOutcomeUnknown: false }
    return lost.has(String(message)) ? lostConnection : undefined
  }
  if ((error as PostgresError).routine === SERIALIZABLE_SNAPSHOT && code === '0A000')
    return { kind: 'standby', columns: [] }
  // The role of a session does not exist, or the user of the connection may not set it.
  if ((error as PostgresError).routine === SETTING_CHECK) return undefined
  if (isStalePreparedStatement(error)) return { kind: 'again', columns: [] }
  // Errors of a statement have a position in it. Errors of a value, such as a text search query, have none.
  const isOfValue = valueCodes.has(code) && (error as PostgresError).position === undefined
  const raised = (error as PostgresError).routine === RAISE ? 'check' : undefined
  const kind = isOfValue ? 'value' : (kinds[code] ?? kindsOfClasses[code.slice(0, 2)] ?? raised)
  if (kind === 'away') {
    // The server reports an error, also one of a foreign server, only if it has rolled back. The foreign server may have
    // committed before.
    if (typeof (error as PostgresError).severity !== 'string' || code === CONNECTION_FAILURE)
      return lostConnection
    if (code === NOT_CONNECTED) return { kind, columns: [], isOutcomeUnknown: false }
  }
  return kind && { kind, columns: columnsOf(error as PostgresError), isOutOfRange: code === OUT_OF_RANGE }
}

/** Finds column names in the error, in its detail `Key (a, "B")=(1, 2) already exists`, or in the name of the constraint. */
function columnsOf({ column, constraint, detail }: PostgresError): readonly string[] {
  if (typeof column === 'string') return [column]
  const key = typeof detail === 'string' ? /^Key \((.*?)\)=\(/s.exec(detail)?.[1] : undefined
  if (key !== undefined) return key.split(', ').map((one) => one.replace(/^"(.*)"$/s, '$1'))
  return typeof constraint === 'string' ? [constraint] : []
}

/**
 * Returns true if a prepared statement failed that would succeed without preparation: a column has another type since, or
 * the session has lost its prepared statements or has another statement under the name.
 */
export function isStalePreparedStatement(error: unknown): boolean {
  const { code, routine } = error as { readonly code?: unknown; readonly routine?: unknown }
  return code === '26000' || code === '42P05' || (code === '0A000' && routine === 'RevalidateCachedQuery')
}
