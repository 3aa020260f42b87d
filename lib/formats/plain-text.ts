import { formatDateTimeOffset } from '../edm/primitive-types/date-time-offset.js'
import { formatDateTime } from '../edm/primitive-types/date-time.js'
import { formatDecimal } from '../edm/primitive-types/decimal.js'
import { formatDouble, formatSingle } from '../edm/primitive-types/floating-point.js'
import type { IntegerTypeName } from '../edm/primitive-types/integer.js'
import { integerRanges } from '../edm/primitive-types/integer.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import { formatTime } from '../edm/primitive-types/time.js'
import { integerText } from '../util/number-text.js'
import { truncate } from '../util/truncate.js'

/** The text of a value that is not null. Throws when the value is none of the type. */
export type TextWriter = (value: unknown, precision?: number) => string

/**
 * The simple types as plain text: what stands between the tags of XML, before it is escaped, and what `$value`
 * answers.
 *
 * @spec MS-ODATA 2.2.6.2.1 (simple values in XML), 2.2.6.4 (raw values)
 */
export const plainText: Readonly<Record<PrimitiveTypeName, TextWriter>> = {
  'Edm.String': (value) => (typeof value === 'string' ? value : fault(value, 'Edm.String')),
  'Edm.Boolean': (value) => (typeof value === 'boolean' ? String(value) : fault(value, 'Edm.Boolean')),
  'Edm.Byte': integer('Edm.Byte'),
  'Edm.SByte': integer('Edm.SByte'),
  'Edm.Int16': integer('Edm.Int16'),
  'Edm.Int32': integer('Edm.Int32'),
  'Edm.Int64': (value) => (Number.isSafeInteger(value) ? integerText(value as number) : longInteger(value)),
  'Edm.Decimal': formatDecimal,
  'Edm.Double': (value) => formatDouble(operandOf(value, 'Edm.Double') as number),
  'Edm.Single': (value) => formatSingle(operandOf(value, 'Edm.Single') as number),
  'Edm.Guid': (value) => operandOf(value, 'Edm.Guid') as string,
  'Edm.Binary': (value) => base64(operandOf(value, 'Edm.Binary') as Uint8Array),
  'Edm.DateTime': formatDateTime,
  'Edm.DateTimeOffset': formatDateTimeOffset,
  'Edm.Time': formatTime,
}

/** What is wrong with a value that a provider returned. */
export function fault(value: unknown, type: PrimitiveTypeName): never {
  throw new TypeError(`The provider returned ${typeof value} '${truncate(String(value))}', not ${type}.`)
}

/** The operand of a value, or a fault when it has none. */
export function operandOf(value: unknown, type: PrimitiveTypeName): unknown {
  return primitiveTypes[type].toOperand(value) ?? fault(value, type)
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

function longInteger(value: unknown): string {
  const operand = BigInt(operandOf(value, 'Edm.Int64') as bigint | number)
  return BigInt.asIntN(64, operand) === operand ? String(operand) : fault(value, 'Edm.Int64')
}

function integer(type: IntegerTypeName): TextWriter {
  const [least, greatest] = integerRanges[type]
  return (value) => {
    const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
    return isWhole && value >= least && value <= greatest ? `${value}` : fault(value, type)
  }
}
