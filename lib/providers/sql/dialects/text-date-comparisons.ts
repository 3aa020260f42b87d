import type { Sql } from '../sql-text.js'
import { parameter, raw, sql } from '../sql-text.js'
import type { RelationalOperator } from '../sql-value.js'
import { paddedDate, shortestTime } from './text-dates.js'
import type { TextDate } from './text-dates.js'

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

/** In string order all formats of a time are between the shortest and the longest one. */
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

/** A blank, a `T` or nothing follows the day: an index finds the day, and the time is compared within it. */
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
  // What JavaScript writes ends in Z in a column without zone too.
  const text = sql`rtrim(replace(replace(${column}, ' ', 'T'), '+00:00', ''), 'Z')`
  return sql`substr(${text} || case length(${text}) when 10 then 'T00:00:00.0000000' when 16 then ':00.0000000' when 19 then '.0000000' else '0000000' end, 1, 27)`
}
