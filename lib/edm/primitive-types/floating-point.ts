import { compareNumbers } from './compare-operands.js'
import { literalForm } from './literal-form.js'
import type { PrimitiveType } from './primitive-type.js'

const number = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,9})?$/

const special: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  INF: Number.POSITIVE_INFINITY,
  '-INF': Number.NEGATIVE_INFINITY,
}

/** The two binary floating-point types, apart from how many digits they keep. */
export function floatingPointType(
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
export function floatingPointText(value: number, digits: string): string {
  if (Number.isFinite(value)) return digits.includes('e') ? digits.replace('e', 'E') : digits
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'INF' : '-INF'
}
