import type { Column, DateForm } from '../../column.js'
import type { Instant } from '../../../../edm/instant.js'
import {
  charCodeAt,
  formatFraction,
  formatMilliseconds,
  formatSeconds,
  isValidTime,
  latest,
  MS_PER_DAY,
  parseInstant,
} from '../../../../edm/instant.js'
import { formatDateTime } from '../../../../edm/primitive-types/date-time.js'
import type { PrimitiveTypeName } from '../../../../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../../../edm/primitive-types/primitive-types.js'
import type { Sql } from '../../sql-text.js'
import { parameter, raw, sql, SqlParameter, statementOf } from '../../sql-text.js'
import type { RelationalOperator } from '../../../../evaluation/compare-values.js'

/**
 * A column of dates with a number from here on contains milliseconds since 1970. Lower ones alone are something else,
 * such as seconds or years.
 */
export const FIRST_MILLISECONDS = 1e11

/** The types that databases without date types store as ISO 8601 strings. */
export type TextDate = 'Edm.DateTime' | 'Edm.DateTimeOffset' | 'Edm.Time'

/** Returns the reader of dates in UTC that a database writes with a space between date and time; undefined for other types. */
export function spacedDateReader(type: PrimitiveTypeName | null): ((value: unknown) => string) | undefined {
  switch (type) {
    case 'Edm.DateTime':
      return (value) => (value as string).replace(' ', 'T')
    case 'Edm.DateTimeOffset':
      return (value) => `${(value as string).replace(' ', 'T')}Z`
    default:
      return undefined
  }
}

export function isTextDate(type: PrimitiveTypeName | null): type is TextDate {
  return type === 'Edm.DateTime' || type === 'Edm.DateTimeOffset' || type === 'Edm.Time'
}

/** Returns the shortest format, in UTC. */
function defaultForm(type: TextDate): DateForm {
  return { separator: 'T', shortest: 'second', digits: 0, omitsZero: true, zone: zoneOf(type) }
}

/** Formats a value for a column. */
export function formattedDate(value: unknown, type: TextDate, form: DateForm = defaultForm(type)): string {
  const { separator, shortest, digits, omitsZero, zone } = form
  const [whole = '', fraction = ''] = plainDate(value, type).replace('T', separator).split('.')
  const padded = fraction === '' && omitsZero ? '' : fraction.padEnd(digits, '0')
  if (padded === '' && shortest === 'day' && whole.endsWith(`${separator}00:00:00`)) return whole.slice(0, 10)
  if (padded === '' && shortest === 'minute' && whole.endsWith(':00')) return whole.slice(0, -3) + zone
  return (padded === '' ? whole : `${whole}.${padded}`) + zone
}

const formPattern =
  /^(?:\d{4}-\d\d-\d\d(?:([T ])|$))?(?:\d\d:\d\d(:\d\d(?:\.(\d{1,12}))?)?(Z| ?[-+]\d\d:?\d\d)?)?$/

/**
 * Detects the most frequent format of sample strings.
 *
 * @param isDay whether the declared type of the column has no time
 * @returns undefined if no sample has a known format
 */
export function dateFormOf(texts: readonly unknown[], type: TextDate, isDay: boolean): DateForm | undefined {
  const counts = new Map<string, number>()
  const fractions = new Map<string, string[]>()
  for (const text of texts) {
    const match = typeof text === 'string' && text !== '' ? formPattern.exec(text) : null
    if (match === null) continue
    const [, separator, seconds, fraction = '', zone = ''] = match
    const hasTime = type === 'Edm.Time' || separator !== undefined
    const shortest = !hasTime ? 'day' : seconds === undefined ? 'minute' : 'second'
    const form: Omit<DateForm, 'digits' | 'omitsZero'> = {
      separator: separator === ' ' ? ' ' : 'T',
      shortest,
      // Times with another offset are stored in UTC.
      zone: hasTime ? zone.replace(/[-+]\d\d(:?)\d\d$/, '+00$100') : defaultForm(type).zone,
    }
    const name = JSON.stringify(form)
    counts.set(name, (counts.get(name) ?? 0) + 1)
    fractions.set(name, [...(fractions.get(name) ?? []), fraction])
  }
  const [[most] = []] = [...counts].sort(([, one], [, other]) => other - one)
  if (most === undefined) return isDay ? { ...defaultForm(type), shortest: 'day' } : undefined
  return { ...(JSON.parse(most) as DateForm), ...fractionsOf(fractions.get(most) ?? []) }
}

/** Returns the number of digits if all fractions have the same, as some programs expect. */
function fractionsOf(fractions: readonly string[]): Pick<DateForm, 'digits' | 'omitsZero'> {
  const [digits, other] = new Set(fractions.map(({ length }) => length).filter((length) => length > 0))
  return {
    digits: other === undefined ? (digits ?? 0) : 0,
    omitsZero: fractions.includes('') || other !== undefined,
  }
}

/** Returns the milliseconds since 1970, and true if the value is later than that. */
function millisecondsOf(
  value: unknown,
  type: TextDate,
): { readonly milliseconds: number; readonly isLater: boolean } {
  const { milliseconds, ticks } = operandOf(value, type) as Instant
  return { milliseconds, isLater: ticks > 0 }
}

/** Returns a date as milliseconds since 1970; further digits are dropped. */
export function epochMilliseconds(value: unknown, type: TextDate): bigint {
  return BigInt(millisecondsOf(value, type).milliseconds)
}

/** Formats a value with seven fraction digits and without zone, so that strings sort like their times. */
export function paddedDate(value: unknown, type: TextDate): string {
  const [whole = '', fraction = ''] = plainDate(value, type).split('.')
  return `${whole}.${fraction.padEnd(7, '0')}`
}

/** Formats a time of day in its shortest format, which sorts before all others of the same time. */
function shortestTime(value: unknown): string {
  return plainDate(value, 'Edm.Time').replace(/:00$/, '')
}

function plainDate(value: unknown, type: TextDate): string {
  switch (type) {
    case 'Edm.DateTime':
      return formatDateTime(value)
    case 'Edm.DateTimeOffset': {
      const instant = operandOf(value, type) as Instant
      return formatSeconds(instant.milliseconds) + formatFraction(instant, undefined)
    }
    case 'Edm.Time':
      return primitiveTypes[type].toValue(operandOf(value, type)) as string
  }
}

function operandOf(value: unknown, type: TextDate) {
  const operand = primitiveTypes[type].toOperand(value)
  if (operand === undefined) throw new TypeError(`Not an ${type}: ${String(value)}`)
  return operand
}

/** A column of dates: the types of its values, as detected from sample rows. */
type DateColumn = Pick<Column, 'hasMilliseconds'>

/** Compares a column of dates or times in any format with a literal. Can use an index on the column. */
export function columnDateComparison(
  operator: 'eq' | RelationalOperator,
  reference: Sql,
  value: unknown,
  type: TextDate,
  column: DateColumn,
): Sql {
  if (type === 'Edm.Time') return timeComparison(operator, reference, value)
  if (column.hasMilliseconds !== true) return dateComparison(operator, reference, value, type)
  const text = sql`${reference} >= ${BEFORE_DIGITS} and ${dateComparison(operator, reference, value, type)}`
  return sql`((${text}) or (${reference} < ${BEFORE_DIGITS} and ${millisecondsComparison(operator, reference, value, type)}))`
}

/** A string that is greater than numbers, which a column with numeric affinity does not convert, and less than dates. */
const BEFORE_DIGITS = raw("'/'")

/** Compares milliseconds since 1970. */
function millisecondsComparison(
  operator: 'eq' | RelationalOperator,
  reference: Sql,
  value: unknown,
  type: TextDate,
): Sql {
  const { milliseconds, isLater } = millisecondsOf(value, type)
  if (operator === 'eq' && isLater) return sql`(1 = 0)`
  // No column has a value between two milliseconds.
  const symbol = isLater ? { eq: '=', lt: '<=', le: '<=', gt: '>', ge: '>' }[operator] : comparisons[operator]
  return sql`${reference} ${raw(symbol)} ${raw(String(milliseconds))}`
}

/** Tests whether two values are the same date or time in any format. Can use an index on the left operand. */
export function isSameDate(left: Sql, right: Sql, type: TextDate, column: DateColumn): Sql {
  const same = sql`${padded(left, type, column)} = ${padded(right, type, column)}`
  if (column.hasMilliseconds === true) return sql`(${same})`
  if (type === 'Edm.Time') {
    // All formats of a time begin with hour and minute.
    const start = sql`substr(${right}, 1, 5)`
    return sql`(${left} >= ${start} and ${left} < ${start} || 'U' and ${same})`
  }
  // All formats of a date begin with the day, which may be that before or after in another time zone.
  const [from, to] = [dayFrom(right, '-1'), dayFrom(right, '+1')]
  return sql`(${left} >= ${from} and ${left} < ${to} || 'U' and ${same})`
}

function dayFrom(text: Sql, days: string): Sql {
  const day = sql`substr(${text}, 1, 10)`
  return sql`coalesce(date(${day}, ${raw(`'${days} day'`)}), ${day})`
}

/**
 * Compares a time that is stored as text. In string order all formats of a time are between the shortest and the
 * longest one.
 */
function timeComparison(operator: 'eq' | RelationalOperator, column: Sql, value: unknown): Sql {
  const shortest = parameter(shortestTime(value))
  const longest = parameter(paddedDate(value, 'Edm.Time'))
  switch (operator) {
    case 'eq':
      return sql`(${column} >= ${shortest} and ${column} <= ${longest})`
    case 'lt':
      return sql`(${column} < ${shortest})`
    case 'le':
      return sql`(${column} <= ${longest})`
    case 'gt':
      return sql`(${column} > ${longest})`
    case 'ge':
      return sql`(${column} >= ${shortest})`
  }
}

/**
 * Compares the day by an index, and the time within the day: the day is followed by a space, `T` or nothing. In another
 * time zone it may be the day before or after.
 */
function dateComparison(
  operator: 'eq' | RelationalOperator,
  column: Sql,
  value: unknown,
  type: 'Edm.DateTime' | 'Edm.DateTimeOffset',
): Sql {
  const text = paddedDate(value, type)
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`)
  const from = parameter(formatSeconds(day - MS_PER_DAY).slice(0, 10))
  const to = parameter(`${formatSeconds(Math.min(day + MS_PER_DAY, latest)).slice(0, 10)}U`)
  const holds = sql`${padded(column, type)} ${raw(comparisons[operator])} ${parameter(text)}`
  switch (operator) {
    case 'eq':
      return sql`(${column} >= ${from} and ${column} < ${to} and ${holds})`
    case 'lt':
    case 'le':
      return sql`(${column} < ${to} and (${column} < ${from} or ${holds}))`
    case 'gt':
    case 'ge':
      return sql`(${column} >= ${from} and (${column} >= ${to} or ${holds}))`
  }
}

const comparisons = { eq: '=', lt: '<', le: '<=', gt: '>', ge: '>=' } as const

/** The patterns of strings with an offset from UTC: `+02:00` and `+0200`. */
const offsets = ['*[-+][0-9][0-9]:[0-9][0-9]', '*[-+][0-9][0-9][0-9][0-9]'] as const

/** Returns the SQL condition that a date has an offset from UTC. */
export function hasOffset(date: string): string {
  return `(${date} glob '${offsets[0]}' or ${date} glob '${offsets[1]}')`
}

/** Returns the SQL expressions for a date with an offset: without it, and its offset with a colon. */
export function splitOffset(date: string): { readonly local: string; readonly offset: string } {
  const hasColon = `substr(${date}, -3, 1) = ':'`
  return {
    local: `rtrim(substr(${date}, 1, length(${date}) - case when ${hasColon} then 6 else 5 end))`,
    offset: `case when ${hasColon} then substr(${date}, -6) else substr(${date}, -5, 3) || ':' || substr(${date}, -2) end`,
  }
}

const SECONDS = "'%Y-%m-%dT%H:%M:%S'"

/** Returns the SQL expression that converts a stored date or time to the format of {@link paddedDate}. */
export function padded(column: Sql, type: TextDate, { hasMilliseconds }: DateColumn = {}): Sql {
  if (type === 'Edm.Time') {
    return sql`substr(${column} || case when length(${column}) < 8 then ':00.0000000' when instr(${column}, '.') > 0 then '0000000' else '.0000000' end, 1, 16)`
  }
  const [stored] = column.fragments
  if (stored instanceof SqlParameter) {
    // New dates are stored in UTC.
    return typeof stored.value === 'bigint'
      ? paddedNumber(column)
      : paddedText(sql`rtrim(replace(replace(${column}, '+00:00', ''), '+0000', ''))`)
  }
  const reference = statementOf(column, () => '?').text
  const { local, offset } = splitOffset(reference)
  // SQLite rounds fractions to milliseconds.
  const inUtc = `strftime(${SECONDS}, substr(${local}, 1, 19) || ${offset}) || substr(case when length(${local}) > 19 then substr(${local}, 20) else '.' end || '0000000', 1, 8)`
  const text = sql`when ${raw(hasOffset(reference))} then ${raw(inUtc)} else ${paddedText(column)} end`
  return hasMilliseconds === true
    ? sql`case when typeof(${column}) = 'integer' then ${paddedNumber(column)} ${text}`
    : sql`case ${text}`
}

/** Converts milliseconds since 1970. */
function paddedNumber(column: Sql): Sql {
  const rest = sql`((${column} % 1000 + 1000) % 1000)`
  return sql`(strftime(${raw(SECONDS)}, (${column} - ${rest}) / 1000, 'unixepoch') || printf('.%03d0000', ${rest}))`
}

function paddedText(column: Sql): Sql {
  // Dates of JavaScript end in Z even if the column has no zone.
  const text = sql`replace(rtrim(${column}, 'Z'), ' ', 'T')`
  return sql`substr(${text} || case length(${text}) when 10 then 'T00:00:00.0000000' when 16 then ':00.0000000' when 19 then '.0000000' else '0000000' end, 1, 27)`
}

/**
 * Returns the conversion of stored dates to dates in UTC, in a form that the service parses. Strings without offset and
 * invalid values stay as they are.
 */
export function dateReader(
  type: 'Edm.DateTime' | 'Edm.DateTimeOffset',
  { hasMilliseconds }: DateColumn,
): (value: unknown) => unknown {
  return (value) => {
    if (typeof value === 'string') {
      const { length } = value
      if (length <= MAX_LENGTH_WITHOUT_OFFSET) return value
      const [sign, other] = [charCodeAt.call(value, length - 6), charCodeAt.call(value, length - 5)]
      const hasSign = sign === PLUS || sign === MINUS || other === PLUS || other === MINUS
      return hasSign ? dateInUtc(value, type) : value
    }
    const isNumber = hasMilliseconds === true && typeof value === 'number'
    return isNumber && Number.isInteger(value) && isValidTime(value)
      ? formatMilliseconds(value) + zoneOf(type)
      : value
  }
}

const MAX_LENGTH_WITHOUT_OFFSET = '2020-01-01T10:00'.length
const [PLUS, MINUS] = [0x2b, 0x2d]

function dateInUtc(text: string, type: TextDate): string {
  // Sequelize separates the offset by a blank.
  const instant = parseInstant(text.replace(/ (?=[-+]\d\d:?\d\d$)/, ''))?.instant
  if (instant === undefined) return text
  return formatSeconds(instant.milliseconds) + formatFraction(instant) + zoneOf(type)
}

function zoneOf(type: TextDate): string {
  return type === 'Edm.DateTimeOffset' ? 'Z' : ''
}
