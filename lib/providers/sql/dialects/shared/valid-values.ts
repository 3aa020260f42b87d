import { INT64_RANGE, integerRanges } from '../../../../edm/primitive-types/integer.js'
import type { IntegerTypeName } from '../../../../edm/primitive-types/integer.js'
import { isInteger } from '../../../../edm/primitive-types/primitive-type-name.js'
import type { ColumnFacts } from '../../column.js'
import type { ValueKind } from '../../dialect.js'

export const GUID_PATTERN = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'

/**
 * Returns the condition for integers that are within the range of their property; undefined if all are.
 *
 * @param bits the numbers of bits of integer columns. Default: 64
 */
export function integersInRange(
  { type, facts }: ValueKind,
  r: string,
  bits: Readonly<Record<string, number>>,
): string | undefined {
  if (!isInteger(type)) return undefined
  const [least, greatest] = integerRanges[type as IntegerTypeName] ?? INT64_RANGE
  const [lowest, highest] = rangeOf(facts, bits)
  if (lowest >= least && highest <= greatest) return undefined
  return `(${r} between ${String(least)} and ${String(greatest)})`
}

function rangeOf(
  { dataType, isUnsigned }: ColumnFacts,
  integerBits: Readonly<Record<string, number>>,
): readonly [least: bigint, greatest: bigint] {
  const bits = BigInt(integerBits[dataType] ?? 64)
  return isUnsigned === true ? [0n, (1n << bits) - 1n] : [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n]
}
