import { describeValue } from '../util/describe-value.js'
import type { Decimal } from './decimal.js'
import { normalizeDecimal } from './decimal.js'
import type { Property } from './edm-model.js'
import { isPrimitive } from './edm-model.js'
import { INT64_RANGE, integerRanges } from './primitive-types/integer.js'
import type { PrimitiveTypeName } from './primitive-types/primitive-type-name.js'
import { primitiveTypes } from './primitive-types/primitive-types.js'
import { fractionDigits } from './truncate-fraction.js'

/** The type and facets of a simple property or parameter. */
export type CheckedProperty = Pick<
  Property,
  'name' | 'type' | 'nullable' | 'maxLength' | 'fixedLength' | 'unicode' | 'precision' | 'scale'
>

/** The minimum and maximum of the integer types. */
const ranges: Partial<Record<PrimitiveTypeName, readonly [min: number | bigint, max: number | bigint]>> = {
  ...integerRanges,
  'Edm.Int64': INT64_RANGE,
}

/** The maximum number of digits of an Edm.Decimal before and after the decimal point. */
const MAX_DECIMAL_DIGITS = 255

/**
 * Checks the type, range and facets of a value for a simple property.
 *
 * @param value a JavaScript value as it is passed to providers; undefined is null
 * @returns undefined for a valid value; otherwise the rest of a sentence that starts with the property
 * @throws TypeError if the property is complex
 * @example
 * const violation = valueViolation(property, 'Gouda')
 * if (violation !== undefined) throw new ODataError('BadRequest', { message: `'Dims/Unit' ${violation}.` })
 * // 'Dims/Unit' must not be longer than 4 characters; 'Gouda' has 5.
 * @spec MC-CSDL 2.2.1 (facets of the simple types), MS-ODATA 2.2.2
 */
export function valueViolation(property: CheckedProperty, value: unknown): string | undefined {
  const { name, type, nullable } = property
  if (!isPrimitive(type)) throw new TypeError(`'${name}' is not a simple property.`)
  if (value === null || value === undefined) return nullable ? undefined : 'must not be null'
  const operand = primitiveTypes[type].toOperand(value)
  if (operand === undefined) return `must be of type ${type}, not ${describeValue(value)}`
  switch (type) {
    case 'Edm.String':
      return stringViolation(property, value as string)
    case 'Edm.Binary':
      return lengthViolation(property, value, (value as Uint8Array).length, 'bytes')
    case 'Edm.Decimal':
      return decimalViolation(property, operand as Decimal, value)
    case 'Edm.Single':
      return singleViolation(value as number, operand as number)
    default:
      return rangeViolation(type, operand as number | bigint)
  }
}

/**
 * Checks the fraction digits of a date or time against its Precision. This is not part of {@link valueViolation},
 * because stored values can have more digits, and clients send them back.
 *
 * @returns undefined without a violation; otherwise the rest of a sentence that starts with the property
 */
export function fractionViolation({ type, precision }: CheckedProperty, value: unknown): string | undefined {
  if (precision === undefined || value === null || value === undefined || !isTemporal(type)) return undefined
  const digits = fractionDigits(primitiveTypes[type].toOperand(value))
  return digits > precision
    ? `must not have more than ${precision} fraction digits of a second; ${describeValue(value)} has ${digits}. Send fewer digits, or raise the Precision in the model`
    : undefined
}

/** Returns true for the types whose Precision is a number of fraction digits of a second. */
export function isTemporal(
  type: Property['type'],
): type is 'Edm.DateTime' | 'Edm.DateTimeOffset' | 'Edm.Time' {
  return type === 'Edm.DateTime' || type === 'Edm.DateTimeOffset' || type === 'Edm.Time'
}

function rangeViolation(type: PrimitiveTypeName, operand: number | bigint): string | undefined {
  const range = ranges[type]
  if (range === undefined) return undefined
  const [min, max] = range
  return operand < min || operand > max ? `must be from ${min} to ${max}, not ${operand}` : undefined
}

/** Returns true for a number that is not a value of a numeric type. */
export function isOutOfRange(type: PrimitiveTypeName, value: number | bigint): boolean {
  const range = ranges[type]
  if (range !== undefined) return !(value >= range[0] && value <= range[1])
  return type === 'Edm.Decimal' && typeof value === 'number' && !Number.isFinite(value)
}

/** Accepts infinity, but not numbers that overflow to it. */
function singleViolation(value: number, single: number): string | undefined {
  return Number.isFinite(value) && !Number.isFinite(single)
    ? `must be in the range of 32-bit floating-point numbers, not ${value}`
    : undefined
}

function stringViolation(property: CheckedProperty, text: string): string | undefined {
  if (!text.isWellFormed()) return 'must be well-formed Unicode; it has a lone surrogate'
  // A string has at most as many characters as UTF-16 units.
  const isCounted = property.fixedLength === true || text.length > Number(property.maxLength)
  const length = isCounted ? lengthOf(text) : text.length
  const violation = lengthViolation(property, text, length, 'characters')
  if (violation !== undefined || property.unicode !== false) return violation
  const [character] = /[^\u0000-\u007f]/u.exec(text) ?? []
  return character === undefined ? undefined : `must be ASCII text; '${character}' is not ASCII`
}

/** Returns the number of code points, which databases count: `varchar(1)` stores U+1F600. */
export function lengthOf(text: string): number {
  let length = text.length
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xd800) length--
  return length
}

function lengthViolation(
  { maxLength, fixedLength }: CheckedProperty,
  value: unknown,
  length: number,
  unit: string,
): string | undefined {
  if (typeof maxLength !== 'number') return undefined
  const isTooLong = length > maxLength
  if (!isTooLong && (fixedLength !== true || length === maxLength)) return undefined
  const rule = isTooLong ? `not be longer than ${maxLength} ${unit}` : `be exactly ${maxLength} ${unit} long`
  return `must ${rule}; ${typeof value === 'string' ? describeValue(value) : 'the value'} has ${length}`
}

function decimalViolation(
  { precision, scale }: CheckedProperty,
  decimal: Decimal,
  value: unknown,
): string | undefined {
  const { coefficient, scale: after } = normalizeDecimal(decimal)
  const digits = coefficient === 0n ? 0 : String(coefficient).replace('-', '').length
  const before = Math.max(digits - after, 0)
  if (before > MAX_DECIMAL_DIGITS || after > MAX_DECIMAL_DIGITS) {
    return `must not have more than ${MAX_DECIMAL_DIGITS} digits before or after the decimal point`
  }
  const tooMany = (max: number, unit: string, count: number): string =>
    `must not have more than ${max} ${unit}; ${describeValue(value)} has ${count}`
  if (scale !== undefined && after > scale) return tooMany(scale, 'digits after the decimal point', after)
  if (precision === undefined) return undefined
  const maxBefore = precision - (scale ?? 0)
  if (before > maxBefore) return tooMany(maxBefore, 'digits before the decimal point', before)
  return before + after > precision ? tooMany(precision, 'digits', before + after) : undefined
}
