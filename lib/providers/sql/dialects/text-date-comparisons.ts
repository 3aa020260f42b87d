import type { Sql } from '../sql-text.js'
import { parameter, raw, sql } from '../sql-text.js'
import type { RelationalOperator } from '../sql-value.js'
import { paddedDate, shortestTime } from './text-dates.js'
import type { TextDate } from './text-dates.js'

/** Comparison of a column of dates or times, in any form, with a literal; an index on the column helps. */
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

/** True exactly when two texts stand for the same date or time, whatever their forms; an index on the left one helps. */
export function isSameDate(left: Sql, right: Sql, type: TextDate): Sql {
  const same = sql`${padded(left, type)} = ${padded(right, type)}`
  // All texts for one time of day begin with its minute, those for one time with its day.
  const start = sql`substr(${right}, 1, ${raw(type === 'Edm.Time' ? '5' : '10')})`
  return sql`(${left} >= ${start} and ${left} < ${start} || 'U' and ${same})`
}

/** All texts that stand for one time of day stand between the shortest and the longest of them. */
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

/** Behind the day may be a blank, a `T` or nothing: an index finds the day, and the rest is compared within it. */
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

/** What {@link paddedDate} makes of a text that is stored. */
export function padded(column: Sql, type: TextDate): Sql {
  if (type === 'Edm.Time') {
    return sql`substr(${column} || case when length(${column}) < 8 then ':00.0000000' when instr(${column}, '.') > 0 then '0000000' else '.0000000' end, 1, 16)`
  }
  // What JavaScript writes ends in Z in a column without zone too.
  const text = sql`rtrim(replace(replace(${column}, ' ', 'T'), '+00:00', ''), 'Z')`
  return sql`substr(${text} || case length(${text}) when 10 then 'T00:00:00.0000000' when 16 then ':00.0000000' when 19 then '.0000000' else '0000000' end, 1, 27)`
}
