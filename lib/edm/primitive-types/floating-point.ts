import { compareNumbers } from './compare-operands.js'
import { literalForm } from './literal-form.js'
import type { PrimitiveType } from './primitive-type.js'
import { numberText } from '../../util/number-text.js'

/** Below this, whole numbers are exact in 32 bits, and their digits are the shortest text. */
const exactIntegers = 2 ** 24

/** The smallest number that 32 bits hold with full precision. */
const smallestNormal = 2 ** -126

/** This many digits tell every 32-bit number from its neighbors. */
const enoughDigits = 9

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

/** The two binary floating-point types, apart from how many digits they keep. */
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
 * The text of a number in XML and in literals: digits or `NaN`, `INF`, `-INF`, and exponents as `1E+21`.
 *
 * @param digits the shortest digits that give the number back, as JavaScript writes them
 */
function floatingPointText(value: number, digits: string): string {
  if (Number.isFinite(value)) return digits.includes('e') ? digits.replace('e', 'E') : digits
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'INF' : '-INF'
}

/** The shortest text that gives the number back. */
export function formatDouble(value: number): string {
  return floatingPointText(value, numberText(value))
}

/** The shortest text that gives the same 32-bit number back: `0.1`, not `0.10000000149011612`. */
export function formatSingle(value: number): string {
  const single = Math.fround(value)
  return floatingPointText(single, Number.isFinite(single) ? shortestDigits(single) : '')
}

function shortestDigits(single: number): string {
  const size = Math.abs(single)
  if (Number.isInteger(single) && size < exactIntegers) return String(single)
  // Six digits always survive in a normal number; if fewer do, they are found as six with zeros behind.
  for (let digits = size < smallestNormal ? 1 : 6; digits < enoughDigits; digits++) {
    const rounded = Number(single.toPrecision(digits))
    if (Math.fround(rounded) === single) return String(rounded)
  }
  return String(Number(single.toPrecision(enoughDigits)))
}
