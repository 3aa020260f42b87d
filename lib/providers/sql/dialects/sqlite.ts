import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import { decimalFromNumber, parseDecimal } from '../../../edm/decimal.js'
import type { CanonicalFunctionName } from '../../../query/canonical-functions/canonical-functions.js'
import type { Column } from '../column.js'
import { hasNumbers } from '../column-fit.js'
import type { SqlDialect, SqlValue, DatabaseError, WriteDialect } from '../dialect.js'
import type { Sql } from '../sql-text.js'
import { joined, parameter, raw, sql } from '../sql-text.js'
import {
  limitClause,
  bitLength,
  bitsOfResult,
  isWhole,
  concatenated,
  isNotLonger,
  whiteSpace,
  withinPrefix,
} from './shared-sql.js'
import {
  columnDateComparison,
  isSameDate,
  padded,
  formattedDate,
  isTextDate,
  paddedDate,
} from './text-dates.js'
import { isValidValue } from './sqlite-valid-values.js'

const places = {
  year: [1, 4],
  month: [6, 2],
  day: [9, 2],
  hour: [12, 2],
  minute: [15, 2],
  second: [18, 2],
} as const

/** There is one writer at a time: nothing needs to be locked but the database, from the start of a change set. */
const sqliteWrites: WriteDialect = {
  begin: () => Promise.resolve([sql`begin immediate`]),
  failureEndsTransaction: false,
  returnsBeforeTriggers: true,
  lockToChange: '',
  lockToRemove: '',
  lockToKeep: '',
  insertUnlessTaken: ['insert or ignore into', ''],
  ignoresErrors: false,
  defaultRow: ' default values',
  media: {
    // For every part the database itself reads all bytes: there should be few parts.
    chunkSize: 4 * 1024 * 1024,
    size: (content) => sql`length(${content})`,
    part: (content, from, count) => sql`substr(${content}, ${raw(String(from + 1))}, ${raw(String(count))})`,
    digest: undefined,
    rowVersion: undefined,
  },
  // A disk that is full, or that fails, ends a transaction.
  isRolledBack: (error) => messageOf(error)?.includes('no transaction is active') ?? false,
  classifyError(error) {
    const { code } = error as { readonly code?: unknown }
    const message = messageOf(error)
    return typeof code === 'string' && message !== undefined ? constraintError(code, message) : undefined
  },
}

const kinds: Readonly<Record<string, DatabaseError['kind']>> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_ROWID: 'unique',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreignKey',
  SQLITE_CONSTRAINT_NOTNULL: 'notNull',
  SQLITE_CONSTRAINT_CHECK: 'check',
  SQLITE_CONSTRAINT_TRIGGER: 'check',
  SQLITE_CONSTRAINT_DATATYPE: 'value',
  SQLITE_MISMATCH: 'value',
  SQLITE_TOOBIG: 'value',
}

/** So many digits a floating-point number always keeps. */
const exactDigits = 15
const largest = 2n ** 63n

/**
 * SQLite. Dates and times are text in the form of ISO 8601, guids are lower-case text, Booleans are 0 and 1. Decimals
 * are text where no digit may be lost, or numbers: the affinity of the column decides.
 */
export const sqlite: SqlDialect = {
  name: 'sqlite',
  supportsReturning: true,
  hasOneConnection: true,
  writes: sqliteWrites,
  maxParameters: 32_000,
  quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
  placeholder: () => '?',

  selected(column, reference) {
    const { type } = column
    // What is no text by its declaration, such as `json`, has made numbers of digits.
    if (type === 'Edm.String' && hasNumbers(column)) return sql`cast(${reference} as text)`
    // The driver would give the nearest number that JavaScript has.
    if (type === 'Edm.Int64') return sql`cast(${reference} as text)`
    if (type === 'Edm.Decimal') {
      return sql`case typeof(${reference}) when 'integer' then cast(${reference} as text) else ${reference} end`
    }
    return reference
  },

  reader({ type }) {
    switch (type) {
      case 'Edm.Boolean':
        // Values other than 0 and 1 are passed on unchanged and rejected like other invalid values.
        return (value) => booleans.get(value) ?? value
      case 'Edm.Byte':
      case 'Edm.SByte':
      case 'Edm.Int16':
      case 'Edm.Int32':
        return (value) => (typeof value === 'bigint' ? Number(value) : value)
      default:
        return undefined
    }
  },

  plainText({ type }) {
    switch (type) {
      case 'Edm.Boolean':
        return (cell) => (cell === 1 ? 'true' : cell === 0 ? 'false' : undefined)
      case 'Edm.Int64':
        return (cell) => textIn(canonicalInteger, cell)
      case 'Edm.Guid':
        return (cell) => textIn(canonicalGuid, cell)
      default:
        return undefined
    }
  },

  stored(column, value) {
    return parameter(storedValue(column, value))
  },

  misfit: (_column, value) => (Number.isNaN(value) ? 'the database cannot hold NaN' : undefined),

  equal({ type, facts }, left, right) {
    if (isTextDate(type)) return isSameDate(left, right, type)
    // Some programs write guids in upper case.
    if (type === 'Edm.Guid') return sql`${left} in (lower(${right}), upper(${right}))`
    const isSame = sql`${left} = ${right}`
    return facts.ordinal ? isSame : sql`(${isSame} and ${left} = ${right} collate binary)`
  },

  comparable(value, type) {
    if (value.literal !== undefined)
      return value.literal.exact && value.type === type ? value.sql : promoted(value, type)
    if (type === 'Edm.Single' || value.type === 'Edm.Single') return undefined
    if (value.type !== type) return promoted(value, type)
    return comparableForm(value, type)
  },

  literal(value, type) {
    const literal = (bound: unknown, exact = true): SqlValue => ({
      sql: parameter(bound),
      type,
      nullable: false,
      literal: { value, exact },
    })
    if (isTextDate(type)) return literal(paddedDate(value, type))
    switch (type) {
      case 'Edm.Single':
        return literal(value, false)
      case 'Edm.Double':
        return Number.isNaN(value) ? undefined : literal(value)
      case 'Edm.Boolean':
        return literal(value === true ? 1 : 0)
      case 'Edm.Decimal':
        return decimalLiteral(String(value), literal)
      case 'Edm.Binary':
      case 'Edm.String':
        return literal(value)
      case 'Edm.Guid':
        return literal((value as string).toLowerCase())
      default: {
        const whole = BigInt(value as number | bigint)
        if (whole >= largest || whole < -largest) return undefined
        return { ...literal(whole), bits: bitLength(whole) }
      }
    }
  },

  isValidValue,

  hasSeveralForms: ({ type }) => isTextDate(type) || type === 'Edm.Guid',

  columnComparison(operator, { sql: reference, type: columnType, column }, value, type) {
    if (columnType !== type) return undefined
    if (isTextDate(type)) return columnDateComparison(operator, reference, value, type)
    return column?.hasUpperCaseGuids === true && operator === 'eq'
      ? sqlite.equal(column, reference, parameter(value))
      : undefined
  },

  isSame: (left, right) => sql`(${left} is ${right})`,

  call: (name: CanonicalFunctionName, parameters) => callSqliteFunction(name, parameters),

  arithmetic(operator, left, right, type) {
    const bits = bitsOfResult(operator, left, right)
    // Beyond 64 bits SQLite goes on with numbers that are not exact.
    if (bits === undefined || bits > 63 || !isWhole(type)) return undefined
    const divides = operator === 'div' || operator === 'mod'
    const other = divides ? sql`nullif(${right.sql}, 0)` : right.sql
    return {
      sql: sql`(${left.sql} ${raw(symbols[operator])} ${other})`,
      type,
      nullable: left.nullable || right.nullable || divides,
      bits,
    }
  },

  orderKeys({ type, sql: value, nullable }) {
    if (type !== 'Edm.Double') return undefined
    // There is no NaN, but a client may ask for what is behind it.
    const literal = (at: unknown): Sql => (Number.isNaN(at) ? raw('-9e999') : parameter(at))
    return [{ sql: value, nullable, literal }]
  },

  orderTerm: (comparable, _nullable, descending) => (descending ? sql`${comparable} desc` : comparable),

  page: (limit, offset) => limitClause(limit, offset, '-1'),

  sourceRows(rows, columns) {
    const names = columns.map((name, index) => `column${index + 2} as ${name}`).join(', ')
    const values = rows.map((row, index) => sql`(${joined([raw(String(index)), ...row], ', ')})`)
    return sql`(select column1 as n, ${raw(names)} from (values ${joined(values, ', ')})) as source`
  },
}

/** Whole numbers of up to 18 digits, which are within 64 bits, as they are serialized. */
const canonicalInteger = /^(?:0|-?[1-9]\d{0,17})$/
const canonicalGuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

function textIn(pattern: RegExp, cell: unknown): string | undefined {
  return typeof cell === 'string' && pattern.test(cell) ? cell : undefined
}

const booleans: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [0, false],
  [0n, false],
  [1, true],
  [1n, true],
])

const symbols = { add: '+', sub: '-', mul: '*', div: '/', mod: '%' } as const

function storedValue({ type, dateForm, hasUpperCaseGuids }: Column, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (isTextDate(type)) return formattedDate(value, type, dateForm)
  switch (type) {
    case 'Edm.Boolean':
      return value === true ? 1 : 0
    case 'Edm.Guid':
      return hasUpperCaseGuids === true ? (value as string).toUpperCase() : (value as string).toLowerCase()
    case 'Edm.Decimal':
      return typeof value === 'number'
        ? (decimalFromNumber(value)?.toString() ?? null)
        : (value as string | bigint).toString()
    case 'Edm.Byte':
    case 'Edm.SByte':
    case 'Edm.Int16':
    case 'Edm.Int32':
    case 'Edm.Int64':
      // A whole number that is bound as a number of JavaScript would come as a floating-point number.
      return BigInt(value as number)
    default:
      return value
  }
}

/** A value of another type than the one in which both sides are compared. */
function promoted(value: SqlValue, type: PrimitiveTypeName): Sql | undefined {
  if (value.type === 'Edm.Single' || type === 'Edm.Single' || value.literal?.exact === false) return undefined
  if (isWhole(value.type)) return type === 'Edm.Double' ? sql`cast(${value.sql} as real)` : value.sql
  if (value.type === 'Edm.Decimal' && type === 'Edm.Double') {
    const form = value.literal === undefined ? comparableForm(value, 'Edm.Decimal') : value.sql
    return form && sql`cast(${form} as real)`
  }
  return undefined
}

function comparableForm(value: SqlValue, type: PrimitiveTypeName): Sql | undefined {
  if (isTextDate(type)) return value.column === undefined ? undefined : padded(value.sql, type)
  if (type === 'Edm.Decimal')
    return value.column !== undefined && hasNumbers(value.column) ? value.sql : undefined
  if (value.column?.hasUpperCaseGuids === true) return sql`lower(${value.sql})`
  if (type === 'Edm.String' && value.column !== undefined) {
    const text = hasNumbers(value.column) ? sql`cast(${value.sql} as text)` : value.sql
    return value.column.facts.ordinal ? text : sql`(${text} collate binary)`
  }
  return value.sql
}

/** Decimals that are numbers can be compared with digits that such a number keeps. */
function decimalLiteral(
  digits: string,
  literal: (bound: unknown, exact?: boolean) => SqlValue,
): SqlValue | undefined {
  const decimal = parseDecimal(digits)
  if (decimal === undefined) return undefined
  const { coefficient, scale } = decimal
  if (scale === 0 && coefficient < largest && coefficient >= -largest) return literal(coefficient)
  const significant = coefficient.toString().replace('-', '').replace(/0+$/, '').length
  return literal(Number(digits), significant <= exactDigits)
}

/** A driver may have been loaded with another class Error than ours. */
function messageOf(error: unknown): string | undefined {
  const { message } = error as { readonly message?: unknown }
  return typeof message === 'string' ? message : undefined
}

/** Messages end in the columns, `T.a, T.b`, or in what a check says. */
function constraintError(code: string, message: string): DatabaseError | undefined {
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) return { kind: 'again', columns: [] }
  const kind = kinds[code]
  if (kind === undefined) return undefined
  const [, about = ''] = /constraint failed: (.*)$/s.exec(message) ?? []
  const columns = kind === 'check' ? [about] : about.split(', ').map((one) => one.replace(/^.*\./, ''))
  return { kind, columns: columns.filter((one) => one !== '') }
}

/**
 * The functions whose result in SQLite is exactly that of the library. Those that count UTF-16 units, and those that
 * know upper and lower case beyond ASCII, are not among them.
 */
function callSqliteFunction(
  name: CanonicalFunctionName,
  parameters: readonly SqlValue[],
): SqlValue | undefined {
  const [a, b, c] = parameters
  if (a === undefined) return undefined
  const nullable = parameters.some((one) => one.nullable)
  const condition = (text: Sql): SqlValue => ({ sql: text, type: 'Edm.Boolean', nullable })
  const string = (text: Sql): SqlValue => ({ sql: text, type: 'Edm.String', nullable })
  switch (name) {
    case 'substringof':
      return b && condition(sql`(instr(${b.sql}, ${a.sql}) > 0)`)
    case 'startswith':
      return b && condition(startsWith(a, b))
    case 'endswith':
      return b && condition(sql`(${endOf(a, b)} = ${b.sql})`)
    case 'concat':
      return string(concatenated(parameters))
    case 'trim':
      return string(sql`trim(${a.sql}, ${parameter(whiteSpace)})`)
    case 'replace':
      return b !== undefined && c !== undefined && isNotLonger(c, b)
        ? string(sql`replace(${a.sql}, ${b.sql}, ${c.sql})`)
        : undefined
    case 'year':
    case 'month':
    case 'day':
    case 'hour':
    case 'minute':
    case 'second':
      return field(name, a)
    default:
      return undefined
  }
}

function startsWith(text: SqlValue, start: SqlValue): Sql {
  const starts = sql`(substr(${text.sql}, 1, length(${start.sql})) = ${start.sql})`
  return withinPrefix(text, start, starts, parameter)
}

/** As many characters from the end as the other text has; negative places count from the end, but zero does not. */
function endOf(text: SqlValue, end: SqlValue): Sql {
  return sql`substr(${text.sql}, length(${text.sql}) - length(${end.sql}) + 1)`
}

function field(name: keyof typeof places, value: SqlValue): SqlValue | undefined {
  if (value.type !== 'Edm.DateTime' && value.type !== 'Edm.DateTimeOffset' && value.type !== 'Edm.Time')
    return undefined
  // The fields of a literal are those of its own zone.
  if (value.literal !== undefined) return undefined
  const [start, length] = places[name]
  // A time of day begins with the hour.
  const from = value.type === 'Edm.Time' ? start - 11 : start
  return {
    sql: sql`cast(substr(${value.sql}, ${raw(`${from}, ${length}`)}) as integer)`,
    type: 'Edm.Int32',
    nullable: value.nullable,
    bits: 14,
  }
}
