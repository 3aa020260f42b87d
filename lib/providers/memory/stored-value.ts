import { formatDecimal } from '../../edm/primitive-types/decimal.js'
import { integerRanges } from '../../edm/primitive-types/integer.js'
import type { Operand } from '../../edm/primitive-types/primitive-type.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../edm/primitive-types/primitive-types.js'
import { truncate } from '../../util/truncate.js'

/**
 * The one form in which the store holds values of a type, whichever form they were given in: an Int64 as bigint, a
 * Decimal as digits, a point in time as Date or, where that would lose something, as ISO text. What can be changed
 * from outside, a Date or bytes, is copied.
 *
 * @returns undefined when the value is none of the type
 */
export function storedValue(type: PrimitiveTypeName, value: unknown): unknown {
  const { toOperand, toValue } = primitiveTypes[type]
  const operand = toOperand(value)
  if (operand === undefined) return undefined
  switch (type) {
    case 'Edm.Decimal':
      return formatDecimal(value)
    case 'Edm.Binary':
      return new Uint8Array(operand as Uint8Array)
    case 'Edm.Byte':
    case 'Edm.SByte':
    case 'Edm.Int16':
    case 'Edm.Int32':
      return wholeNumber(operand, integerRanges[type])
    default:
      return toValue(operand)
  }
}

function wholeNumber(operand: Operand, [least, greatest]: readonly [number, number]): unknown {
  const number = Number(operand)
  // Adding zero takes the sign from a negative one.
  return number >= least && number <= greatest ? number + 0 : undefined
}

/** What to write where a value of a type is wanted. */
export const expectedValue: Readonly<Record<PrimitiveTypeName, string>> = {
  'Edm.Binary': 'a Uint8Array',
  'Edm.Boolean': 'true or false',
  'Edm.Byte': 'a whole number from 0 to 255',
  'Edm.DateTime': "a Date or an ISO string such as '2012-05-29T09:13:28'",
  'Edm.DateTimeOffset': "a Date or an ISO string such as '2012-05-29T09:13:28+02:00'",
  'Edm.Decimal': "a string of digits such as '2.50', or a number",
  'Edm.Double': 'a number',
  'Edm.Guid': "a string such as '12345678-aaaa-bbbb-cccc-ddddeeeeffff'",
  'Edm.Int16': 'a whole number from -32768 to 32767',
  'Edm.Int32': 'a whole number from -2147483648 to 2147483647',
  'Edm.Int64': 'a bigint, a safe integer or a string of digits',
  'Edm.SByte': 'a whole number from -128 to 127',
  'Edm.Single': 'a number',
  'Edm.String': 'a string',
  'Edm.Time': "a string such as '09:13:28'",
}

/** A value as messages show it: short, and telling strings from numbers. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return `'${truncate(value, 40)}'`
  if (Array.isArray(value)) return 'an array'
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : value.toISOString()
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}
