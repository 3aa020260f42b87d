import type { CanonicalFunctionName } from '../../../../query/canonical-functions/canonical-functions.js'
import type { Column } from '../../column.js'
import type { Sql } from '../../sql-text.js'
import { parameter, raw, sql } from '../../sql-text.js'
import type { SqlValue } from '../../dialect.js'
import type { DateField, SqlFunctions } from '../shared/canonical-functions.js'
import { callFunction, replaced } from '../shared/canonical-functions.js'
import { concatenated, whiteSpace, withinPrefix } from '../shared/shared-sql.js'

/** Functions of PostgreSQL. `toupper` and `tolower` are added by `withPostgresCase`. */
const functions: SqlFunctions = {
  contains,
  startsWith,
  endsWith: (text, end) => sql`(right(${text.sql}, length(${end.sql})) = ${end.sql})`,
  concat: concatenated,
  trim: (text) => sql`btrim(${text}, ${parameter(whiteSpace)}::text)`,
  replace: replaced,
  length: lengthOf,
  indexOf,
  round: (name, { nullable, sql: value, type }) =>
    type === 'Edm.Decimal' ? { sql: sql`${raw(name)}(${value}::numeric)`, type, nullable } : undefined,
  field,
}

/** Compiles a function if its result in PostgreSQL is exactly that of the library. */
export function callPostgresFunction(
  name: CanonicalFunctionName,
  parameters: readonly SqlValue[],
  isComparable: (column: Column) => boolean,
): SqlValue | undefined {
  const isExact = parameters.every(
    ({ column, literal }) => (column === undefined || isComparable(column)) && literal?.exact !== false,
  )
  return isExact ? callFunction(name, parameters, functions) : undefined
}

/**
 * Returns the SQL of `substringof`. A trigram index on a converted string supports `like`; on columns `strpos` is
 * faster.
 */
function contains(text: SqlValue, { sql: part, literal }: SqlValue): Sql {
  if (text.column !== undefined || typeof literal?.value !== 'string')
    return sql`(strpos(${text.sql}, ${part}) > 0)`
  const pattern = `%${literal.value.replace(/[\\%_]/g, String.raw`\$&`)}%`
  return sql`(${text.sql} like ${parameter(pattern)}::text)`
}

function startsWith(text: SqlValue, start: SqlValue): Sql {
  const starts = sql`starts_with(${text.sql}, ${start.sql})`
  return withinPrefix(text, start, starts, (end) => sql`${parameter(end)}::text`)
}

/** Returns the length in UTF-16 units: characters above U+FFFF count twice. */
function lengthOf(text: Sql): Sql {
  return sql`(length(${text}) + length(regexp_replace(${text}, '[\\u0001-\\uffff]+', '', 'g')))`
}

function indexOf(text: Sql, found: Sql): Sql {
  const before = sql`left(${text}, strpos(${text}, ${found}) - 1)`
  return sql`case when strpos(${text}, ${found}) = 0 then -1 when strpos(${text}, ${found}) = 1 then 0 else ${lengthOf(before)} end`
}

const timeFields: ReadonlySet<DateField> = new Set<DateField>(['hour', 'minute', 'second'])

function field(name: DateField, value: SqlValue): SqlValue | undefined {
  const { type, nullable } = value
  if (type !== 'Edm.DateTime' && type !== 'Edm.DateTimeOffset' && type !== 'Edm.Time') return undefined
  // The fields of a literal are those of its own zone.
  if (value.literal !== undefined) return undefined
  const utc = type === 'Edm.DateTimeOffset' ? sql`(${value.sql} at time zone 'UTC')` : value.sql
  // PostgreSQL cannot extract the time from a date.
  const isMidnight = value.column?.facts.dataType === 'date' && timeFields.has(name)
  const number = isMidnight ? raw('0') : sql`floor(extract(${raw(name)} from ${utc}))::int4`
  if (type === 'Edm.Time') return { sql: number, type: 'Edm.Int32', nullable, bits: 14 }
  // The year of infinity cannot be cast to an integer.
  return {
    sql: sql`(case when isfinite(${value.sql}) then ${number} end)`,
    type: 'Edm.Int32',
    nullable: true,
    bits: 14,
  }
}
