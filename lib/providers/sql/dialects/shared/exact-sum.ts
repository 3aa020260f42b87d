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
    sql: sum,
    scale: 0,
    digits,
    unsure: undefined,
    digitsAfterPoint,
    orderKey: { sql: sum, nullable: true, literal },
  }
}
