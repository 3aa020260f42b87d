import { Decimal, normalizeDecimal } from '../edm/decimal.js'
import type { Property } from '../edm/edm-model.js'
import { Instant } from '../edm/instant.js'
import type { Operand } from '../edm/primitive-types/primitive-type.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'

/**
 * Formats values so that equal values have equal strings, to look up entities in maps by their key or foreign key.
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
  // Inherited members such as `toString` are not values: they count as null.
  if (others.length === 0) return valueText(values[name], type)
  let text = ''
  for (const [index, one] of names.entries()) {
    const part = valueText(values[one], types[index] ?? 'Edm.String')
    if (part === undefined) return undefined
    // The length before each part distinguishes ('a','bc') from ('ab','c').
    text += `${part.length}:${part}`
  }
  return text
}

/** Returns the names and types of properties, for {@link keyText}. */
export function keyShape(properties: readonly Property[]): {
  readonly names: readonly string[]
  readonly types: readonly PrimitiveTypeName[]
} {
  return {
    names: properties.map(({ name }) => name),
    types: properties.map(({ type }) => type as PrimitiveTypeName),
  }
}

/** Types whose values must be converted to operands first: for example, 0.1 is rounded to 32 bits. */
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
