import { Instant } from './instant.js'
import type { PrimitiveTypeName } from './primitive-types/primitive-type-name.js'
import { primitiveTypes } from './primitive-types/primitive-types.js'

/** The fraction digits of a second in Edm.DateTime, Edm.DateTimeOffset and Edm.Time. */
const MAX_DIGITS = 7
const TICKS_PER_SECOND = 10 ** MAX_DIGITS

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

/** Returns the number of fraction digits of a second without trailing zeros in a point in time or a time of day. */
export function fractionDigits(operand: unknown): number {
  const ticks =
    operand instanceof Instant
      ? (operand.milliseconds - multiple(operand.milliseconds, 1000)) * 10_000 + operand.ticks
      : Number(operand) % TICKS_PER_SECOND
  let digits = MAX_DIGITS
  for (let rest = ticks; digits > 0 && rest % 10 === 0; rest /= 10) digits--
  return digits
}

/** Returns true if a point in time or a time of day has more fraction digits of a second. */
export function exceedsFraction(type: PrimitiveTypeName, value: unknown, digits: number): boolean {
  return (
    value !== null && value !== undefined && fractionDigits(primitiveTypes[type].toOperand(value)) > digits
  )
}

function multiple(value: number, of: number): number {
  return Math.floor(value / of) * of
}
