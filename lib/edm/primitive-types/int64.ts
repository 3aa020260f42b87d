import { compareNumbers } from './compare-operands.js'
import { literalForm } from './literal-form.js'
import type { PrimitiveType } from './primitive-type.js'

const digits = /^[+-]?\d+$/
const minimum = -(2n ** 63n)
const maximum = 2n ** 63n - 1n

/**
 * Whole numbers of 64 bits: bigint. Providers may also give a safe integer or a string of digits.
 *
 * @spec MS-ODATA 2.2.2 (Edm.Int64)
 */
export const int64Type: PrimitiveType = {
  name: 'Edm.Int64',
  toOperand(value) {
    if (typeof value === 'bigint' || Number.isSafeInteger(value)) return value as bigint | number
    return typeof value === 'string' && digits.test(value) ? BigInt(value.replace('+', '')) : undefined
  },
  toValue: (operand) => BigInt(operand as number | bigint),
  compare: compareNumbers,
  parse(text) {
    if (!digits.test(text)) return undefined
    const value = BigInt(text.replace('+', ''))
    return value >= minimum && value <= maximum ? value : undefined
  },
  ...literalForm('', String, 'L'),
}
