import { isInteger } from '../../../../edm/primitive-types/primitive-type-name.js'
import type { Column, ColumnFacts } from '../../column.js'
import type { ExactSumSql } from '../../dialect.js'
import type { Sql } from '../../sql-text.js'
import { parameter, sql } from '../../sql-text.js'
import { exactSum } from '../shared/exact-sum.js'

/** Returns the sum of a column of PostgreSQL, which is exact for integers and decimals. */
export function postgresSum({ facts, type }: Column, reference: Sql): ExactSumSql | undefined {
  if (!isInteger(type) && type !== 'Edm.Decimal') return undefined
  return exactSum(sql`sum(${reference})`, {
    digits: (part) => sql`${part}::text`,
    digitsAfterPoint: digitsAfterPoint(facts),
    literal: (at) => sql`${parameter(String(at))}::numeric`,
  })
}

function digitsAfterPoint({ dataType, typeArguments }: ColumnFacts): number | undefined {
  if (dataType !== 'numeric') return 0
  const [precision, scale = 0] = typeArguments
  return precision === undefined ? undefined : scale
}

/**
 * Returns the SQL by which a column is grouped; undefined for floating-point numbers, whose NaN and -0 the service
 * groups in its own way, and for binary values.
 */
export function postgresGroupKey({ type }: Column, comparable: Sql): Sql | undefined {
  return type === 'Edm.Double' || type === 'Edm.Single' || type === 'Edm.Binary' ? undefined : comparable
}
