import {
  compareInstants,
  formatFraction,
  formatMilliseconds,
  formatSeconds,
  Instant,
  instantOfDate,
  isValidTime,
  parseInstant,
  plainMilliseconds,
} from '../instant.js'
import type { PrimitiveType } from './primitive-type.js'
import { literalForm } from './primitive-type.js'

/** Literals have at most this many fraction digits. */
const MAX_FRACTION_DIGITS = 7

/**
 * The type Edm.DateTime, a point in time without a time zone. Values are Dates, whose UTC fields count, or ISO strings
 * without time zone if they are more precise than milliseconds.
 *
 * @spec MS-ODATA 2.2.2 (Edm.DateTime)
 */
export const dateTimeType: PrimitiveType = {
  name: 'Edm.DateTime',
  toOperand: toLocalInstant,
  toValue: (operand) => dateTimeValue(operand as Instant),
  compare: (a, b) => compareInstants(a as Instant, b as Instant),
  parse(text) {
    const parsed = parseInstant(text)
    // Clients may append a Z, but an offset would require a conversion that the type does not have.
    const isLocal = parsed?.zone === undefined || parsed.zone === 'Z' || parsed.zone === 'z'
    if (parsed === undefined || !isLocal || parsed.fractionDigits > MAX_FRACTION_DIGITS) return undefined
    return dateTimeValue(parsed.instant)
  },
  ...literalForm("datetime'", (value) => formatDateTime(value), "'"),
}

/**
 * The type Edm.DateTimeOffset, a point in time with the offset of its origin from UTC. Values are Dates, or ISO strings
 * with time zone.
 *
 * @spec MS-ODATA 2.2.2 (Edm.DateTimeOffset)
 */
export const dateTimeOffsetType: PrimitiveType = {
  name: 'Edm.DateTimeOffset',
  toOperand: toInstant,
  toValue: (operand) => dateTimeOffsetValue(operand as Instant),
  compare: (a, b) => compareInstants(a as Instant, b as Instant),
  parse(text) {
    const parsed = parseInstant(text)
    if (parsed?.zone === undefined || parsed.fractionDigits > MAX_FRACTION_DIGITS) return undefined
    return dateTimeOffsetValue(parsed.instant)
  },
  ...literalForm("datetimeoffset'", (value) => formatDateTimeOffset(value), "'"),
}

/**
 * Formats a value as ISO 8601 without time zone.
 *
 * @param precision the number of fraction digits; by default as many as are needed
 * @throws TypeError if the value is not a valid Edm.DateTime
 */
export function formatDateTime(value: unknown, precision?: number): string {
  if (precision === 3 && value instanceof Date && isValidTime(value.getTime()))
    return formatMilliseconds(value.getTime())
  if (typeof value === 'string' && (precision === undefined || (precision === 3 && value.length === 23))) {
    const milliseconds = plainMilliseconds(value)
    if (milliseconds !== undefined) return precision === 3 ? value : withoutZeros(value, milliseconds)
  }
  const instant = toLocalInstant(value)
  if (instant === undefined) throw new TypeError(`'${String(value)}' is not a valid Edm.DateTime.`)
  return formatSeconds(instant.milliseconds) + formatFraction(instant, precision)
}

/** Removes superfluous zeros, and the fraction of whole seconds. @param text of {@link plainMilliseconds} */
function withoutZeros(text: string, milliseconds: number): string {
  if (milliseconds % 1000 === 0) return text.slice(0, '2000-01-01T00:00:00'.length)
  let { length } = text
  while (text.charCodeAt(length - 1) === 0x30) length--
  return text.slice(0, length)
}

/**
 * Formats a value as ISO 8601 with time zone: `Z` or `+02:00`.
 *
 * @param precision the number of fraction digits; by default as many as are needed
 * @throws TypeError if the value is not a valid Edm.DateTimeOffset
 */
export function formatDateTimeOffset(value: unknown, precision?: number): string {
  const instant = toInstant(value)
  if (instant === undefined) throw new TypeError(`'${String(value)}' is not a valid Edm.DateTimeOffset.`)
  return formatWithOffset(instant, precision)
}

function toInstant(value: unknown): Instant | undefined {
  if (value instanceof Date) return instantOfDate(value)
  return typeof value === 'string' ? parseInstant(value)?.instant : undefined
}

function toLocalInstant(value: unknown): Instant | undefined {
  if (value instanceof Date) return instantOfDate(value)
  if (typeof value !== 'string') return undefined
  const milliseconds = plainMilliseconds(value)
  if (milliseconds !== undefined) return new Instant(milliseconds)
  const instant = parseInstant(value)?.instant
  return instant === undefined || instant.offset === 0
    ? instant
    : new Instant(instant.milliseconds, instant.ticks)
}

/** Returns a Date if it is precise enough, otherwise a string. */
function dateTimeValue(instant: Instant): Date | string {
  const { milliseconds, ticks } = instant
  return ticks === 0 ? new Date(milliseconds) : formatSeconds(milliseconds) + formatFraction(instant)
}

/** Returns a Date if it represents the instant exactly, otherwise a string with time zone. */
function dateTimeOffsetValue(instant: Instant): Date | string {
  const isDate = instant.ticks === 0 && instant.offset === 0
  return isDate ? new Date(instant.milliseconds) : formatWithOffset(instant)
}

function formatWithOffset(instant: Instant, precision?: number): string {
  const local = instant.milliseconds + instant.offset * 60_000
  return formatSeconds(local) + formatFraction(instant, precision) + formatOffset(instant.offset)
}

function formatOffset(minutes: number): string {
  if (minutes === 0) return 'Z'
  const absolute = Math.abs(minutes)
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(absolute / 60))}:${two(absolute % 60)}`
}
