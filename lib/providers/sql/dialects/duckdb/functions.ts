import type { CanonicalFunctionName } from '../../../../query/canonical-functions/canonical-functions.js'
import type { AsciiCase, SqlValue } from '../../dialect.js'
import type { Sql } from '../../sql-text.js'
import { parameter, raw, sql } from '../../sql-text.js'
import type { DateField, SqlFunctions } from '../shared/canonical-functions.js'
import { callFunction, replaced } from '../shared/canonical-functions.js'
import { concatenated, whiteSpace, withinPrefix } from '../shared/shared-sql.js'
import { isComparable } from './column-types.js'

const functions: SqlFunctions = {
  contains: (text, part) => sql`contains(${text.sql}, ${part.sql})`,
  startsWith: (text, start) =>
    withinPrefix(
      text,
      start,
      sql`starts_with(${text.sql}, ${start.sql})`,
      (end) => sql`${parameter(end)}::varchar`,
    ),
  endsWith: (text, end) => sql`ends_with(${text.sql}, ${end.sql})`,
  concat: concatenated,
  trim: (text) => sql`trim(${text}, ${parameter(whiteSpace)}::varchar)`,
  replace: replaced,
  length: lengthOf,
  indexOf,
  round: (name, { nullable, sql: value, type, column }) =>
    type === 'Edm.Decimal' && column?.facts.dataType === 'decimal'
      ? { sql: sql`${raw(name === 'floor' ? 'floor' : 'ceil')}(${value})`, type, nullable }
      : undefined,
  field,
}

/** Compiles a function if its result in DuckDB is exactly that of the service. */
export function callDuckdbFunction(
  name: CanonicalFunctionName,
  parameters: readonly SqlValue[],
): SqlValue | undefined {
  const isExact = parameters.every(
    ({ column, literal }) => (column === undefined || isComparable(column)) && literal?.exact !== false,
  )
  const plain = parameters.map((one) =>
    one.column?.facts.dataType === 'enum'
      ? { ...one, sql: sql`${one.sql}::varchar`, column: undefined }
      : one,
  )
  return isExact ? callFunction(name, plain, functions) : undefined
}

/** DuckDB converts letter by letter: `ß` to `ẞ`, and `İ` to `i`. */
export const duckdbCase: AsciiCase = {
  convert: (name, text) => sql`${raw(name === 'toupper' ? 'upper' : 'lower')}(${text})`,
  hasOthers: (text) => sql`(strlen(${text}) <> length(${text}))`,
}

/** Returns the length in UTF-16 units: characters above U+FFFF count twice. */
function lengthOf(text: Sql): Sql {
  const isAscii = sql`strlen(${text}) = length(${text})`
  const others = sql`length(regexp_replace(${text}, '[\\x{0}-\\x{ffff}]+', '', 'g'))`
  return sql`(case when ${isAscii} then length(${text}) else length(${text}) + ${others} end)`
}

function indexOf(text: Sql, found: Sql): Sql {
  const before = sql`left(${text}, strpos(${text}, ${found}) - 1)`
  return sql`case when strpos(${text}, ${found}) = 0 then -1 when strpos(${text}, ${found}) = 1 then 0 else ${lengthOf(before)} end`
}

const timeFields: ReadonlySet<DateField> = new Set<DateField>(['hour', 'minute', 'second'])

function field(name: DateField, value: SqlValue): SqlValue | undefined {
  const { type } = value
  if (type !== 'Edm.DateTime' && type !== 'Edm.DateTimeOffset' && type !== 'Edm.Time') return undefined
  // The fields of a literal are those of its own zone.
  if (value.literal !== undefined) return undefined
  const utc = type === 'Edm.DateTimeOffset' ? sql`(${value.sql} at time zone 'UTC')` : value.sql
  const isMidnight = value.column?.facts.dataType === 'date' && timeFields.has(name)
  const number = isMidnight ? sql`(case when ${value.sql} is not null then 0 end)` : sql`${raw(name)}(${utc})`
  // The fields of infinity are null.
  return { sql: number, type: 'Edm.Int32', nullable: true, bits: 14 }
}
