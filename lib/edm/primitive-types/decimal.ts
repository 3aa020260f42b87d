import { numberText } from '../../util/number-text.js'
import { compareDecimals, Decimal, decimalFromNumber, parseDecimal } from '../decimal.js'
import { literalForm } from './primitive-type.js'
import type { PrimitiveType } from './primitive-type.js'

/** Maximum characters of a number of a client: longer ones would cost more than linear time for each row. */
export const MAX_DECIMAL_LENGTH = 1000

const plainDigits = /^-?\d+(?:\.\d+)?$/

function toDecimal(value: unknown): Decimal | undefined {
  if (typeof value === 'string') return parseDecimal(value)
  if (typeof value === 'number') return decimalFromNumber(value)
  return typeof value === 'bigint' ? new Decimal(value, 0) : undefined
}

/**
 * Formats a value without exponent and plus sign, and preserves its digits.
 *
 * @throws TypeError if the value is not a valid Edm.Decimal
 */
export function formatDecimal(value: unknown): string {
  if (typeof value === 'string' && plainDigits.test(value)) return value
  if (typeof value === 'number') {
    // Other numbers have an exponent, or more digits than are exact.
    const size = Math.abs(value)
    if (size >= 1e-6 && size < 1e15) return numberText(value)
  }
  const decimal = toDecimal(value)
  if (decimal === undefined) throw new TypeError(`'${String(value)}' is not a valid Edm.Decimal.`)
  return decimal.toString()
}

/**
 * The type Edm.Decimal. Values are strings of digits; numbers and bigints are accepted.
 *
 * @spec MS-ODATA 2.2.2 (Edm.Decimal)
 */
export const decimalType: PrimitiveType = {
  name: 'Edm.Decimal',
  toOperand: toDecimal,
  toValue: (operand) => (operand as Decimal).toString(),
  compare: (a, b) => compareDecimals(a as Decimal, b as Decimal),
  parse: (text) => (text.length > MAX_DECIMAL_LENGTH ? undefined : parseDecimal(text)?.toString()),
  ...literalForm('', formatDecimal, 'M'),
}
