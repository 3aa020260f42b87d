import type { DatabaseError } from '../../database-error.js'

/** Error codes of the driver for lost and refused connections, and whether the statement may have been executed. */
const lost: Readonly<Record<string, 'unknown' | 'not executed'>> = {
  PROTOCOL_CONNECTION_LOST: 'unknown',
  PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR: 'not executed',
  ECONNREFUSED: 'not executed',
  ECONNRESET: 'unknown',
  EPIPE: 'unknown',
  ETIMEDOUT: 'unknown',
}

const kinds: Readonly<Record<number, DatabaseError['kind']>> = {
  1062: 'unique',
  1586: 'unique',
  1216: 'foreignKey',
  1217: 'foreignKey',
  1451: 'foreignKey',
  1452: 'foreignKey',
  1048: 'notNull',
  1364: 'notNull',
  3819: 'check',
  4025: 'check',
  // The condition of a view, an error of a trigger, and columns that views and generated columns do not store.
  1369: 'check',
  1644: 'check',
  1348: 'check',
  1906: 'check',
  3105: 'check',
  // No partition for the row.
  1526: 'check',
  1748: 'check',
  // Missing on a table, column, database, server or routine, or below a view.
  1142: 'privilege',
  1143: 'privilege',
  1044: 'privilege',
  1227: 'privilege',
  1370: 'privilege',
  1356: 'privilege',
  // Views that cannot be changed.
  1288: 'privilege',
  1395: 'privilege',
  1471: 'privilege',
  1036: 'readOnly',
  1792: 'readOnly',
  1874: 'readOnly',
  // The state of a replica: `read_only`, which a failover changes, and a reader of a cluster with shared storage.
  1290: 'standby',
  1836: 'standby',
  1264: 'value',
  1265: 'value',
  1292: 'value',
  1366: 'value',
  1406: 'value',
  1690: 'value',
  // Larger than max_allowed_packet.
  1153: 'value',
  // Errors of expressions, such as those of generated columns: a division by zero, and dates out of range.
  1365: 'value',
  1441: 'value',
  // No geometry, and no JSON.
  1242: 'value',
  1416: 'value',
  3037: 'value',
  3140: 'value',
  1205: 'again',
  1213: 'again',
  1020: 'again',
  // No connection left, shut down, or killed.
  1040: 'away',
  1203: 'away',
  1053: 'away',
  1077: 'away',
  1927: 'away',
  1235: 'unsupported',
  // Cancelled by an administrator, or by max_statement_time of MariaDB and max_execution_time of MySQL.
  1317: 'slow',
  1969: 'slow',
  3024: 'slow',
}

/** The state of errors that triggers signal, which can have any number. */
const SIGNALED = '45000'
const COMMIT_FAILED = 1180
/** Of statements that a node of a cluster without quorum does not run. */
const NODE_NOT_READY = 1047

/** The message of a commit that a cluster without quorum has not stored. */
const lacksQuorum = /not connected to primary component/i

interface MysqlError {
  readonly errno?: unknown
  readonly code?: unknown
  readonly sqlMessage?: unknown
  readonly sqlState?: unknown
}

/** Messages name the column, the key or the constraint that they are about. */
function constraintError(kind: DatabaseError['kind'], message: string): DatabaseError {
  if (kind === 'unique') {
    const [, key = ''] = /for key '(?:[^']*\.)?([^']*)'/.exec(message) ?? []
    return { kind, columns: key === 'PRIMARY' ? [] : [key], isPrimaryKey: key === 'PRIMARY' }
  }
  const pattern =
    kind === 'foreignKey'
      ? /FOREIGN KEY \(([^)]*)\)/
      : /(?:column|Field|CONSTRAINT|Check constraint) (?:`[^`]*`\.)*[`']([^`']*)[`']/i
  const [, about = ''] = pattern.exec(message) ?? []
  const names = about.split(',').map((name) => name.trim().replaceAll('`', ''))
  return { kind, columns: names.filter((name) => name !== '') }
}

/** Classifies an error of MySQL, MariaDB and their driver. */
export function classifyMysqlError(error: unknown): DatabaseError | undefined {
  const { errno, code, sqlMessage, sqlState } = error as MysqlError
  if (typeof code === 'string' && code in lost)
    return { kind: 'away', columns: [], isOutcomeUnknown: lost[code] === 'unknown' }
  const message = typeof sqlMessage === 'string' ? sqlMessage : ''
  if (errno === COMMIT_FAILED)
    return { kind: 'away', columns: [], isOutcomeUnknown: !lacksQuorum.test(message) }
  if (errno === NODE_NOT_READY) return { kind: 'away', columns: [], isOutcomeUnknown: false }
  const signaled = sqlState === SIGNALED ? 'check' : undefined
  const kind = (typeof errno === 'number' ? kinds[errno] : undefined) ?? signaled
  return kind && constraintError(kind, message)
}
