import { numberText } from '../../util/number-text.js'
import { compareNumbers, literalForm } from './primitive-type.js'
import type { PrimitiveType } from './primitive-type.js'

/** Smaller integers are exact in 32 bits, so that all their digits are needed. */
const EXACT_INTEGERS = 2 ** 24

/** The smallest 32-bit number with full precision. */
const MIN_NORMAL = 2 ** -126

/** The number of digits that identifies every 32-bit number. */
const MAX_DIGITS = 9

const number = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,9})?$/

const special: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  INF: Number.POSITIVE_INFINITY,
  '-INF': Number.NEGATIVE_INFINITY,
}

/** @spec MS-ODATA 2.2.2 (Edm.Single) */
export const singleType = floatingPointType('Edm.Single', Math.fround, formatSingle, 'F')

/** @spec MS-ODATA 2.2.2 (Edm.Double) */
export const doubleType = floatingPointType('Edm.Double', (value) => value, formatDouble, 'D')

function floatingPointType(
  name: 'Edm.Double' | 'Edm.Single',
  narrow: (value: number) => number,
  format: (value: number) => string,
  suffix: string,
): PrimitiveType {
  return {
    name,
    toOperand: (value) => (typeof value === 'number' ? narrow(value) : undefined),
    toValue: (operand) => operand,
    compare: compareNumbers,
    parse(text) {
      if (Object.hasOwn(special, text)) return special[text]
      if (!number.test(text)) return undefined
      const value = narrow(Number(text))
      return Number.isFinite(value) ? value : undefined
    },
    ...literalForm('', (value) => format(value as number), suffix),
  }
}

/**
 * Formats a number for XML and literals: digits with exponents such as `1E+21`, or `NaN`, `INF`, `-INF`.
 *
 * @param digits the shortest digits of the number, as JavaScript formats them
 */
function floatingPointText(value: number, digits: string): string {
  if (Number.isFinite(value)) return digits.includes('e') ? digits.replace('e', 'E') : digits
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'INF' : '-INF'
}

/** Formats a number with its shortest digits. */
export function formatDouble(value: number): string {
  const size = Math.abs(value)
  return size >= 1e-6 && size < 1e21 ? numberText(value) : floatingPointText(value, signedText(value))
}

/** Formats a number as JavaScript does, with the sign of negative zero, which JavaScript omits. */
export function signedText(value: number): string {
  return Object.is(value, -0) ? '-0' : `${value}`
}

/** Formats a 32-bit number with its shortest digits: `0.1`, not `0.10000000149011612`. */
export function formatSingle(value: number): string {
  const single = Math.fround(value)
  return floatingPointText(single, Number.isFinite(single) ? shortestDigits(single) : '')
}

function shortestDigits(single: number): string {
  const size = Math.abs(single)
  if (Number.isInteger(single) && size < EXACT_INTEGERS) return signedText(single)
  // A normal number has at least six exact digits; if fewer suffice, the rest are zeros, which String removes.
  for (let digits = size < MIN_NORMAL ? 1 : 6; digits < MAX_DIGITS; digits++) {
    const rounded = Number(single.toPrecision(digits))
    if (Math.fround(rounded) === single) return String(rounded)
  }
  return String(Number(single.toPrecision(MAX_DIGITS)))
}
