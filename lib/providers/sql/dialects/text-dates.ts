import type { DateForm } from '../column.js'
import type { Instant } from '../../../edm/instant.js'
import { formatFraction, formatSeconds } from '../../../edm/instant.js'
import { formatDateTime } from '../../../edm/primitive-types/date-time.js'
import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../../edm/primitive-types/primitive-types.js'
import type { Sql } from '../sql-text.js'
import { parameter, raw, sql } from '../sql-text.js'
import type { RelationalOperator } from '../dialect.js'

/** The types that databases without date types store as ISO 8601 strings. */
export type TextDate = 'Edm.DateTime' | 'Edm.DateTimeOffset' | 'Edm.Time'

export function isTextDate(type: PrimitiveTypeName | null): type is TextDate {
  return type === 'Edm.DateTime' || type === 'Edm.DateTimeOffset' || type === 'Edm.Time'
}

/** Returns the shortest format, in UTC. */
function defaultForm(type: TextDate): DateForm {
  return { separator: 'T', shortest: 'second', digits: 0, zone: type === 'Edm.DateTimeOffset' ? 'Z' : '' }
}

/** Formats a value for a column. */
export function formattedDate(value: unknown, type: TextDate, form: DateForm = defaultForm(type)): string {
  const { separator, shortest, digits, zone } = form
  const [whole = '', fraction = ''] = plainDate(value, type).replace('T', separator).split('.')
  const padded = fraction.padEnd(digits, '0')
  if (padded === '' && shortest === 'day' && whole.endsWith(`${separator}00:00:00`)) return whole.slice(0, 10)
  if (padded === '' && shortest === 'minute' && whole.endsWith(':00')) return whole.slice(0, -3) + zone
  return (padded === '' ? whole : `${whole}.${padded}`) + zone
}

const formPattern = /^(?:\d{4}-\d\d-\d\d(?:([T ])|$))?(?:\d\d:\d\d(:\d\d(?:\.(\d{1,7}))?)?(Z|\+00:00)?)?$/

/**
 * Detects the most frequent format of sample strings.
 *
 * @param isDay whether the declared type of the column has no time
 * @returns undefined if no sample has a known format
 */
export function dateFormOf(texts: readonly unknown[], type: TextDate, isDay: boolean): DateForm | undefined {
  const counts = new Map<string, number>()
  for (const text of texts) {
    const match = typeof text === 'string' && text !== '' ? formPattern.exec(text) : null
    if (match === null) continue
    const [, separator, seconds, fraction = '', zone = ''] = match
    const hasTime = type === 'Edm.Time' || separator !== undefined
    const shortest = !hasTime ? 'day' : seconds === undefined ? 'minute' : 'second'
    const form: DateForm = {
      separator: separator === ' ' ? ' ' : 'T',
      shortest,
      // Only trailing zeros and milliseconds indicate a fixed number of digits.
      digits: fraction.endsWith('0') || fraction.length === 3 ? fraction.length : 0,
      zone: hasTime ? (zone as DateForm['zone']) : defaultForm(type).zone,
    }
    const name = JSON.stringify(form)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one)
  if (most !== undefined) return JSON.parse(most[0]) as DateForm
  return isDay ? { ...defaultForm(type), shortest: 'day' } : undefined
}

/** Formats a value with seven fraction digits and without zone, so that strings sort like their times. */
export function paddedDate(value: unknown, type: TextDate): string {
  const [whole = '', fraction = ''] = plainDate(value, type).split('.')
  return `${whole}.${fraction.padEnd(7, '0')}`
}

/** Formats a time of day in its shortest format, which sorts before all others of the same time. */
export function shortestTime(value: unknown): string {
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

/** Compares a column of dates or times in any format with a literal. Can use an index on the column. */
export function columnDateComparison(
  operator: 'eq' | RelationalOperator,
  column: Sql,
  value: unknown,
  type: TextDate,
): Sql {
  return type === 'Edm.Time'
    ? timeComparison(operator, column, value)
    : dateComparison(operator, column, value, type)
}

/** Tests whether two strings are the same date or time in any format. Can use an index on the left operand. */
export function isSameDate(left: Sql, right: Sql, type: TextDate): Sql {
  const same = sql`${padded(left, type)} = ${padded(right, type)}`
  // All formats of a time begin with hour and minute, and all formats of a date with the day.
  const start = sql`substr(${right}, 1, ${raw(type === 'Edm.Time' ? '5' : '10')})`
  return sql`(${left} >= ${start} and ${left} < ${start} || 'U' and ${same})`
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

/** Compares the day by an index, and the time within the day: the day is followed by a space, `T` or nothing. */
function dateComparison(
  operator: 'eq' | RelationalOperator,
  column: Sql,
  value: unknown,
  type: 'Edm.DateTime' | 'Edm.DateTimeOffset',
): Sql {
  const text = paddedDate(value, type)
  const [day, nextDay] = [parameter(text.slice(0, 10)), parameter(`${text.slice(0, 10)}U`)]
  const holds = sql`${padded(column, type)} ${raw(comparisons[operator])} ${parameter(text)}`
  switch (operator) {
    case 'eq':
      return sql`(${column} >= ${day} and ${column} < ${nextDay} and ${holds})`
    case 'lt':
    case 'le':
      return sql`(${column} < ${nextDay} and (${column} < ${day} or ${holds}))`
    case 'gt':
    case 'ge':
      return sql`(${column} >= ${day} and (${column} >= ${nextDay} or ${holds}))`
  }
}

const comparisons = { eq: '=', lt: '<', le: '<=', gt: '>', ge: '>=' } as const

/** Returns the SQL expression that converts a stored string to the format of {@link paddedDate}. */
export function padded(column: Sql, type: TextDate): Sql {
  if (type === 'Edm.Time') {
    return sql`substr(${column} || case when length(${column}) < 8 then ':00.0000000' when instr(${column}, '.') > 0 then '0000000' else '.0000000' end, 1, 16)`
  }
  // Dates of JavaScript end in Z even if the column has no zone.
  const text = sql`rtrim(replace(replace(${column}, ' ', 'T'), '+00:00', ''), 'Z')`
  return sql`substr(${text} || case length(${text}) when 10 then 'T00:00:00.0000000' when 16 then ':00.0000000' when 19 then '.0000000' else '0000000' end, 1, 27)`
}
