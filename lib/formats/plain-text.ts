import { formatDateTime, formatDateTimeOffset } from '../edm/primitive-types/date-time.js'
import { formatDecimal } from '../edm/primitive-types/decimal.js'
import { formatDouble, formatSingle } from '../edm/primitive-types/floating-point.js'
import type { IntegerTypeName } from '../edm/primitive-types/integer.js'
import { describedRanges, integerRanges } from '../edm/primitive-types/integer.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { lowerCaseGuid, primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import { formatTime } from '../edm/primitive-types/time.js'
import { integerText } from '../util/number-text.js'
import { truncate } from '../util/describe-value.js'
import type { Property } from '../edm/edm-model.js'
import type { ByteWriter } from '../util/byte-writer.js'

/** Formats a value that is not null. @throws TypeError for a value that is invalid for the type */
export type FormatText = (value: unknown, precision?: number) => string

/** Adds the text of a cell to bytes. Returns false for a cell that has to be formatted. */
export type AddCell = (out: ByteWriter, cell: unknown) => boolean

/**
 * Formats simple values as text, for elements of XML, before they are escaped, and for `$value`.
 *
 * @spec MS-ODATA 2.2.6.2.1 (simple values in XML), 2.2.6.4 (raw values)
 */
export const formatText: Readonly<Record<PrimitiveTypeName, FormatText>> = {
  'Edm.String': (value) => (typeof value === 'string' ? value : throwInvalidValue(value, 'Edm.String')),
  'Edm.Boolean': (value) =>
    typeof value === 'boolean' ? String(value) : throwInvalidValue(value, 'Edm.Boolean'),
  'Edm.Byte': integer('Edm.Byte'),
  'Edm.SByte': integer('Edm.SByte'),
  'Edm.Int16': integer('Edm.Int16'),
  'Edm.Int32': integer('Edm.Int32'),
  'Edm.Int64': (value) => {
    if (typeof value === 'string' && canonicalInteger.test(value)) return value
    const number = typeof value === 'bigint' ? Number(value) : value
    return Number.isSafeInteger(number) ? integerText(number as number) : longInteger(value)
  },
  'Edm.Decimal': formatDecimal,
  'Edm.Double': (value) =>
    typeof value === 'number' ? formatDouble(value) : throwInvalidValue(value, 'Edm.Double'),
  'Edm.Single': (value) => formatSingle(toOperand(value, 'Edm.Single') as number),
  'Edm.Guid': (value) =>
    typeof value === 'string' && lowerCaseGuid.test(value) ? value : (toOperand(value, 'Edm.Guid') as string),
  'Edm.Binary': (value) => base64(toOperand(value, 'Edm.Binary') as Uint8Array),
  'Edm.DateTime': formatDateTime,
  'Edm.DateTimeOffset': formatDateTimeOffset,
  'Edm.Time': formatTime,
}

/** Whole numbers of up to 18 digits, which are within 64 bits, as they are serialized. */
const canonicalInteger = /^(?:0|-?[1-9]\d{0,17})$/

/** Throws the error for an invalid value of a provider. */
export function throwInvalidValue(value: unknown, type: PrimitiveTypeName): never {
  throw new TypeError(`The provider returned ${typeof value} '${truncate(String(value))}', not ${type}.`)
}

/** Converts a value to an operand. @throws TypeError for a value that is invalid for the type */
export function toOperand(value: unknown, type: PrimitiveTypeName): unknown {
  return primitiveTypes[type].toOperand(value) ?? throwInvalidValue(value, type)
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

function longInteger(value: unknown): string {
  const operand = BigInt(toOperand(value, 'Edm.Int64') as bigint | number)
  return BigInt.asIntN(64, operand) === operand ? String(operand) : throwInvalidValue(value, 'Edm.Int64')
}

function integer(type: IntegerTypeName): FormatText {
  const [least, greatest] = integerRanges[type]
  return (value) => {
    const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
    return isWhole && value >= least && value <= greatest ? `${value}` : throwInvalidValue(value, type)
  }
}

/** The response of `$value`. */
interface RawValue {
  readonly contentType: string
  readonly body: string | Uint8Array
}

export const PLAIN_TEXT_TYPE = 'text/plain;charset=utf-8'

/**
 * Formats the value of a property for `$value`: as text, or as bytes.
 *
 * @spec MS-ODATA 2.2.6.4.1 (raw values)
 */
export function rawValue(
  type: PrimitiveTypeName,
  value: unknown,
  property: Pick<Property, 'mimeType' | 'precision'> = {},
): RawValue {
  if (type === 'Edm.Binary') {
    const contentType = property.mimeType ?? 'application/octet-stream'
    return { contentType, body: toOperand(value, type) as Uint8Array }
  }
  return {
    contentType: property.mimeType ?? PLAIN_TEXT_TYPE,
    body: formatText[type](value, property.precision),
  }
}

/** Maximum length of values other than strings and bytes. Parsing long numbers takes more than linear time. */
const MAX_TEXT_LENGTH = 400

/**
 * Parses the text of an XML element or a JSON string: the inverse of {@link formatText}.
 *
 * @returns undefined when the text is invalid for the type
 * @spec MS-ODATA 2.2.6.2.1
 */
export function parseText(type: PrimitiveTypeName, text: string): unknown {
  if (type === 'Edm.String') return text
  if (type === 'Edm.Binary') return bytesOfBase64(text)
  return text.length > MAX_TEXT_LENGTH ? undefined : primitiveTypes[type].parse(text)
}

/** Describes valid values of each type, for error messages. */
export const valueExamples: Readonly<Record<PrimitiveTypeName, string>> = {
  ...describedRanges,
  'Edm.Binary': "base64 such as 'D6A='",
  'Edm.Boolean': 'true or false',
  'Edm.DateTime': "a time without zone such as '2012-05-29T09:13:28'",
  'Edm.DateTimeOffset': "a time with zone such as '2012-05-29T09:13:28Z'",
  'Edm.Decimal': "digits such as '2.50'",
  'Edm.Double': "a number such as '2.5', 'NaN', 'INF' or '-INF'",
  'Edm.Guid': "digits such as '12345678-aaaa-bbbb-cccc-ddddeeeeffff'",
  'Edm.Int64': "the digits of a whole number of 64 bits such as '5'",
  'Edm.Single': "a number of 32 bits such as '2.5', 'NaN', 'INF' or '-INF'",
  'Edm.String': 'a string',
  'Edm.Time': "a time of day such as 'PT09H13M28S'",
}

/** Accepts line breaks anywhere, but no missing or superfluous characters at the end. */
function bytesOfBase64(text: string): Uint8Array | undefined {
  const digits = /\s/.test(text) ? text.replace(/\s+/g, '') : text
  const padding = digits.endsWith('==') ? 2 : digits.endsWith('=') ? 1 : 0
  const end = digits.length - padding
  if (digits.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(digits.slice(0, end))) return undefined
  return new Uint8Array(Buffer.from(digits, 'base64'))
}
