import type { EntitySet, Property } from '../edm/edm-model.js'
import { Instant } from '../edm/instant.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'
import type { Row } from '../evaluation/row.js'
import { isSameValue } from '../evaluation/write-values.js'

/**
 * Returns true if a client sends back the value of a simple property as a response represented it. Responses can lose
 * digits of stored times: JSON has milliseconds, XML has the precision of the property.
 */
export function isSameAsShown(property: Property, given: unknown, stored: unknown): boolean {
  const [a, b] = [given ?? null, stored ?? null]
  if (a === null || b === null) return a === b
  if (isSameValue(property, a, b)) return true
  const { type, precision = 7 } = property
  if (type !== 'Edm.DateTime' && type !== 'Edm.DateTimeOffset') return false
  return [3, precision].some((digits) => isSameValue(property, a, truncated(type, b, digits)))
}

/**
 * Removes dates of the key from the values of an update if the client sends them back as a response represented them.
 */
export function withoutShownKey({ entityType }: EntitySet, values: Row, current: Row): Row {
  const isShown = (property: Property): boolean =>
    (property.type === 'Edm.DateTime' || property.type === 'Edm.DateTimeOffset') &&
    Object.hasOwn(values, property.name) &&
    isSameAsShown(property, values[property.name], current[property.name])
  const shown = new Set(entityType.key.filter(isShown).map(({ name }) => name))
  return shown.size === 0
    ? values
    : Object.fromEntries(Object.entries(values).filter(([name]) => !shown.has(name)))
}

/** Truncates the fraction of a second of a point in time to a number of digits. */
function truncated(type: PrimitiveTypeName, value: unknown, digits: number): unknown {
  const { toOperand, toValue } = primitiveTypes[type]
  const instant = toOperand(value)
  if (!(instant instanceof Instant)) return value
  const { milliseconds, ticks, offset } = instant
  const wholeMilliseconds = multiple(milliseconds, 10 ** Math.max(0, 3 - digits))
  const wholeTicks = multiple(ticks, 10 ** Math.max(0, 7 - digits))
  return toValue(new Instant(wholeMilliseconds, wholeTicks, offset))
}

function multiple(value: number, of: number): number {
  return Math.floor(value / of) * of
}
