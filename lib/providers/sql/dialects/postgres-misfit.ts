import type { Column } from '../column.js'

/** The numbers that columns of whole numbers can hold: so many bits, and the sign. */
const bits: Readonly<Record<string, bigint>> = { int2: 15n, int4: 31n, int8: 63n }

/** Why a column of PostgreSQL cannot hold a value: a statement with it would fail, and not say where. */
export function postgresMisfit(
  { facts: { dataType, typeArguments } }: Column,
  value: unknown,
): string | undefined {
  if (typeof value === 'string' && value.includes('\0'))
    return 'the database cannot hold the character U+0000'
  const size = bits[dataType]
  if (size !== undefined)
    return isWithin(value, size) ? undefined : 'the number is out of range for the database'
  const [length] = typeArguments
  if (length === undefined || typeof value !== 'string') return undefined
  // Counted in characters, not in UTF-16 units; what is short in units is short in characters.
  if (
    (dataType === 'varchar' || dataType === 'bpchar') &&
    value.length > length &&
    [...value].length > length
  ) {
    return `it is longer than the ${String(length)} characters that the database can hold`
  }
  return undefined
}

function isWithin(value: unknown, size: bigint): boolean {
  if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'string') return true
  if (typeof value === 'number' ? !Number.isInteger(value) : !/^-?\d+$/.test(String(value))) return true
  const whole = BigInt(value)
  return whole >= -(1n << size) && whole < 1n << size
}
