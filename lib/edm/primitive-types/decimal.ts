import { numberText } from '../../util/number-text.js'
import { compareDecimals, Decimal, decimalFromNumber, parseDecimal } from '../decimal.js'
import { literalForm } from './literal-form.js'
import type { PrimitiveType } from './primitive-type.js'

const plainDigits = /^-?\d+(?:\.\d+)?$/

/** The operand of a digit string or a number; undefined for anything else. */
function toDecimal(value: unknown): Decimal | undefined {
  if (typeof value === 'string') return parseDecimal(value)
  if (typeof value === 'number') return decimalFromNumber(value)
  return typeof value === 'bigint' ? new Decimal(value, 0) : undefined
}

/** Digits as they were given, without exponent and plus sign. Throws when the value is no number. */
export function formatDecimal(value: unknown): string {
  if (typeof value === 'string' && plainDigits.test(value)) return value
  if (typeof value === 'number' && Math.abs(value) < 1e15) {
    const digits = numberText(value)
    if (!digits.includes('e')) return digits
  }
  const decimal = toDecimal(value)
  if (decimal === undefined) throw new TypeError(`Not an Edm.Decimal: ${String(value)}`)
  return decimal.toString()
}

/**
 * Exact decimal numbers: a string of digits. Providers may also give a number.
 *
 * @spec MS-ODATA 2.2.2 (Edm.Decimal)
 */
export const decimalType: PrimitiveType = {
  name: 'Edm.Decimal',
  toOperand: toDecimal,
  toValue: (operand) => (operand as Decimal).toString(),
  compare: (a, b) => compareDecimals(a as Decimal, b as Decimal),
  parse: (text) => parseDecimal(text)?.toString(),
  ...literalForm('', formatDecimal, 'M'),
}
