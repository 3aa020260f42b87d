import { threeOf } from '../util/number-text.js'
import { charCodeAt } from '../util/char-code-at.js'

/**
 * Points in time to 100 nanoseconds, which is what Edm.DateTime and Edm.DateTimeOffset can hold and a
 * JavaScript Date cannot.
 *
 * @spec MS-ODATA 2.2.2 (Edm.DateTime, Edm.DateTimeOffset)
 */
export class Instant {
  /**
   * @param milliseconds since 1970-01-01T00:00:00Z
   * @param ticks hundreds of nanoseconds beyond the millisecond, 0 to 9999
   * @param offset minutes that the writer's own clock was ahead of UTC
   */
  constructor(
    readonly milliseconds: number,
    readonly ticks: number = 0,
    readonly offset: number = 0,
  ) {}
}

/** Year 1 to the end of year 9999: what four digits can write and System.DateTime can hold. */
export const earliest = Date.parse('0001-01-01T00:00:00Z')
export const latest = Date.parse('9999-12-31T23:59:59.999Z')
/** No clock on earth is further than 14 hours from UTC; in minutes. */
const maximumOffset = 14 * 60

// One-digit months, days and hours, missing seconds and a missing time of day are seen from real clients.
const pattern =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,12}))?)?)?([Zz]|[+-]\d{2}:?\d{2})?$/

/** What {@link parseInstant} found. */
export interface ParsedInstant {
  readonly instant: Instant
  /** The zone as written: nothing, `Z`, or an offset such as `+02:00`. */
  readonly zone: string | undefined
  /** How many fraction digits were written. */
  readonly fractionDigits: number
}

/** Reads an ISO 8601 date and time; undefined when it is not one, or names a day or hour that does not exist. */
export function parseInstant(text: string): ParsedInstant | undefined {
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = match
  const local = utcMilliseconds(
    Number(year),
    Number(month),
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
  if (local === undefined) return undefined
  const digits = fraction.padEnd(7, '0')
  // 24:00:00 is the last moment of a day; there is no fraction of a second behind it.
  if (Number(hour) === 24 && Number(fraction) > 0) return undefined
  const offset = offsetMinutes(zone)
  if (offset === undefined) return undefined
  const milliseconds = local + Number(digits.slice(0, 3)) - offset * 60_000
  if (milliseconds < earliest || milliseconds > latest) return undefined
  return {
    instant: new Instant(milliseconds, Number(digits.slice(3, 7)), offset),
    zone,
    fractionDigits: fraction.length,
  }
}

/**
 * The milliseconds of `2012-05-29T09:13:28` and `2012-05-29T09:13:28.123`, the forms that databases and providers
 * give: read without a regular expression, which would take several times as long.
 *
 * @returns undefined for everything else, which {@link parseInstant} may still know
 */
export function plainMilliseconds(text: string): number | undefined {
  const { length } = text
  return (length === 19 || length === 23) && charCodeAt.call(text, 10) === 0x54
    ? millisecondsOfText(text)
    : undefined
}

/**
 * Returns the milliseconds of `2012-05-29 09:13:28`, with `T` or a space, and of the same with up to seven fraction
 * digits, of which those after the third are ignored.
 *
 * @returns undefined for everything else
 */
export function millisecondsOfText(text: string): number | undefined {
  const { length } = text
  const separator = charCodeAt.call(text, 10)
  const hasMarks =
    charCodeAt.call(text, 4) === 0x2d &&
    charCodeAt.call(text, 7) === 0x2d &&
    (separator === 0x20 || separator === 0x54) &&
    charCodeAt.call(text, 13) === 0x3a &&
    charCodeAt.call(text, 16) === 0x3a &&
    (length === 19 || (length > 20 && length < 28 && charCodeAt.call(text, 19) === 0x2e))
  if (!hasMarks) return undefined
  const year = twoAt(text, 0) * 100 + twoAt(text, 2)
  const month = twoAt(text, 5)
  const day = twoAt(text, 8)
  const hour = twoAt(text, 11)
  const minute = twoAt(text, 14)
  const second = twoAt(text, 17)
  const fraction = length === 19 ? 0 : thousandthsAt(text, 20)
  // The 29th of February is left to the calendar.
  const isPlain =
    year >= 1 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= (daysOfMonth[month] ?? 0) &&
    hour >= 0 &&
    hour <= 23 &&
    minute >= 0 &&
    minute <= 59 &&
    second >= 0 &&
    second <= 59 &&
    fraction >= 0
  if (!isPlain) return undefined
  return (
    dayNumber(year, month, day) * millisecondsOfDay + ((hour * 60 + minute) * 60 + second) * 1000 + fraction
  )
}

/** By its number; of February those of every year. */
const daysOfMonth = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Makes every number that contains it negative. Not NaN: V8 calculates with integers much faster. */
const NO_DIGIT = -1_000_000

function digitAt(text: string, index: number): number {
  const digit = charCodeAt.call(text, index) - 0x30
  return digit >= 0 && digit <= 9 ? digit : NO_DIGIT
}

/** Returns the thousandths of up to seven fraction digits that end a string. */
function thousandthsAt(text: string, index: number): number {
  const { length } = text
  for (let at = index + 3; at < length; at++) if (digitAt(text, at) < 0) return NO_DIGIT
  const tenths = digitAt(text, index) * 100
  const hundredths = index + 1 < length ? digitAt(text, index + 1) * 10 : 0
  return tenths + hundredths + (index + 2 < length ? digitAt(text, index + 2) : 0)
}

function twoAt(text: string, index: number): number {
  return digitAt(text, index) * 10 + digitAt(text, index + 1)
}

/** The instant of a Date; undefined when the Date is invalid or outside the years 1 to 9999. */
export function instantOfDate(date: Date): Instant | undefined {
  const milliseconds = date.getTime()
  return milliseconds >= earliest && milliseconds <= latest ? new Instant(milliseconds) : undefined
}

/** `2012-05-29T09:13:28` in UTC, without fraction and zone. */
export function formatSeconds(milliseconds: number): string {
  const days = Math.floor(milliseconds / millisecondsOfDay)
  const seconds = Math.floor((milliseconds - days * millisecondsOfDay) / 1000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return `${formatDay(days)}T${pad2(hours)}:${pad2(minutes - hours * 60)}:${pad2(seconds - minutes * 60)}`
}

/** The same with milliseconds: `2012-05-29T09:13:28.123`. */
export function formatMilliseconds(milliseconds: number): string {
  return `${formatSeconds(milliseconds)}.${threeOf(milliseconds - Math.floor(milliseconds / 1000) * 1000)}`
}

const millisecondsOfDay = 86_400_000
const twoDigits = Array.from({ length: 100 }, (_, index) => String(index).padStart(2, '0'))

function pad2(value: number): string {
  return twoDigits[value] ?? String(value)
}

const daysOf400Years = 146_097
/** From the first of March of the year 0 to that of 1970: years that begin in March have their odd day at the end. */
const daysBefore1970 = 719_468

/** Days since 1970. */
function dayNumber(year: number, month: number, day: number): number {
  const yearFromMarch = month <= 2 ? year - 1 : year
  const monthFromMarch = month <= 2 ? month + 9 : month - 3
  const leapDays =
    Math.floor(yearFromMarch / 4) - Math.floor(yearFromMarch / 100) + Math.floor(yearFromMarch / 400)
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1
  return yearFromMarch * 365 + leapDays + dayOfYear - daysBefore1970
}

/** The Gregorian date of a day since 1970, which JavaScript's own Date takes several times as long to write. */
function formatDay(days: number): string {
  const shifted = days + daysBefore1970
  const cycle = Math.floor(shifted / daysOf400Years)
  const dayOfCycle = shifted - cycle * daysOf400Years
  const leapDays =
    Math.floor(dayOfCycle / 1460) - Math.floor(dayOfCycle / 36_524) + Math.floor(dayOfCycle / 146_096)
  const yearOfCycle = Math.floor((dayOfCycle - leapDays) / 365)
  const dayOfYear =
    dayOfCycle - (365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
  const century = Math.floor(year / 100)
  return `${pad2(century)}${pad2(year - century * 100)}-${pad2(month)}-${pad2(day)}`
}

/**
 * The fraction with its point.
 *
 * @param precision exactly this many digits, cut or filled with zeros; without it as many as are needed
 */
export function formatFraction(instant: Instant, precision: number | undefined): string {
  const thousandths = ((instant.milliseconds % 1000) + 1000) % 1000
  if (precision === undefined) {
    if (thousandths === 0 && instant.ticks === 0) return ''
    const digits = pad(thousandths, 3) + pad(instant.ticks, 4)
    return `.${digits.replace(/0+$/, '')}`
  }
  if (precision === 0) return ''
  const digits = pad(thousandths, 3) + pad(instant.ticks, 4)
  return `.${digits.slice(0, precision).padEnd(precision, '0')}`
}

/** By the point in time alone; the offset does not matter. */
export function compareInstants(a: Instant, b: Instant): number {
  return a.milliseconds - b.milliseconds || a.ticks - b.ticks
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0')
}

/** Undefined for the 30th of February and the like; 24:00:00 is the end of the day, as ISO 8601 has it. */
function utcMilliseconds(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | undefined {
  const endOfDay = hour === 24 && minute === 0 && second === 0
  if (month < 1 || month > 12 || day < 1 || (hour > 23 && !endOfDay) || minute > 59 || second > 59)
    return undefined
  // Date.UTC takes years below 100 for the twentieth century.
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  return date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000
}

function offsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(-2))
  const offset = hours * 60 + minutes
  if (minutes > 59 || offset > maximumOffset) return undefined
  return zone.startsWith('-') ? 0 - offset : offset
}
