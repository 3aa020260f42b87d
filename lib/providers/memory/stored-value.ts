import { formatDecimal } from '../../edm/primitive-types/decimal.js'
import { describedRanges, integerRanges } from '../../edm/primitive-types/integer.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../edm/primitive-types/primitive-types.js'
import { describeValue } from '../../util/describe-value.js'

/**
 * Normalizes a value for storage: Int64 as bigint, Decimal as digits, points in time as Date, or as an ISO string if a
 * Date would lose precision. Dates and bytes are copied.
 *
 * @returns undefined if the value is not valid for the type
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
    case 'Edm.Int32': {
      const [min, max] = integerRanges[type]
      const number = Number(operand)
      // Adding zero turns -0 into 0.
      return number >= min && number <= max ? number + 0 : undefined
    }
    default:
      return toValue(operand)
  }
}

const acceptedValues: Readonly<Record<PrimitiveTypeName, string>> = {
  ...describedRanges,
  'Edm.Binary': 'a Uint8Array',
  'Edm.Boolean': 'true or false',
  'Edm.DateTime': "a Date or an ISO string such as '2012-05-29T09:13:28'",
  'Edm.DateTimeOffset': "a Date or an ISO string such as '2012-05-29T09:13:28+02:00'",
  'Edm.Decimal': "a string of digits such as '2.50', or a number",
  'Edm.Double': 'a number',
  'Edm.Guid': "a string such as '12345678-aaaa-bbbb-cccc-ddddeeeeffff'",
  'Edm.Int64': 'a bigint, a safe integer or a string of digits',
  'Edm.Single': 'a number',
  'Edm.String': 'a string',
  'Edm.Time': "a string such as '09:13:28'",
}

/** Returns the error message for a value that is not valid for a type. */
export function describeInvalid(type: PrimitiveTypeName, value: unknown): string {
  return `${describeValue(value)} is not a valid ${type}. Expected ${acceptedValues[type]}.`
}
