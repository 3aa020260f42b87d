import { isInteger } from '../../../../edm/primitive-types/primitive-type-name.js'
import type { Column } from '../../column.js'
import type { ExactSumSql } from '../../dialect.js'
import type { Sql } from '../../sql-text.js'
import { parameter, raw, sql } from '../../sql-text.js'
import { exactSum } from '../shared/exact-sum.js'

/** The precision of sums of MySQL and MariaDB exceeds that of their values by this number of digits. */
const ADDED_DIGITS = 22
const MAX_DIGITS = 65

/** Returns the sum of a column of MySQL and MariaDB, which is a decimal. */
export function mysqlSum({ facts, type }: Column, reference: Sql): ExactSumSql | undefined {
  const [precision = 10, scale = 0] = facts.typeArguments
  const isDecimal = type === 'Edm.Decimal' && facts.dataType === 'decimal'
  if (isDecimal && precision + ADDED_DIGITS > MAX_DIGITS) return undefined
  if (!isDecimal && !(integers.has(facts.dataType) && (isInteger(type) || type === 'Edm.Decimal')))
    return undefined
  const digits = isDecimal ? scale : 0
  return exactSum(sql`sum(${reference})`, {
    digits: (part) => sql`cast(${part} as char)`,
    digitsAfterPoint: digits,
    literal: (at) => sql`cast(${parameter(String(at))} as decimal(65, ${raw(String(digits))}))`,
  })
}

const integers: ReadonlySet<string> = new Set(['tinyint', 'smallint', 'mediumint', 'int', 'bigint'])

/** MySQL sorts by the first 1,024 bytes of longer strings, and characters have up to 4 bytes. */
const MAX_CHARACTERS = 256

/**
 * Returns the SQL by which a column is grouped: strings are grouped as bytes. Undefined for types that the service
 * groups.
 */
export function mysqlGroupKey({ facts, type }: Column, comparable: Sql): Sql | undefined {
  switch (type) {
    case 'Edm.String':
      return (facts.typeArguments[0] ?? Number.POSITIVE_INFINITY) <= MAX_CHARACTERS ? comparable : undefined
    case 'Edm.Guid':
      return facts.dataType === 'uuid' ? comparable : undefined
    case 'Edm.Double':
    case 'Edm.Single':
    case 'Edm.Binary':
      return undefined
    default:
      return comparable
  }
}

export function mysqlGroupValue({ type }: Column, key: Sql): Sql {
  switch (type) {
    case 'Edm.String':
    case 'Edm.Guid':
      return sql`convert(${key} using utf8mb4)`
    case 'Edm.Int64':
    case 'Edm.Decimal':
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
    case 'Edm.Time':
      return sql`cast(${key} as char)`
    default:
      return key
  }
}
