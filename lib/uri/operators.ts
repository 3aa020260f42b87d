import type { BinaryOperator } from './syntax-tree.js'

/**
 * How tightly each binary operator binds; all of them are left-associative.
 *
 * @spec MS-ODATA 2.2.3.6.1.1 (operator precedence)
 */
export const precedence: Readonly<Record<BinaryOperator, number>> = {
  or: 1,
  and: 2,
  eq: 3,
  ne: 3,
  lt: 4,
  gt: 4,
  le: 4,
  ge: 4,
  add: 5,
  sub: 5,
  mul: 6,
  div: 6,
  mod: 6,
}

export function isBinaryOperator(word: string): word is BinaryOperator {
  return Object.hasOwn(precedence, word)
}
