import { Instant } from './instant.js'
import type { PrimitiveTypeName } from './primitive-types/primitive-type-name.js'
import { primitiveTypes } from './primitive-types/primitive-types.js'

/** The fraction digits of a second in Edm.DateTime, Edm.DateTimeOffset and Edm.Time. */
const MAX_DIGITS = 7

/** Truncates the fraction of a second of a point in time or a time of day; returns other values unchanged. */
export function truncateFraction(type: PrimitiveTypeName, value: unknown, digits = MAX_DIGITS): unknown {
  const { toOperand, toValue } = primitiveTypes[type]
  const operand = toOperand(value)
  const step = 10 ** Math.max(0, MAX_DIGITS - digits)
  if (type === 'Edm.Time' && typeof operand === 'number') return toValue(multiple(operand, step))
  if (!(operand instanceof Instant)) return value
  const { milliseconds, ticks, offset } = operand
  const wholeMilliseconds = multiple(milliseconds, 10 ** Math.max(0, 3 - digits))
  return toValue(new Instant(wholeMilliseconds, multiple(ticks, step), offset))
}

function multiple(value: number, of: number): number {
  return Math.floor(value / of) * of
}
