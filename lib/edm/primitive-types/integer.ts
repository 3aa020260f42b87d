import { compareNumbers } from './compare-operands.js'
import { literalForm } from './literal-form.js'
import type { PrimitiveType } from './primitive-type.js'

const digits = /^[+-]?\d+$/

/** The whole-number types that fit a JavaScript number. */
export type IntegerTypeName = 'Edm.Byte' | 'Edm.SByte' | 'Edm.Int16' | 'Edm.Int32'

/** The least and the greatest value of these types. */
export const integerRanges: Readonly<Record<IntegerTypeName, readonly [least: number, greatest: number]>> = {
  'Edm.Byte': [0, 255],
  'Edm.SByte': [-128, 127],
  'Edm.Int16': [-32_768, 32_767],
  'Edm.Int32': [-2_147_483_648, 2_147_483_647],
}

/** The types differ only in their range. */
function integerType(name: IntegerTypeName): PrimitiveType {
  const [minimum, maximum] = integerRanges[name]
  return {
    name,
    // The range is checked where values are stored or sent: numbers beyond it can be compared.
    toOperand: (value) =>
      Number.isInteger(value) || typeof value === 'bigint' ? (value as number | bigint) : undefined,
    toValue: (operand) => operand,
    compare: compareNumbers,
    parse(text) {
      if (!digits.test(text)) return undefined
      const value = Number(text)
      return value >= minimum && value <= maximum ? value + 0 : undefined
    },
    ...literalForm('', String, ''),
  }
}

/** @spec MS-ODATA 2.2.2 (Edm.Byte) */
export const byteType = integerType('Edm.Byte')

/** @spec MS-ODATA 2.2.2 (Edm.SByte) */
export const sByteType = integerType('Edm.SByte')

/** @spec MS-ODATA 2.2.2 (Edm.Int16) */
export const int16Type = integerType('Edm.Int16')

/** @spec MS-ODATA 2.2.2 (Edm.Int32) */
export const int32Type = integerType('Edm.Int32')

const int64Minimum = -(2n ** 63n)
const int64Maximum = 2n ** 63n - 1n

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
    return value >= int64Minimum && value <= int64Maximum ? value : undefined
  },
  ...literalForm('', String, 'L'),
}
