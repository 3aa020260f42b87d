import { lengthOf } from '../../../edm/check-value.js'
import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import type { Column } from '../column.js'
import { raw, sql } from '../sql-text.js'
import type { DatabaseError, WriteDialect } from '../dialect.js'
import { jsonError, notOneOf } from './allowed-strings.js'

/**
 * Rows that a change depends on are locked until its end. Each statement sees all changes that were committed before
 * it.
 */
export const postgresWrites: WriteDialect = {
  async begin(run) {
    const [row] = await run(sql`select current_setting('default_transaction_isolation') as "level"`)
    // With repeatable read, changes would miss rows that other transactions committed after the first statement.
    return [row?.level === 'serializable' ? sql`begin` : sql`begin isolation level read committed`]
  },
  failureEndsTransaction: true,
  returnsBeforeTriggers: true,
  generatesValidValues,
  lockToChange: ' for no key update of t0',
  lockToRemove: ' for update of t0',
  lockToKeep: ' for key share',
  derivesOwnTable: false,
  insertUnlessTaken: ['insert into', ' on conflict do nothing'],
  ignoresErrors: false,
  defaultRow: ' default values',
  media: {
    empty: "''::bytea",
    chunkSize: 256 * 1024,
    size: (content) => sql`octet_length(${content})`,
    part: (content, from, count) =>
      sql`substring(${content} from ${raw(String(from + 1))} for ${raw(String(count))})`,
    digest: (content) => sql`encode(sha256(${content}), 'hex')`,
    rowVersion: 'xmin::text',
  },
  transactionCheck: {
    // Fails outside of transactions, and within those that a failed statement has aborted.
    statement: sql`savepoint before_commit`,
    isOpen: (error) => error === undefined,
  },
  isRolledBack: (error) => (error as PostgresError).code === ABORTED_TRANSACTION,
  classifyError(error) {
    const { code, message } = error as PostgresError
    if (typeof code !== 'string') {
      if (unsent.has(String(message))) return { kind: 'away', columns: [] }
      return lost.has(String(message)) ? lostConnection : undefined
    }
    if (isStalePreparedStatement(error)) return { kind: 'again', columns: [] }
    // Errors of a statement have a position in it. Errors of a value, such as a text search query, have none.
    const isOfValue = valueCodes.has(code) && (error as PostgresError).position === undefined
    const kind = isOfValue ? 'value' : (kinds[code] ?? kindsOfClasses[code.slice(0, 2)])
    // The server sends an error code only if it has rolled back.
    if (kind === 'away' && !/^5[37]/.test(code)) return lostConnection
    return kind && { kind, columns: columnsOf(error as PostgresError) }
  },
}

/** Code of the error of statements after one that has failed. */
const ABORTED_TRANSACTION = '25P02'

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
  readonly code?: unknown
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

const lostConnection: DatabaseError = { kind: 'away', columns: [], isOutcomeUnknown: true }

const kindsOfClasses: Readonly<Record<string, DatabaseError['kind']>> = { '08': 'away', '22': 'value' }

/** Messages of the driver for errors without a code: the connection was lost, perhaps after the statement was sent. */
const lost = new Set(['Connection terminated unexpectedly', 'Connection terminated'])

/** Messages of the driver for statements that were not sent. */
const unsent = new Set([
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'timeout exceeded when trying to connect',
])

/** Column types whose values are all valid for a type of the model. */
const validTypes: Partial<Record<PrimitiveTypeName, readonly string[]>> = {
  'Edm.Boolean': ['bool'],
  'Edm.Guid': ['uuid'],
  'Edm.Int16': ['int2'],
  'Edm.Int32': ['int2', 'int4'],
  'Edm.Int64': ['int2', 'int4', 'int8'],
  'Edm.String': ['text', 'varchar'],
}

/**
 * Returns true if generated values are valid. Times and numbers can be infinite, except the current time and literals.
 */
function generatesValidValues({ type, facts }: Column): boolean {
  const { dataType, defaultText = '' } = facts
  if (validTypes[type]?.includes(dataType) === true) return true
  switch (type) {
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return /^(?:now\(\)|CURRENT_TIMESTAMP|LOCALTIMESTAMP)(?:\(\d\))?$/.test(defaultText)
    case 'Edm.Decimal':
    case 'Edm.Double':
      return /^'?\d{1,9}(?:\.\d{1,4})?'?(?:::[a-z ]+)?$/.test(defaultText)
    default:
      return false
  }
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

/** The number of bits of integer columns, without the sign. */
const bits: Readonly<Record<string, bigint>> = { int2: 15n, int4: 31n, int8: 63n }

const checkedTypes: ReadonlySet<string> = new Set(['text', 'varchar', 'bpchar', 'citext'])

/** Returns why a column cannot store a value: the error of the database would not name the column. */
export function postgresMisfit(
  { facts: { dataType, isJson, members, typeArguments } }: Column,
  value: unknown,
): string | undefined {
  if (typeof value === 'string' && value.includes('\0'))
    return 'the database cannot store the character U+0000'
  const size = bits[dataType]
  if (size !== undefined)
    return isWithin(value, size) ? undefined : 'the number is out of range for the database'
  if (typeof value === 'string' && isJson === true) return jsonError(value)
  // Other columns with members have a check.
  const isEnumeration = members !== undefined && !checkedTypes.has(dataType)
  if (isEnumeration && !members.includes(String(value))) return notOneOf(members)
  const [length] = typeArguments
  if (length === undefined || typeof value !== 'string') return undefined
  if ((dataType === 'varchar' || dataType === 'bpchar') && lengthOf(value) > length) {
    return `it is longer than the ${String(length)} characters that the database can store`
  }
  return undefined
}

function isWithin(value: unknown, size: bigint): boolean {
  if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'string') return true
  if (typeof value === 'number' ? !Number.isInteger(value) : !/^-?\d+$/.test(String(value))) return true
  const whole = BigInt(value)
  return whole >= -(1n << size) && whole < 1n << size
}
