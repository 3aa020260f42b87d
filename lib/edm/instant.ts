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

/** The instant of a Date; undefined when the Date is invalid or outside the years 1 to 9999. */
export function instantOfDate(date: Date): Instant | undefined {
  const milliseconds = date.getTime()
  return milliseconds >= earliest && milliseconds <= latest ? new Instant(milliseconds) : undefined
}

/** `2012-05-29T09:13:28` in UTC, without fraction and zone. */
export function formatSeconds(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19)
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
