import type { Instant } from '../instant.js'
import { compareInstants, formatFraction, formatSeconds, instantOfDate, parseInstant } from '../instant.js'
import { literalForm } from './literal-form.js'
import type { PrimitiveType } from './primitive-type.js'

function toInstant(value: unknown): Instant | undefined {
  if (value instanceof Date) return instantOfDate(value)
  return typeof value === 'string' ? parseInstant(value)?.instant : undefined
}

function format(instant: Instant, precision: number | undefined): string {
  const local = instant.milliseconds + instant.offset * 60_000
  return formatSeconds(local) + formatFraction(instant, precision) + formatOffset(instant.offset)
}

/** A Date when nothing is lost by it, else the ISO text with its zone. */
function toValue(instant: Instant): Date | string {
  return instant.ticks === 0 && instant.offset === 0
    ? new Date(instant.milliseconds)
    : format(instant, undefined)
}

/**
 * ISO 8601 with zone: `Z` or `+02:00`. Throws when the value is no point in time.
 *
 * @param precision exactly this many fraction digits; without it as many as are needed
 */
export function formatDateTimeOffset(value: unknown, precision?: number): string {
  const instant = toInstant(value)
  if (instant === undefined) throw new TypeError(`Not an Edm.DateTimeOffset: ${String(value)}`)
  return format(instant, precision)
}

/**
 * Points in time with the zone of whoever wrote them: a Date, or an ISO string with zone.
 *
 * @spec MS-ODATA 2.2.2 (Edm.DateTimeOffset)
 */
export const dateTimeOffsetType: PrimitiveType = {
  name: 'Edm.DateTimeOffset',
  toOperand: toInstant,
  toValue: (operand) => toValue(operand as Instant),
  compare: (a, b) => compareInstants(a as Instant, b as Instant),
  parse(text) {
    const parsed = parseInstant(text)
    return parsed?.zone !== undefined && parsed.fractionDigits <= 7 ? toValue(parsed.instant) : undefined
  },
  ...literalForm("datetimeoffset'", (value) => formatDateTimeOffset(value), "'"),
}

function formatOffset(minutes: number): string {
  if (minutes === 0) return 'Z'
  const absolute = Math.abs(minutes)
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(absolute / 60))}:${two(absolute % 60)}`
}
