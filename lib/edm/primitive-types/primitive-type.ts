import type { Decimal } from '../decimal.js'
import type { Instant } from '../instant.js'
import type { PrimitiveTypeName } from './primitive-type-name.js'

/**
 * The form of a value in comparisons and arithmetic. Integers are numbers where these are exact, otherwise bigints, so
 * that `<` is always correct.
 */
export type Operand = boolean | number | bigint | string | Decimal | Instant | Uint8Array

/**
 * The implementation of a primitive type. Providers exchange values with the service; expressions are evaluated on
 * operands. Formats define how values are serialized.
 *
 * @spec MS-ODATA 2.2.2 (simple types and their literals)
 */
export interface PrimitiveType {
  readonly name: PrimitiveTypeName
  /** Converts a value of a provider, or returns undefined for a value of another type. */
  readonly toOperand: (value: unknown) => Operand | undefined
  /** Converts an operand to a JavaScript value: the inverse of `toOperand`. */
  readonly toValue: (operand: Operand) => unknown
  /** Negative, zero or positive; a total order. */
  readonly compare: (a: Operand, b: Operand) => number
  /** Parses a literal without quotes, prefix and suffix, or returns undefined for an invalid one. */
  readonly parse: (text: string) => unknown
  /** The prefix and suffix of literals: `datetime'` and `'`. */
  readonly aroundLiteral: readonly [before: string, after: string]
  /** Formats the canonical literal in URIs, before percent-encoding: `5L`, `datetime'…'`. */
  readonly formatLiteral: (value: unknown) => string
}

/**
 * Returns the members of a type that define its literals.
 *
 * @param format formats a value without prefix and suffix
 */
export function literalForm(
  before: string,
  format: (value: unknown) => string,
  after: string,
): Pick<PrimitiveType, 'aroundLiteral' | 'formatLiteral'> {
  return {
    aroundLiteral: [before, after],
    formatLiteral: before === '' && after === '' ? format : (value) => before + format(value) + after,
  }
}

/** Compares numbers and bigints; NaN equals itself and precedes all numbers. */
export function compareNumbers(a: Operand, b: Operand): number {
  if (a < b) return -1
  if (a > b) return 1
  const aIsNaN = Number.isNaN(a)
  const bIsNaN = Number.isNaN(b)
  return aIsNaN === bIsNaN ? 0 : aIsNaN ? -1 : 1
}

/**
 * Compares strings by code point, as databases and other platforms do. JavaScript compares UTF-16 units, which orders
 * the characters beyond U+FFFF (stored as D800 to DFFF) before those from U+E000.
 *
 * A lone surrogate is equal to U+FFFD, by which skip tokens represent it.
 */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left === right) continue
    const difference = codePointRank(left, a, index) - codePointRank(right, b, index)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Ranks surrogate pairs after all other characters, so that units are ordered like code points. */
function codePointRank(unit: number, text: string, index: number): number {
  if (unit < 0xd800) return unit
  if (unit >= 0xe000) return unit - 0x800
  const other = unit < 0xdc00 ? text.charCodeAt(index + 1) & 0xfc00 : text.charCodeAt(index - 1) & 0xfc00
  return other === (unit < 0xdc00 ? 0xdc00 : 0xd800) ? unit + 0x2000 : 0xfffd - 0x800
}

/** Compares bytes lexicographically. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const difference = (a[index] as number) - (b[index] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
