import {
  compareInstants,
  earliest,
  latest,
  formatFraction,
  formatMilliseconds,
  formatSeconds,
  Instant,
  instantOfDate,
  parseInstant,
  plainMilliseconds,
} from '../instant.js'
import { literalForm } from './literal-form.js'
import type { PrimitiveType } from './primitive-type.js'

function toInstant(value: unknown): Instant | undefined {
  if (value instanceof Date) return instantOfDate(value)
  if (typeof value !== 'string') return undefined
  const plain = plainMilliseconds(value)
  if (plain !== undefined) return new Instant(plain)
  const instant = parseInstant(value)?.instant
  return instant === undefined ? undefined : new Instant(instant.milliseconds, instant.ticks)
}

/** A Date when milliseconds are enough, else the ISO text: JavaScript's Date would lose the rest. */
function toValue(instant: Instant): Date | string {
  return instant.ticks === 0
    ? new Date(instant.milliseconds)
    : formatSeconds(instant.milliseconds) + formatFraction(instant, undefined)
}

/**
 * ISO 8601 without zone. Throws when the value is no point in time.
 *
 * @param precision exactly this many fraction digits; without it as many as are needed
 */
export function formatDateTime(value: unknown, precision?: number): string {
  if (precision === 3 && value instanceof Date && isFourDigitYear(value))
    return formatMilliseconds(value.getTime())
  // With three digits behind the second it is as it should be already.
  if (
    precision === 3 &&
    typeof value === 'string' &&
    value.length === 23 &&
    plainMilliseconds(value) !== undefined
  )
    return value
  const instant = toInstant(value)
  if (instant === undefined) throw new TypeError(`Not an Edm.DateTime: ${String(value)}`)
  return formatSeconds(instant.milliseconds) + formatFraction(instant, precision)
}

/**
 * Points in time without a zone: a Date whose UTC fields are meant, or an ISO string without zone when more than
 * milliseconds matter.
 *
 * @spec MS-ODATA 2.2.2 (Edm.DateTime)
 */
export const dateTimeType: PrimitiveType = {
  name: 'Edm.DateTime',
  toOperand: toInstant,
  toValue: (operand) => toValue(operand as Instant),
  compare: (a, b) => compareInstants(a as Instant, b as Instant),
  parse(text) {
    const parsed = parseInstant(text)
    // A trailing Z is harmless; an offset would ask for a conversion that the type does not know.
    const plain = parsed?.zone === undefined || parsed.zone === 'Z' || parsed.zone === 'z'
    return parsed !== undefined && plain && parsed.fractionDigits <= 7 ? toValue(parsed.instant) : undefined
  },
  ...literalForm("datetime'", (value) => formatDateTime(value), "'"),
}

/** The years that a Date writes as the protocol does. */
function isFourDigitYear(date: Date): boolean {
  const milliseconds = date.getTime()
  return milliseconds >= earliest && milliseconds <= latest
}
