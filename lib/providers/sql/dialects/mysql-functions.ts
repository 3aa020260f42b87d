import type { CanonicalFunctionName } from '../../../query/canonical-functions/canonical-functions.js'
import type { Sql } from '../sql-text.js'
import { joined, raw, sql } from '../sql-text.js'
import type { SqlValue } from '../sql-value.js'

/**
 * The functions whose result in MySQL and MariaDB is exactly that of the library. Texts are compared as bytes, since
 * otherwise the collation would say what is equal.
 *
 * @param bytesOf a text as bytes
 */
export function callMysqlFunction(
  name: CanonicalFunctionName,
  parameters: readonly SqlValue[],
  bytesOf: (text: Sql) => Sql,
): SqlValue | undefined {
  const [a, b] = parameters
  if (a === undefined) return undefined
  const nullable = parameters.some((one) => one.nullable)
  const condition = (text: Sql): SqlValue => ({ sql: text, type: 'Edm.Boolean', nullable })
  switch (name) {
    case 'substringof':
      return b && condition(sql`(locate(${bytesOf(a.sql)}, ${bytesOf(b.sql)}) > 0)`)
    case 'startswith':
      return b && condition(sql`(left(${bytesOf(a.sql)}, length(${bytesOf(b.sql)})) = ${bytesOf(b.sql)})`)
    case 'endswith':
      return b && condition(sql`(right(${bytesOf(a.sql)}, length(${bytesOf(b.sql)})) = ${bytesOf(b.sql)})`)
    case 'concat': {
      const texts = parameters.map(({ sql: text }) => sql`convert(${text} using utf8mb4)`)
      return { sql: sql`concat(${joined(texts, ', ')})`, type: 'Edm.String', nullable }
    }
    case 'year':
    case 'month':
    case 'day':
      return a.type === 'Edm.Time' ? undefined : field(name, a)
    case 'hour':
    case 'minute':
    case 'second':
      return field(name, a)
    default:
      return undefined
  }
}

function field(name: string, { sql: value, nullable, literal }: SqlValue): SqlValue | undefined {
  // The fields of a literal are those of its own zone.
  if (literal !== undefined) return undefined
  return { sql: sql`${raw(name)}(${value})`, type: 'Edm.Int32', nullable, bits: 14 }
}
