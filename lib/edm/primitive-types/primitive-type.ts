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
