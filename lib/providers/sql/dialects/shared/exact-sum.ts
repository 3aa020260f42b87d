import type { ExactSumSql, SqlOrderKey } from '../../dialect.js'
import type { Sql } from '../../sql-text.js'

/** Returns the sum of a database with exact numbers. */
export function exactSum(
  sum: Sql,
  {
    digits,
    digitsAfterPoint,
    literal,
  }: Pick<ExactSumSql, 'digits' | 'digitsAfterPoint'> & Pick<SqlOrderKey, 'literal'>,
): ExactSumSql {
  return {
    parts: [{ sql: sum, factor: 1n }],
    scale: 0,
    digits,
    unsure: undefined,
    digitsAfterPoint,
    orderKeys: [{ sql: sum, nullable: true, literal }],
  }
}
