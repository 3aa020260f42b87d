import { dayNumber, daysOf, MS_PER_DAY } from '../../../edm/instant.js'
import type { ByteColumn, WriteCell } from '../../../evaluation/value-row.js'
import type { WireColumn } from './wire-format.js'

const afterAscii = /[\u0080-\u00ff]/

/** Returns the string of a cell, whose characters are the bytes of UTF-8. */
export function decodeUtf8(cell: unknown): string {
  const bytes = cell as string
  return afterAscii.test(bytes) ? Buffer.from(bytes, 'latin1').toString() : bytes
}

/** Columns of strings. */
export const stringColumn: WireColumn = { decode: decodeUtf8, bytes: { isString: true } }

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39

/** The longest floating-point number that is copied: fifteen digits, a sign and a point. */
const MAX_SHORT_NUMBER = 17

/**
 * Copies floating-point numbers that every language formats alike: up to seven digits on each side of the point, or up to
 * fifteen without one, and no exponent. MySQL has none in 0.0000001 either.
 */
const copyShortNumber: WriteCell = (out, { view }, from, to) => {
  const start = view.getUint8(from) === 0x2d ? from + 1 : from
  if (to - start > MAX_SHORT_NUMBER || to === start) return false
  let point = to
  for (let at = start; at < to; at++) {
    const byte = view.getUint8(at)
    if (byte === 0x2e && point === to) point = at
    else if (!isDigit(byte)) return false
  }
  const first = view.getUint8(start)
  const whole = point - start
  const fraction = to - point - 1
  if (first === 0x30 && whole !== 1) return false
  if (fraction < 0) {
    if (whole > 15 || (first === 0x30 && start > from)) return false
  } else {
    if (whole < 1 || whole > 8 || fraction < 1 || fraction > 7) return false
    const isTiny = first === 0x30 && fraction === 7 && isZeros(view, point + 1, point + 7)
    if (isTiny) return false
  }
  out.copy(view, from, to)
  return true
}

function isZeros(view: DataView, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (view.getUint8(at) !== 0x30) return false
  return true
}

/** Columns of floating-point numbers with double precision. */
export const doubleColumn: WireColumn = { decode: Number, bytes: { writeText: copyShortNumber } }

/** Copies numbers that end with a digit: a numeric of PostgreSQL can be NaN and infinite. */
export const copyFiniteDecimal: WriteCell = (out, { view }, from, to) => {
  if (!isDigit(view.getUint8(to - 1))) return false
  out.copy(view, from, to)
  return true
}

const DATE_LENGTH = 10
/** `2012-05-29 09:13:28` */
const SECONDS_LENGTH = 19
const MAX_FRACTION_DIGITS = 6

/** Adds the milliseconds since 1970 of `2012-05-29 09:13:28.5`. */
const writeMilliseconds: WriteCell = (out, { view }, from, to) => {
  if (!isDateTime(view, from, to)) return false
  const minutes = twoAt(view, from + 11) * 60 + twoAt(view, from + 14)
  let fraction = 0
  for (let at = from + SECONDS_LENGTH + 1, unit = 100; unit >= 1; at++, unit /= 10)
    if (at < to) fraction += (view.getUint8(at) - 0x30) * unit
  const day = dayNumber(yearAt(view, from), twoAt(view, from + 5), twoAt(view, from + 8))
  out.integer(day * MS_PER_DAY + (minutes * 60 + twoAt(view, from + 17)) * 1000 + fraction)
  return true
}

/** Copies `2012-05-29 09:13:28.5` as an Edm.DateTime. */
const copyDateTime: WriteCell = (out, { view }, from, to, precision) => {
  if (!isDateTime(view, from, to)) return false
  const fraction = from + SECONDS_LENGTH + 1
  const digits = Math.max(0, to - fraction)
  // A value does not have zeros at the end.
  if (precision === undefined && digits > 0 && view.getUint8(to - 1) === 0x30) return false
  const shown = precision ?? digits
  out.copy(view, from, from + DATE_LENGTH)
  out.byte(0x54)
  const copied = Math.min(digits, shown)
  out.copy(view, from + DATE_LENGTH + 1, copied > 0 ? fraction + copied : from + SECONDS_LENGTH)
  if (shown === copied) return true
  if (copied === 0) out.byte(0x2e)
  for (let missing = shown - copied; missing > 0; missing--) out.byte(0x30)
  return true
}

/** Columns of dates and times as text. */
export const dateTimeBytes: ByteColumn = { writeText: copyDateTime, writeMilliseconds }

/** Returns false for days and times that do not exist, and for other forms than that of a date with its time. */
function isDateTime(view: DataView, from: number, to: number): boolean {
  const length = to - from
  if (length !== SECONDS_LENGTH) {
    const hasFraction =
      length > SECONDS_LENGTH + 1 &&
      length <= SECONDS_LENGTH + 1 + MAX_FRACTION_DIGITS &&
      view.getUint8(from + SECONDS_LENGTH) === 0x2e
    if (!hasFraction) return false
  }
  if (view.getUint8(from + 4) !== 0x2d || view.getUint8(from + DATE_LENGTH) !== 0x20) return false
  const year = yearAt(view, from)
  const day = twoAt(view, from + 8)
  return (
    year >= 1 &&
    day >= 1 &&
    day <= daysOf(year, twoAt(view, from + 5)) &&
    twoAt(view, from + 11) <= 23 &&
    twoAt(view, from + 14) <= 59 &&
    twoAt(view, from + 17) <= 59
  )
}

function yearAt(view: DataView, from: number): number {
  return twoAt(view, from) * 100 + twoAt(view, from + 2)
}

function twoAt(view: DataView, at: number): number {
  return view.getUint8(at) * 10 + view.getUint8(at + 1) - 11 * 0x30
}
