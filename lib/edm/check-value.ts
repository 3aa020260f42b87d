import { truncate } from '../util/truncate.js'
import { decimalFromNumber, Decimal, parseDecimal } from './decimal.js'
import type { Property } from './edm-model.js'
import { isPrimitive } from './edm-model.js'
import { integerRanges } from './primitive-types/integer.js'
import type { PrimitiveTypeName } from './primitive-types/primitive-type-name.js'
import { primitiveTypes } from './primitive-types/primitive-types.js'

/** What a value is checked against: a simple property, or a parameter with the same facets. */
export type CheckedProperty = Pick<
  Property,
  'name' | 'type' | 'nullable' | 'maxLength' | 'fixedLength' | 'unicode' | 'precision' | 'scale'
>

/** The least and the greatest value of the whole-number types. */
const ranges: Partial<
  Record<PrimitiveTypeName, readonly [least: number | bigint, greatest: number | bigint]>
> = {
  ...integerRanges,
  'Edm.Int64': [-(2n ** 63n), 2n ** 63n - 1n],
}

/** Edm.Decimal holds numbers of up to 255 digits. */
const mostDecimalDigits = 255

/**
 * What is wrong with a value for a simple property: not of its type, out of the range of the type, or against a facet.
 *
 * @param value a JavaScript value as providers take it; undefined counts as null
 * @returns nothing when the value may be stored; else the end of a sentence that begins with the property
 * @throws TypeError when the property is complex
 * @example
 * const fault = valueFault(property, 'Gouda')
 * if (fault !== undefined) throw new ODataError('BadRequest', { message: `'${path}' ${fault}.` })
 * // 'Dims/Unit' must not be longer than 4 characters; 'Gouda' has 5.
 * @spec MC-CSDL 2.2.1 (facets of the simple types), MS-ODATA 2.2.2
 */
export function valueFault(property: CheckedProperty, value: unknown): string | undefined {
  const { name, type, nullable } = property
  if (!isPrimitive(type)) throw new TypeError(`'${name}' is not a simple property.`)
  if (value === null || value === undefined) return nullable ? undefined : 'must not be null'
  const operand = primitiveTypes[type].toOperand(value)
  if (operand === undefined) return `must be of type ${type}, which ${shown(value)} is not`
  switch (type) {
    case 'Edm.String':
      return stringFault(property, value as string)
    case 'Edm.Binary':
      return lengthFault(property, value, (value as Uint8Array).length, 'bytes')
    case 'Edm.Decimal':
      return decimalFault(property, value)
    case 'Edm.Single':
      return singleFault(value as number, operand as number)
    default:
      return rangeFault(type, operand as number | bigint)
  }
}

function rangeFault(type: PrimitiveTypeName, operand: number | bigint): string | undefined {
  const range = ranges[type]
  if (range === undefined) return undefined
  const [least, greatest] = range
  return operand < least || operand > greatest
    ? `must be from ${least} to ${greatest}, not ${operand}`
    : undefined
}

/** Infinity may be written, but no number may become it by being too large. */
function singleFault(value: number, single: number): string | undefined {
  return Number.isFinite(value) && !Number.isFinite(single)
    ? `must be a number that 32 bits can hold, not ${value}`
    : undefined
}

function stringFault(property: CheckedProperty, text: string): string | undefined {
  if (!text.isWellFormed()) return 'must be Unicode text; it has one half of a surrogate pair'
  const fault = lengthFault(property, text, text.length, 'characters')
  if (fault !== undefined || property.unicode !== false) return fault
  const index = text.search(/[^\u0000-\u007f]/)
  return index < 0
    ? undefined
    : `must be ASCII text; '${String.fromCodePoint(text.codePointAt(index) ?? 0)}' is not ASCII`
}

function lengthFault(
  { maxLength, fixedLength }: CheckedProperty,
  value: unknown,
  length: number,
  unit: string,
): string | undefined {
  if (typeof maxLength !== 'number') return undefined
  if (length > maxLength) return `must not be longer than ${maxLength} ${unit}; ${shown(value)} has ${length}`
  if (fixedLength !== true || length === maxLength) return undefined
  return `must be exactly ${maxLength} ${unit} long; ${shown(value)} has ${length}`
}

/** Zeros at the end of a fraction do not count: 2.500 is 2.5. */
function decimalFault({ precision, scale }: CheckedProperty, value: unknown): string | undefined {
  const { before, behind } = digitsOf(value as string | number | bigint)
  if (before > mostDecimalDigits || behind > mostDecimalDigits) {
    return `must not have more than ${mostDecimalDigits} digits before or behind the point`
  }
  if (scale !== undefined && behind > scale) {
    return `must not have more than ${scale} digits behind the point; ${shown(value)} has ${behind}`
  }
  if (precision === undefined) return undefined
  const mostBefore = precision - (scale ?? 0)
  if (before > mostBefore) {
    return `must not have more than ${mostBefore} digits before the point; ${shown(value)} has ${before}`
  }
  if (before + behind <= precision) return undefined
  return `must not have more than ${precision} digits; ${shown(value)} has ${before + behind}`
}

/** How many digits count before and behind the point; `toOperand` has accepted the value. */
function digitsOf(value: string | number | bigint): { before: number; behind: number } {
  const decimal =
    typeof value === 'bigint'
      ? new Decimal(value, 0)
      : typeof value === 'number'
        ? decimalFromNumber(value)
        : parseDecimal(value)
  const [, whole = '', fraction = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(String(decimal)) ?? []
  let behind = fraction.length
  while (behind > 0 && fraction[behind - 1] === '0') behind--
  return { before: whole === '0' ? 0 : whole.length, behind }
}

/** A value as messages show it: short. */
function shown(value: unknown): string {
  if (typeof value === 'string') return `'${truncate(value, 40)}'`
  if (value instanceof Uint8Array) return 'the value'
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : value.toISOString()
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
    return String(value).slice(0, 60)
  }
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`
}
