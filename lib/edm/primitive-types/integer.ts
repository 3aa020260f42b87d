import { compareNumbers, literalForm } from './primitive-type.js'
import type { PrimitiveType } from './primitive-type.js'

const digits = /^[+-]?\d+$/

/** The integer types whose values are JavaScript numbers. */
export type IntegerTypeName = 'Edm.Byte' | 'Edm.SByte' | 'Edm.Int16' | 'Edm.Int32'

/** The minimum and maximum of each type. */
export const integerRanges: Readonly<Record<IntegerTypeName, readonly [min: number, max: number]>> = {
  'Edm.Byte': [0, 255],
  'Edm.SByte': [-128, 127],
  'Edm.Int16': [-32_768, 32_767],
  'Edm.Int32': [-2_147_483_648, 2_147_483_647],
}

function integerType(name: IntegerTypeName): PrimitiveType {
  const [min, max] = integerRanges[name]
  return {
    name,
    // Not checked for the range: results of expressions may exceed it. Stored and sent values are checked elsewhere.
    toOperand: (value) =>
      Number.isInteger(value) || typeof value === 'bigint' ? (value as number | bigint) : undefined,
    toValue: (operand) => operand,
    compare: compareNumbers,
    parse(text) {
      if (!digits.test(text)) return undefined
      const value = Number(text)
      return value >= min && value <= max ? value + 0 : undefined
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

/** The minimum and maximum of Edm.Int64. */
export const INT64_RANGE = [-(2n ** 63n), 2n ** 63n - 1n] as const

/** The maximum of each integer type. */
export const integerMaxima: ReadonlyMap<unknown, bigint> = new Map([
  ...Object.entries(integerRanges).map(([type, [, max]]) => [type, BigInt(max)] as const),
  ['Edm.Int64', INT64_RANGE[1]] as const,
])

/** Describes the valid values of each type, for error messages: `a whole number from 0 to 255`. */
export const describedRanges = Object.fromEntries(
  Object.entries(integerRanges).map(([type, [min, max]]) => [type, `a whole number from ${min} to ${max}`]),
) as Readonly<Record<IntegerTypeName, string>>

/**
 * The type Edm.Int64. Values are bigints; safe integers and strings of digits are accepted.
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
    return value >= INT64_RANGE[0] && value <= INT64_RANGE[1] ? value : undefined
  },
  ...literalForm('', String, 'L'),
}
