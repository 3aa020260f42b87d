import type { Decimal } from '../decimal.js'
import type { Instant } from '../instant.js'
import type { PrimitiveTypeName } from './primitive-type-name.js'

/**
 * The form in which expressions compare and compute. Whole numbers are numbers as long as they are exact and
 * bigints beyond, so that `<` between two of them is always right.
 */
export type Operand = boolean | number | bigint | string | Decimal | Instant | Uint8Array

/**
 * What the library knows about one simple type. Values are the JavaScript values that providers give and take;
 * operands are what the evaluation works on. How a value looks on the wire is the business of each format.
 *
 * @spec MS-ODATA 2.2.2 (simple types and their literals)
 */
export interface PrimitiveType {
  readonly name: PrimitiveTypeName
  /** The operand of a provider's value, or undefined when the value is none of this type. */
  readonly toOperand: (value: unknown) => Operand | undefined
  /** The JavaScript value of an operand: the inverse of `toOperand`. */
  readonly toValue: (operand: Operand) => unknown
  /** Negative, zero or positive; a total order. */
  readonly compare: (a: Operand, b: Operand) => number
  /** The value of a text without quotes, prefix or suffix, or undefined when the text is none of this type. */
  readonly parse: (text: string) => unknown
  /** What stands around the text of a value in a literal: `datetime'` and `'`. */
  readonly aroundLiteral: readonly [before: string, after: string]
  /** The canonical literal of a value as it stands in URIs, before percent-encoding: `5L`, `datetime'…'`. */
  readonly formatLiteral: (value: unknown) => string
}
