import type { ByteEscapes, EscapedBytes } from './byte-escapes.js'
import type { ByteSource } from './byte-source.js'
import { BYTES_AFTER_SOURCE } from './byte-source.js'
import { ChunkPool } from './chunk-pool.js'

/** The memory of writers. Chunks of documents are a little shorter. */
const pool = new ChunkPool(65_536, 64)

/** Shorter documents are copied out of the memory of their writer. */
const MAX_COPIED_BYTES = 16_384

/** The call of `set` takes as long as copying this many bytes in a loop. */
const MAX_LOOPED_BYTES = 64

/** Node encodes longer strings faster than a loop. */
const MAX_ESCAPED_LENGTH = 1000

const MAX_ESCAPE_BYTES = 6

interface StringMethods {
  readonly charCodeAt: (this: string, index: number) => number
}

/**
 * Called as a function of its own. `text.charCodeAt` finds the method for each character, because strings have more hidden
 * classes than V8 inlines a lookup for: loops take three times as long. Destructured, because bundlers make variables of
 * other constants, and V8 does not inline a function of a variable.
 */
const { charCodeAt } = String.prototype as unknown as StringMethods

const empty = Buffer.alloc(0)

/** The two digits of numbers, the first digit in the lower byte. */
const twoDigits = digitPairs(10)
const hexDigits = digitPairs(16)

function digitPairs(base: number): Uint16Array {
  return Uint16Array.from({ length: base * base }, (_, value) => {
    const digits = value.toString(base).padStart(2, '0')
    return digits.charCodeAt(0) | (digits.charCodeAt(1) << 8)
  })
}

function setTwoDigits(view: DataView, at: number, value: number): void {
  view.setUint16(at, twoDigits[value] ?? 0, true)
}

const DASH = 0x2d
const COLON = 0x3a

/**
 * Collects the bytes of a document. Strings of JavaScript would be concatenated, flattened and encoded: copying the bytes
 * of rows takes a third of the time, and leaves nothing for the garbage collector.
 */
export class ByteWriter {
  /** The number of bytes; setting it to an earlier value removes the bytes after it. */
  length = 0
  private bytes: Buffer = empty
  private view: DataView = new DataView(empty.buffer)
  /** The greatest length for which there is memory. */
  private limit = 0

  /** Adds all bytes of a source. */
  add({ bytes, view, length }: ByteSource): void {
    if (length <= MAX_LOOPED_BYTES) {
      this.copy(view, 0, length)
      return
    }
    this.reserve(length)
    this.bytes.set(bytes, this.length)
    this.length += length
  }

  /** Adds UTF-8 of a source. Copies eight bytes as a number: in UTF-8 they are never NaN, whose bits may change. */
  copy(view: DataView, from: number, to: number): void {
    this.reserve(to - from)
    const target = this.view
    let at = this.length
    this.length = at + to - from
    for (; from < to; from += 8, at += 8) target.setFloat64(at, view.getFloat64(from, true), true)
  }

  /** Adds UTF-8 that was added before. */
  repeat(from: number, to: number): void {
    this.copy(this.view, from, to)
  }

  /**
   * Adds UTF-8 of a source, and escapes it in the same pass: four bytes at a time where none of them needs an escape.
   *
   * @returns true if it was added; if not, because of characters that the escapes refuse, the bytes after the length are
   * undefined
   */
  copyEscaped(
    view: DataView,
    from: number,
    to: number,
    escaped: EscapedBytes,
    escapes: ByteEscapes,
  ): boolean {
    const start = this.length
    this.reserve(to - from)
    let target = this.view
    let at = start
    while (from < to) {
      const word = view.getInt32(from, true)
      const left = to - from
      const bits = left << 3
      // Replaces the bytes after the end by spaces.
      const checked = left >= 4 ? word : (word & ((1 << bits) - 1)) | (0x20202020 << bits)
      if ((escaped.among(checked) & 0x80808080) === 0) {
        target.setInt32(at, word, true)
        at += Math.min(left, 4)
      } else {
        this.length = at
        // Up to four bytes with escapes, and all others without.
        this.reserve(left + 4 * MAX_ESCAPE_BYTES)
        if (!this.escapeBytes(view, from, Math.min(from + 4, to), escapes)) {
          this.length = start
          return false
        }
        target = this.view
        at = this.length
      }
      from += 4
    }
    this.length = at
    return true
  }

  /** Adds bytes of a source, one by one, to memory that was reserved. @returns false for a character that is refused */
  private escapeBytes(view: DataView, from: number, to: number, { escapes }: ByteEscapes): boolean {
    const { bytes } = this
    let at = this.length
    for (; from < to; from++) {
      const byte = view.getUint8(from)
      const escape = byte < 0x80 ? escapes[byte] : null
      if (escape === undefined) return false
      if (escape === null) {
        // U+FFFE and U+FFFF, which XML cannot represent.
        if (byte === 0xef && view.getUint16(from + 1) >= 0xbfbe) return false
        bytes[at++] = byte
      } else {
        for (let next = 0; next < escape.length; next++) bytes[at++] = escape[next] ?? 0
      }
    }
    this.length = at
    return true
  }

  /** Adds a string in UTF-8. */
  text(text: string): void {
    if (text === '') return
    this.reserve(3 * text.length)
    this.length += this.bytes.write(text, this.length, 'utf8')
  }

  /** Adds a string that is probably short and ASCII. A call of the encoder takes as long as copying dozens of characters. */
  shortText(text: string): void {
    const count = text.length
    if (count > MAX_LOOPED_BYTES) {
      this.text(text)
      return
    }
    this.reserve(count)
    const { bytes, length } = this
    for (let index = 0; index < count; index++) {
      const unit = charCodeAt.call(text, index)
      if (unit >= 0x80) {
        this.text(text)
        return
      }
      bytes[length + index] = unit
    }
    this.length = length + count
  }

  /**
   * Adds a string in UTF-8, and escapes it in the same pass.
   *
   * @returns true if it was added; if not, because it is long or has rare characters, the bytes after the length are
   * undefined
   */
  escapedText(text: string, { escapes }: ByteEscapes): boolean {
    const count = text.length
    if (count > MAX_ESCAPED_LENGTH) return false
    this.reserve(MAX_ESCAPE_BYTES * count)
    const { bytes } = this
    let at = this.length
    for (let index = 0; index < count; index++) {
      const unit = charCodeAt.call(text, index)
      if (unit < 0x80) {
        const escape = escapes[unit]
        if (escape === null) bytes[at++] = unit
        else if (escape === undefined) return false
        else for (let next = 0; next < escape.length; next++) bytes[at++] = escape[next] ?? 0
      } else if (unit < 0x800) {
        bytes[at++] = 0xc0 | (unit >> 6)
        bytes[at++] = 0x80 | (unit & 0x3f)
      } else {
        if ((unit >= 0xd800 && unit <= 0xdfff) || unit >= 0xfffe) return false
        bytes[at++] = 0xe0 | (unit >> 12)
        bytes[at++] = 0x80 | ((unit >> 6) & 0x3f)
        bytes[at++] = 0x80 | (unit & 0x3f)
      }
    }
    this.length = at
    return true
  }

  byte(value: number): void {
    this.reserve(1)
    this.view.setUint8(this.length++, value)
  }

  /** Adds the four bytes of a number, beginning with the lowest. */
  word(value: number): void {
    this.reserve(4)
    this.view.setInt32(this.length, value, true)
    this.length += 4
  }

  /** Adds a number of two bytes in network byte order. */
  int16(value: number): void {
    this.reserve(2)
    this.view.setInt16(this.length, value)
    this.length += 2
  }

  /** Adds a number of four bytes in network byte order. */
  int32(value: number): void {
    this.reserve(4)
    this.view.setInt32(this.length, value)
    this.length += 4
  }

  /** Replaces four bytes by a number in network byte order. */
  setInt32(at: number, value: number): void {
    this.view.setInt32(at, value)
  }

  /** Adds bytes. */
  append(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** Adds an integer between -(2^53 - 1) and 2^53 - 1 as decimal digits. */
  integer(value: number): void {
    if (value < 0) {
      this.byte(DASH)
      value = -value
    }
    if (value < 1e9) this.digits(value, digitsOf(value))
    else {
      const billions = Math.floor(value / 1e9)
      this.integer(billions)
      this.digits(value - billions * 1e9, 9)
    }
  }

  /** Adds the last digits of an integer below 10^9, with leading zeros. */
  digits(value: number, count: number): void {
    this.reserve(count)
    const { view, length } = this
    let rest = value | 0
    let at = length + count
    while (at > length + 1) {
      const hundreds = (rest / 100) | 0
      at -= 2
      setTwoDigits(view, at, rest - hundreds * 100)
      rest = hundreds
    }
    if (at > length) view.setUint8(length, 0x30 + (rest % 10))
    this.length = length + count
  }

  /** Adds `2012-05-29T09:13:28`. @param date 20120529 @param seconds of the day */
  dateTime(date: number, seconds: number): void {
    this.reserve(19)
    const { view, length } = this
    const year = (date / 10_000) | 0
    const monthAndDay = date - year * 10_000
    const minutes = (seconds / 60) | 0
    const hours = (minutes / 60) | 0
    const century = (year / 100) | 0
    const month = (monthAndDay / 100) | 0
    setTwoDigits(view, length, century)
    setTwoDigits(view, length + 2, year - century * 100)
    view.setUint8(length + 4, DASH)
    setTwoDigits(view, length + 5, month)
    view.setUint8(length + 7, DASH)
    setTwoDigits(view, length + 8, monthAndDay - month * 100)
    view.setUint8(length + 10, 0x54)
    setTwoDigits(view, length + 11, hours)
    view.setUint8(length + 13, COLON)
    setTwoDigits(view, length + 14, minutes - hours * 60)
    view.setUint8(length + 16, COLON)
    setTwoDigits(view, length + 17, seconds - minutes * 60)
    this.length = length + 19
  }

  /** Adds sixteen bytes of a source as the digits of a GUID. */
  guid(view: DataView, from: number): void {
    this.reserve(36)
    const target = this.view
    let at = this.length
    for (let index = 0; index < 16; index += 2) {
      if (index >= 4 && index <= 10) target.setUint8(at++, DASH)
      const first = hexDigits[view.getUint8(from + index)] ?? 0
      const second = hexDigits[view.getUint8(from + index + 1)] ?? 0
      target.setInt32(at, first | (second << 16), true)
      at += 4
    }
    this.length = at
  }

  /** Returns the bytes so far, and starts again without them. They can be returned to {@link releaseBytes}. */
  take(): Buffer {
    const { bytes } = this
    const written = bytes.subarray(0, this.length)
    this.length = 0
    if (written.length <= MAX_COPIED_BYTES) return Buffer.from(written)
    this.use(empty)
    return written
  }

  /** Returns the bytes so far, and no longer uses memory. */
  end(): Buffer {
    const { bytes } = this
    const written = this.take()
    if (this.bytes === bytes) {
      this.use(empty)
      releaseBytes(bytes)
    }
    return written
  }

  /** Returns as a string what a function adds, and removes it. */
  textOf(add: (out: this) => void): string {
    const start = this.length
    try {
      add(this)
      return this.bytes.toString('utf8', start, this.length)
    } finally {
      this.length = start
      if (start === 0 && this.bytes.length > pool.chunkSize) this.use(empty)
    }
  }

  private reserve(count: number): void {
    if (this.length + count > this.limit) this.grow(count)
  }

  private grow(count: number): void {
    const { bytes, length } = this
    const needed = length + count + BYTES_AFTER_SOURCE
    this.use(needed > pool.chunkSize ? Buffer.allocUnsafeSlow(2 * needed) : pool.take())
    bytes.copy(this.bytes, 0, 0, length)
    releaseBytes(bytes)
  }

  private use(bytes: Buffer): void {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer)
    this.limit = bytes.length - BYTES_AFTER_SOURCE
  }
}

/** Allows writers to reuse the memory of bytes that they have returned, and that are no longer read. */
export function releaseBytes(bytes: Uint8Array): void {
  pool.giveBack(bytes)
}

/** The longest character. */
const MAX_CHARACTER_BYTES = 4

/**
 * Returns a string as UTF-8, in memory that {@link releaseBytes} accepts. Node would measure and copy a string again.
 *
 * @returns the string itself if it does not fit
 */
export function encodeChunk(text: string): Buffer | string {
  const bytes = pool.take()
  const length = bytes.write(text)
  if (length <= bytes.length - MAX_CHARACTER_BYTES) return bytes.subarray(0, length)
  releaseBytes(bytes)
  return text
}

/** @param value below 10^9 */
function digitsOf(value: number): number {
  if (value < 1e4) {
    if (value < 100) return value < 10 ? 1 : 2
    return value < 1000 ? 3 : 4
  }
  if (value < 1e6) return value < 1e5 ? 5 : 6
  if (value < 1e8) return value < 1e7 ? 7 : 8
  return 9
}
