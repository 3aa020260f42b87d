import { Decimal, normalizeDecimal } from './decimal.js'
import type { Property } from './edm-model.js'
import type { PrimitiveTypeName } from './primitive-types/primitive-type-name.js'
import { isNumeric } from './primitive-types/primitive-type-name.js'
import { primitiveTypes } from './primitive-types/primitive-types.js'

/** Returns true if values of both properties can be compared: they have one type, or are numbers. */
export function areComparable({ type }: Property, { type: other }: Property): boolean {
  const isNumber = (one: Property['type']): boolean => typeof one === 'string' && isNumeric(one)
  return type === other || (isNumber(type) && isNumber(other))
}

/**
 * Converts a key to the type of a foreign key, or vice versa: the string `7` of an Edm.Decimal to the number 7 of an
 * Edm.Int32.
 *
 * @returns the unchanged value if both properties have one type; undefined if the type cannot hold the number
 */
export function convertKey(value: unknown, from: Property, to: Property): unknown {
  if (from.type === to.type || value === null || value === undefined) return value
  const operand = primitiveTypes[from.type as PrimitiveTypeName].toOperand(value)
  if (operand === undefined) return undefined
  const number = operand instanceof Decimal ? normalizeDecimal(operand) : (operand as number | bigint)
  const text = number.toString()
  return primitiveTypes[to.type as PrimitiveTypeName].parse(text)
}
