import type { CanonicalFunctionName } from '../../../query/canonical-functions/canonical-functions.js'
import type { Sql } from '../sql-text.js'
import { parameter, raw, sql } from '../sql-text.js'
import type { SqlValue } from '../sql-value.js'
import { concatenated, isNotLonger, whiteSpace, withinPrefix } from './text-functions.js'

/**
 * The functions whose result in SQLite is exactly that of the library. Those that count UTF-16 units, and those that
 * know upper and lower case beyond ASCII, are not among them.
 */
export function callSqliteFunction(
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

const places = {
  year: [1, 4],
  month: [6, 2],
  day: [9, 2],
  hour: [12, 2],
  minute: [15, 2],
  second: [18, 2],
} as const

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
