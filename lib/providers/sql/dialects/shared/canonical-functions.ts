import type { CanonicalFunctionName } from '../../../../query/canonical-functions/canonical-functions.js'
import type { SqlValue } from '../../dialect.js'
import type { Sql } from '../../sql-text.js'
import { sql } from '../../sql-text.js'

/** A function that returns a part of a date or time. */
export type DateField = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'

/**
 * The SQL of canonical functions in one database, for those whose result is exactly that of the library. The service
 * evaluates the others. Functions that change the case of letters are added by the dialects.
 */
export interface SqlFunctions {
  readonly contains: (text: SqlValue, part: SqlValue) => Sql
  readonly startsWith: (text: SqlValue, start: SqlValue) => Sql
  readonly endsWith: (text: SqlValue, end: SqlValue) => Sql
  readonly concat: (texts: readonly SqlValue[]) => Sql
  readonly trim?: (text: Sql) => Sql
  readonly replace?: (text: Sql, found: Sql, replacement: Sql) => Sql
  readonly length?: (text: Sql) => Sql
  readonly indexOf?: (text: Sql, found: Sql) => Sql
  readonly round?: (name: 'floor' | 'ceiling', value: SqlValue) => SqlValue | undefined
  readonly field: (name: DateField, value: SqlValue) => SqlValue | undefined
}

/** Compiles the call of a function. @returns undefined if the service must evaluate it */
export function callFunction(
  name: CanonicalFunctionName,
  parameters: readonly SqlValue[],
  functions: SqlFunctions,
): SqlValue | undefined {
  const [a, b, c] = parameters
  if (a === undefined) return undefined
  const nullable = parameters.some((one) => one.nullable)
  const condition = (text: Sql): SqlValue => ({ sql: text, type: 'Edm.Boolean', nullable })
  const string = (text: Sql | undefined): SqlValue | undefined =>
    text && { sql: text, type: 'Edm.String', nullable }
  const count = (text: Sql | undefined): SqlValue | undefined =>
    text && { sql: text, type: 'Edm.Int32', nullable, bits: 31 }
  switch (name) {
    case 'substringof':
      return b && condition(functions.contains(b, a))
    case 'startswith':
      return b && condition(functions.startsWith(a, b))
    case 'endswith':
      return b && condition(functions.endsWith(a, b))
    case 'concat':
      return string(functions.concat(parameters))
    case 'trim':
      return string(functions.trim?.(a.sql))
    case 'replace':
      return b && c && isNotLonger(c, b) ? string(functions.replace?.(a.sql, b.sql, c.sql)) : undefined
    case 'length':
      return count(functions.length?.(a.sql))
    case 'indexof':
      return b && count(functions.indexOf?.(a.sql, b.sql))
    case 'floor':
    case 'ceiling':
      return functions.round?.(name, a)
    case 'year':
    case 'month':
    case 'day':
    case 'hour':
    case 'minute':
    case 'second':
      return functions.field(name, a)
    default:
      return undefined
  }
}

/** Returns the call of `replace` in databases that compare strings exactly. */
export function replaced(text: Sql, found: Sql, replacement: Sql): Sql {
  return sql`replace(${text}, ${found}, ${replacement})`
}

/** Returns true if `replace` cannot lengthen a string. Nested calls could exhaust the memory of the database. */
function isNotLonger(replacement: SqlValue, found: SqlValue): boolean {
  const after = replacement.literal?.value
  const before = found.literal?.value
  return typeof after === 'string' && typeof before === 'string' && after.length <= before.length
}
