import { dateNumber, formatSeconds, isValidTime } from '../../../../../edm/instant.js'
import { integerRanges } from '../../../../../edm/primitive-types/integer.js'
import type { IntegerTypeName } from '../../../../../edm/primitive-types/integer.js'
import type { WriteCell } from '../../../../../evaluation/value-row.js'
import type { ByteWriter } from '../../../../../util/byte-writer.js'
import type { WireColumn } from '../../../wire/wire-format.js'

// The binary format of PostgreSQL: integers in network byte order. The server formats none of these values as text.

const TRUE = 0x65757274
const FALSE = 0x736c6166

/** Columns of type `bool`: one byte. */
export const booleanCells: WireColumn = {
  isBinary: true,
  decode: (cell) => (cell as string).charCodeAt(0) !== 0,
  bytes: {
    writeText(out, { view }, from) {
      if (view.getUint8(from) !== 0) out.word(TRUE)
      else {
        out.word(FALSE)
        out.byte(0x65)
      }
      return true
    },
  },
}

/** Reads binary integers of two, four or eight bytes, for integer properties. */
export function integerCells(type: IntegerTypeName): WireColumn {
  const [least, greatest] = integerRanges[type]
  const writeText: WriteCell = (out, { view }, from, to) => {
    const value = to - from === 2 ? view.getInt16(from) : to - from === 4 ? view.getInt32(from) : undefined
    if (value === undefined || value < least || value > greatest) return false
    out.integer(value)
    return true
  }
  return { isBinary: true, decode: (cell) => Number(integerOf(cell as string)), bytes: { writeText } }
}

/** Columns of integers whose values are strings of digits. */
export const digitCells: WireColumn = {
  isBinary: true,
  decode: (cell) => integerOf(cell as string).toString(),
  bytes: {
    writeText(out, { view }, from, to) {
      if (to - from === 8) writeLong(out, view.getInt32(from), view.getUint32(from + 4))
      else out.integer(to - from === 4 ? view.getInt32(from) : view.getInt16(from))
      return true
    },
  },
}

const TWO_TO_32 = 0x1_0000_0000
/** Higher halves of integers that are safe in JavaScript are below it. */
const MAX_SAFE_HIGH = 0x1f_ffff

function writeLong(out: ByteWriter, high: number, low: number): void {
  if (high < MAX_SAFE_HIGH && high > -MAX_SAFE_HIGH) out.integer(high * TWO_TO_32 + low)
  else out.text(String(BigInt(high) * BigInt(TWO_TO_32) + BigInt(low)))
}

function integerOf(cell: string): number | bigint {
  if (cell.length === 2) return int32At(cell, 0) >> 16
  const high = int32At(cell, 0)
  if (cell.length === 4) return high
  const low = int32At(cell, 4) >>> 0
  if (high < MAX_SAFE_HIGH && high > -MAX_SAFE_HIGH) return high * TWO_TO_32 + low
  return BigInt(high) * BigInt(TWO_TO_32) + BigInt(low)
}

/** Columns of type `uuid`: sixteen bytes. */
export const guidCells: WireColumn = {
  isBinary: true,
  decode(cell) {
    const digits = Buffer.from(cell as string, 'latin1').toString('hex')
    const parts = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20)]
    return `${parts.join('-')}-${digits.slice(20)}`
  },
  bytes: {
    writeText(out, { view }, from) {
      out.guid(view, from)
      return true
    },
  },
}

export const bytesCells: WireColumn = {
  isBinary: true,
  decode: (cell) => Buffer.from(cell as string, 'latin1'),
}

/** The milliseconds from 1970 to 2000, the epoch of PostgreSQL. */
const EPOCH_MS = 946_684_800_000

/**
 * Reads binary cells of type `timestamp` or `timestamptz`: microseconds since 2000, in UTC whatever the time zone of
 * the session.
 *
 * @param zone at the end of values: `Z` for Edm.DateTimeOffset
 */
export function timestampCells(zone: '' | 'Z'): WireColumn {
  return {
    isBinary: true,
    decode(cell) {
      const high = int32At(cell as string, 0)
      const low = int32At(cell as string, 4) >>> 0
      return textOfTimestamp(high, low) + zone
    },
    bytes: {
      writeText(out, { view }, from, _to, precision) {
        const high = view.getInt32(from)
        const low = view.getUint32(from + 4)
        const milliseconds = millisecondsOf(high, low)
        if (!isValidTime(milliseconds)) return false
        const seconds = Math.floor(milliseconds / 1000)
        const days = Math.floor(seconds / DAY_SECONDS)
        out.dateTime(dateNumber(days), seconds - days * DAY_SECONDS)
        const thousandths = milliseconds - seconds * 1000
        writeFraction(out, thousandths * 1000 + microsecondsOf(high, low), precision)
        if (zone !== '') out.byte(0x5a)
        return true
      },
      writeMilliseconds(out, { view }, from) {
        const milliseconds = millisecondsOf(view.getInt32(from), view.getUint32(from + 4))
        if (!isValidTime(milliseconds)) return false
        out.integer(milliseconds)
        return true
      },
    },
  }
}

function int32At(cell: string, at: number): number {
  return (
    (cell.charCodeAt(at) << 24) |
    (cell.charCodeAt(at + 1) << 16) |
    (cell.charCodeAt(at + 2) << 8) |
    cell.charCodeAt(at + 3)
  )
}

/** 2^32 microseconds are this number of milliseconds and microseconds. The whole number is not safe in JavaScript. */
const HIGH_MS = 4_294_967
const HIGH_US = 296

function millisecondsOf(high: number, low: number): number {
  return high * HIGH_MS + Math.floor((high * HIGH_US + low) / 1000) + EPOCH_MS
}

function microsecondsOf(high: number, low: number): number {
  const rest = high * HIGH_US + low
  return rest - Math.floor(rest / 1000) * 1000
}

const DAY_SECONDS = 86_400

/** Returns the timestamp as PostgreSQL formats it, with `T` before the time. */
function textOfTimestamp(high: number, low: number): string {
  if (high === 0x7fff_ffff) return 'infinity'
  if (high === -0x8000_0000) return '-infinity'
  const milliseconds = millisecondsOf(high, low)
  if (!isValidTime(milliseconds)) return textBeyondEdm(milliseconds)
  const thousandths = milliseconds - Math.floor(milliseconds / 1000) * 1000
  const microseconds = thousandths * 1000 + microsecondsOf(high, low)
  const digits = String(microseconds).padStart(6, '0').replace(/0+$/, '')
  return formatSeconds(milliseconds) + (digits === '' ? '' : `.${digits}`)
}

/** Returns the text of a time before the year 1 or after 9999, for errors: `-000043-03-15T12:00:00.000`. */
function textBeyondEdm(milliseconds: number): string {
  const date = new Date(milliseconds)
  // JavaScript has no years after 275760.
  return Number.isNaN(date.getTime()) ? 'after the year 275760' : date.toISOString().slice(0, -1)
}

/** @param precision number of digits; by default those up to the last that is not zero */
function writeFraction(out: ByteWriter, microseconds: number, precision: number | undefined): void {
  let digits = microseconds
  let count = 6
  if (precision === undefined) {
    if (digits === 0) return
    while (digits % 10 === 0) {
      digits /= 10
      count--
    }
  } else {
    if (precision === 0) return
    for (; count > precision; count--) digits = Math.floor(digits / 10)
  }
  out.byte(0x2e)
  out.digits(digits, count)
  for (let missing = (precision ?? count) - count; missing > 0; missing--) out.byte(0x30)
}
