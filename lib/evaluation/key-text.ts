import { Decimal, normalizeDecimal } from '../edm/decimal.js'
import type { Property } from '../edm/edm-model.js'
import { Instant } from '../edm/instant.js'
import type { Operand } from '../edm/primitive-types/primitive-type.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'

/**
 * A text that is the same for values that are equal, for looking entities up in maps: by key, or by foreign key.
 *
 * @param values objects with the properties, for instance a row or a key
 * @returns undefined when a value is null, since null is equal to no key
 */
export function keyText(
  values: Readonly<Record<string, unknown>>,
  names: readonly string[],
  types: readonly PrimitiveTypeName[],
): string | undefined {
  const [name = '', ...others] = names
  const [type = 'Edm.String'] = types
  // Members that objects inherit under a name such as `toString` are not values: they count as null.
  if (others.length === 0) return valueText(values[name], type)
  let text = ''
  for (const [index, one] of names.entries()) {
    const part = valueText(values[one], types[index] ?? 'Edm.String')
    if (part === undefined) return undefined
    // The length in front keeps ('a','bc') and ('ab','c') apart.
    text += `${part.length}:${part}`
  }
  return text
}

/** The names and types of some properties, as {@link keyText} takes them. */
export function keyShape(properties: readonly Property[]): {
  readonly names: readonly string[]
  readonly types: readonly PrimitiveTypeName[]
} {
  return {
    names: properties.map(({ name }) => name),
    types: properties.map(({ type }) => type as PrimitiveTypeName),
  }
}

/** Types whose numbers do not have the text of the operand: 0.1 is not yet rounded to 32 bits. */
const rewritten: ReadonlySet<PrimitiveTypeName> = new Set(['Edm.Decimal', 'Edm.Single'])

function valueText(value: unknown, type: PrimitiveTypeName): string | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'string' && type === 'Edm.String') return value
  if (typeof value === 'number' && !rewritten.has(type)) return String(value + 0)
  const operand = primitiveTypes[type].toOperand(value)
  return operand === undefined ? undefined : operandText(operand)
}

/** Returns a string that is the same for equal operands of a type. */
export function operandText(operand: Operand): string {
  if (operand instanceof Decimal) return normalizeDecimal(operand).toString()
  if (operand instanceof Instant) return `${operand.milliseconds}.${operand.ticks}`
  if (operand instanceof Uint8Array) return Buffer.from(operand).toString('base64')
  return String(operand)
}
