import { isInteger } from '../../../../edm/primitive-types/primitive-type-name.js'
import type { Column } from '../../column.js'
import type { ExactSumSql } from '../../dialect.js'
import type { Sql } from '../../sql-text.js'
import { parameter, raw, sql } from '../../sql-text.js'
import { exactSum } from '../shared/exact-sum.js'
import { isComparable } from './column-types.js'

/** The sum of 10 ** 10 decimals with this many digits is within 128 bits. */
const MAX_SUMMED_DIGITS = 28

/**
 * Returns the sum of a column of DuckDB, which is exact for decimals and for integers with up to 64 bits. The sum of
 * longer ones is a floating-point number, or fails.
 */
export function duckdbSum(column: Column, reference: Sql): ExactSumSql | undefined {
  const { facts, type } = column
  const [precision = 0, scale = 0] = facts.typeArguments
  const isDecimal = facts.dataType === 'decimal' && precision <= MAX_SUMMED_DIGITS
  if (!isComparable(column) || (!isInteger(type) && !isDecimal && facts.dataType !== 'ubigint'))
    return undefined
  const digits = isDecimal ? scale : 0
  return exactSum(sql`sum(${reference})`, {
    digits: (part) => sql`${part}::varchar`,
    digitsAfterPoint: digits,
    literal: (at) => sql`${parameter(String(at))}::${raw(`decimal(38, ${String(digits)})`)}`,
  })
}

/** Returns the SQL by which a column is grouped; undefined for values that the service groups in another way. */
export function duckdbGroupKey(column: Column, comparable: Sql): Sql | undefined {
  const { type } = column
  const isOther = type === 'Edm.Double' || type === 'Edm.Single' || type === 'Edm.Binary'
  return isOther || !isComparable(column) ? undefined : comparable
}
