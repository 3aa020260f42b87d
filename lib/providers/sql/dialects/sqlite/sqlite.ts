import { sqliteChangeLog } from './change-log.js'
import type { CachedDatabase } from './cache-statements.js'
import { checkSqliteDriver } from './check-driver.js'
import { detectFormats } from './detect-formats.js'
import { sqlitePlans } from './plans.js'
import { sampleTypes } from './sample-types.js'
import { SqliteConnection } from './sqlite-connection.js'
import { classifySqliteError } from './classify-error.js'
import { sqliteMedia } from './media.js'
import { sqliteWrites } from './writes.js'
import type { PrimitiveTypeName } from '../../../../edm/primitive-types/primitive-type-name.js'
import { isInteger } from '../../../../edm/primitive-types/primitive-type-name.js'
import { decimalFromNumber, parseDecimal } from '../../../../edm/decimal.js'
import type { Column } from '../../column.js'
import type { SqlDialect, SqlValue } from '../../dialect.js'
import type { Sql } from '../../sql-text.js'
import { joined, parameter, raw, sql } from '../../sql-text.js'
import type { SqlFunctions } from '../shared/canonical-functions.js'
import { callFunction, replaced } from '../shared/canonical-functions.js'
import {
  bitLength,
  bitsOfResult,
  concatenated,
  doubleQuoted,
  limitClause,
  whiteSpace,
  withinPrefix,
} from '../shared/shared-sql.js'
import {
  columnDateComparison,
  epochMilliseconds,
  formattedDate,
  isSameDate,
  isTextDate,
  padded,
  paddedDate,
} from '../shared/text-dates.js'
import { withSqliteCase } from './case.js'
import { convertsDigits, fitsSqlite, hasNumbers, isUntyped, sqliteColumnType } from './column-types.js'
import { isValidValue, readable, sqliteCells } from './values.js'
import { sqliteGroupKey, sqliteSum } from './groups.js'

const places = {
  year: [1, 4],
  month: [6, 2],
  day: [9, 2],
  hour: [12, 2],
  minute: [15, 2],
  second: [18, 2],
} as const

/** The number of decimal digits that a floating-point number always represents exactly. */
const MAX_EXACT_DIGITS = 15
/** The first integer beyond 64 bits. */
const INTEGER_LIMIT = 2n ** 63n

/**
 * SQLite. Dates and times are ISO 8601 strings, guids lower-case strings, and Booleans 0 and 1. Decimals are strings or
 * numbers, depending on the affinity of the column.
 */
export const sqlite: SqlDialect = {
  name: 'sqlite',
  options: [],
  returning: ['insert', 'update', 'delete'],
  hasOneConnection: true,
  changeLog: sqliteChangeLog,
  checkDriver: checkSqliteDriver,
  connectSync: (database) => new SqliteConnection(database as CachedDatabase),
  sampleTypes,
  detectFormats,
  columnType: sqliteColumnType,
  fits: fitsSqlite,
  classifyError: classifySqliteError,
  concatenate: (texts) => texts.join(' || '),
  media: sqliteMedia,
  plans: sqlitePlans,
  writes: sqliteWrites,
  maxParameters: 32_000,
  quote: doubleQuoted,
  placeholder: () => '?',

  ...sqliteCells,

  stored(column, value) {
    const stored = parameter(storedValue(column, value))
    return column.hasBinaryJson === true && value !== null && value !== undefined
      ? sql`jsonb(${stored})`
      : stored
  },

  hasStored(column, value) {
    if (value === null || value === undefined || hasOneForm(column)) return undefined
    const stored = raw(column.quoted)
    const other = parameter(storedValue(column, value))
    return column.type === 'Edm.String' || column.type === 'Edm.Binary'
      ? sql`${readable(column, stored)} = ${other}`
      : sqlite.equal(column, stored, other)
  },

  misfit: (_column, value) => (Number.isNaN(value) ? 'the database cannot store NaN' : undefined),

  equal(column, left, right) {
    const { type, facts } = column
    if (isTextDate(type)) return isSameDate(left, right, type, column)
    // Some programs write guids in upper case.
    if (type === 'Edm.Guid') return sql`${left} in (lower(${right}), upper(${right}))`
    // In columns without type, strings and numbers are bytes.
    if (type === 'Edm.Binary' && isUntyped(facts))
      return sql`${readable(column, left)} = ${readable(column, right)}`
    // Numbers differ from their digits, except in columns that convert digits to numbers.
    const isSame =
      type === 'Edm.String' && hasNumbers(column)
        ? sql`${left} in (${right}, ${right} + 0) and cast(${left} as text) = cast(${right} as text)`
        : sql`${left} = ${right}`
    return facts.ordinal ? isSame : sql`(${isSame} and ${left} = ${right} collate binary)`
  },

  refers(column, left, right, key = column) {
    if (column.type !== 'Edm.String') return sqlite.equal(column, left, right)
    // The column on the left determines the collation, but foreign keys have that of the key.
    const { keyCollation = key === column || column.facts.ordinal ? undefined : 'binary' } = key.facts
    const same = sql`${left} = ${right}`
    return keyCollation === undefined ? same : sql`${same} collate ${raw(doubleQuoted(keyCollation))}`
  },

  comparable(value, type) {
    if (value.literal !== undefined)
      return value.literal.exact && value.type === type ? value.sql : promoted(value, type)
    if (type === 'Edm.Single' || value.type === 'Edm.Single') return undefined
    if (value.type !== type) return promoted(value, type)
    return comparableForm(value, type)
  },

  literal(value, type) {
    const literal = (bound: unknown, exact = true, bits?: number): SqlValue => ({
      sql: parameter(bound),
      type,
      nullable: false,
      literal: { value, exact },
      bits,
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
        if (whole >= INTEGER_LIMIT || whole < -INTEGER_LIMIT) return undefined
        return literal(whole, true, bitLength(whole))
      }
    }
  },

  isValidValue,

  hasSeveralForms: ({ type }) => isTextDate(type) || type === 'Edm.Guid',

  columnComparison(operator, { sql: reference, type: columnType, column }, value, type) {
    if (columnType !== type) return undefined
    if (isTextDate(type)) return columnDateComparison(operator, reference, value, type, column ?? {})
    return column?.hasUpperCaseGuids === true && operator === 'eq'
      ? sqlite.equal(column, reference, parameter(value))
      : undefined
  },

  isSame: (left, right) => sql`(${left} is ${right})`,

  detect: (_run, sync) => withSqliteCase(sqlite, sync),

  call: (name, parameters) => callFunction(name, parameters, functions),

  arithmetic(operator, left, right, type) {
    const bits = bitsOfResult(operator, left, right)
    // Beyond 64 bits, SQLite continues with floating-point numbers.
    if (bits === undefined || bits > 63 || !isInteger(type)) return undefined
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
    // SQLite has no NaN, but a client may continue after it.
    const literal = (at: unknown): Sql => (Number.isNaN(at) ? raw('-9e999') : parameter(at))
    return [{ sql: value, nullable, literal }]
  },

  groupKey: sqliteGroupKey,
  sum: sqliteSum,
  orderTerm: (comparable, _nullable, descending) => (descending ? sql`${comparable} desc` : comparable),

  page: (limit, offset) => limitClause(limit, offset, '-1', parameter),

  sourceRows(rows, columns) {
    const names = columns.map((name, index) => `column${index + 2} as ${name}`).join(', ')
    const values = rows.map((row, index) => sql`(${joined([raw(String(index)), ...row], ', ')})`)
    return sql`(select column1 as n, ${raw(names)} from (values ${joined(values, ', ')})) as source`
  },
}

const symbols = { add: '+', sub: '-', mul: '*', div: '/', mod: '%' } as const

/** Returns true if a column has one format for each value. */
function hasOneForm(column: Column): boolean {
  const { type, facts } = column
  if (isTextDate(type) || type === 'Edm.Guid') return false
  if (type === 'Edm.String') return !hasNumbers(column)
  // Typed columns have converted their numbers.
  return convertsDigits(column) && !isUntyped(facts)
}

function storedValue({ type, dateForm, isEpoch, hasUpperCaseGuids }: Column, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (isTextDate(type))
    return isEpoch === true ? epochMilliseconds(value, type) : formattedDate(value, type, dateForm)
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
      // The driver binds JavaScript numbers as floating-point numbers.
      return BigInt(value as number)
    default:
      return value
  }
}

/** Converts an operand to the type in which both sides are compared. */
function promoted(value: SqlValue, type: PrimitiveTypeName): Sql | undefined {
  if (value.type === 'Edm.Single' || type === 'Edm.Single' || value.literal?.exact === false) return undefined
  if (isInteger(value.type)) return type === 'Edm.Double' ? sql`cast(${value.sql} as real)` : value.sql
  if (value.type === 'Edm.Decimal' && type === 'Edm.Double') {
    const form = value.literal === undefined ? comparableForm(value, 'Edm.Decimal') : value.sql
    return form && sql`cast(${form} as real)`
  }
  return undefined
}

function comparableForm({ column, sql: value }: SqlValue, type: PrimitiveTypeName): Sql | undefined {
  if (isTextDate(type)) return column === undefined ? undefined : padded(value, type, column)
  if (type === 'Edm.Decimal') return column !== undefined && convertsDigits(column) ? value : undefined
  if (column?.hasUpperCaseGuids === true) return sql`lower(${value})`
  if (column === undefined) return value
  const text = readable(column, value)
  return type !== 'Edm.String' || column.facts.ordinal ? text : sql`(${text} collate binary)`
}

/** Compares decimals as numbers if they represent all digits exactly. */
function decimalLiteral(
  digits: string,
  literal: (bound: unknown, exact?: boolean) => SqlValue,
): SqlValue | undefined {
  const decimal = parseDecimal(digits)
  if (decimal === undefined) return undefined
  const { coefficient, scale } = decimal
  if (scale === 0 && coefficient < INTEGER_LIMIT && coefficient >= -INTEGER_LIMIT) return literal(coefficient)
  const significant = coefficient.toString().replace('-', '').replace(/0+$/, '').length
  return literal(Number(digits), significant <= MAX_EXACT_DIGITS)
}

/** Functions that count UTF-16 units have other results in SQLite. Those that change the case: see `withSqliteCase`. */
const functions: SqlFunctions = {
  contains: (text, part) => sql`(instr(${text.sql}, ${part.sql}) > 0)`,
  startsWith,
  endsWith: (text, end) => sql`(${endOf(text, end)} = ${end.sql})`,
  concat: concatenated,
  trim: (text) => sql`trim(${text}, ${parameter(whiteSpace)})`,
  replace: replaced,
  field,
}

function startsWith(text: SqlValue, start: SqlValue): Sql {
  const starts = sql`(substr(${text.sql}, 1, length(${start.sql})) = ${start.sql})`
  return withinPrefix(text, start, starts, parameter)
}

/** Returns the end of a string with the length of another one. The offset -0 would not count from the end. */
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
  const isTime = value.type === 'Edm.Time'
  const from = isTime ? start - 11 : start
  const text = isTime ? value.sql : padded(value.sql, value.type, value.column)
  return {
    sql: sql`cast(substr(${text}, ${raw(`${from}, ${length}`)}) as integer)`,
    type: 'Edm.Int32',
    nullable: value.nullable,
    bits: 14,
  }
}
