import type { PartLocation } from './batch-error.js'
import { batchError, quote } from './batch-error.js'

/** Characters of one header. */
const MAX_HEADER_LENGTH = 16_384
/** Lines of one header block. */
const MAX_HEADER_LINES = 100

const name = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Control characters, which other parsers may interpret as the end of a line. */
const control = /[\x00-\x08\x0a-\x1f\x7f]/
/** Headers with a single value. Others are lists and may occur several times. */
const SINGLE_VALUED = new Set([
  'authorization',
  'content-id',
  'content-length',
  'content-transfer-encoding',
  'content-type',
  'dataserviceversion',
  'host',
  'maxdataserviceversion',
  'slug',
  'x-http-method',
  'x-http-method-override',
])

/** Space, tab, line feed and carriage return. */
const whiteSpace = new Set([0x20, 0x09, 0x0a, 0x0d])

/** Parses the lines and headers at the beginning of a part. Lines end in CRLF or LF. */
export class HeaderReader {
  /** The part as Latin-1: each search in a Buffer would be a native call. */
  private readonly text: string
  /** The index of the next line in the part. */
  index = 0

  /**
   * @param bytes the whole part
   * @param offset of the part in the body
   */
  constructor(
    private readonly bytes: Buffer,
    private readonly offset: number,
    readonly location: PartLocation,
  ) {
    this.text = bytes.toString('latin1')
  }

  /** The bytes that were not read yet. */
  get rest(): Buffer {
    return this.bytes.subarray(this.index)
  }

  /** True if the rest is empty or contains only line ends. */
  get isRestBlank(): boolean {
    const { bytes } = this
    let { index } = this
    while (bytes[index] === 13 || bytes[index] === 10) index++
    return index === bytes.length
  }

  /** The offset of the next line in the body. */
  get position(): number {
    return this.offset + this.index
  }

  skipBlankLines(): void {
    while (whiteSpace.has(this.bytes[this.index] ?? 0)) this.index++
  }

  /**
   * Reads the next line as Latin-1, without trailing white space.
   *
   * @param maxLength in characters
   * @returns undefined at the end
   * @throws ODataError BadRequest for lines that are too long or contain control characters
   */
  line(maxLength = MAX_HEADER_LENGTH): string | undefined {
    const { text, index: start } = this
    const { length } = this.bytes
    if (start >= length) return undefined
    const found = text.indexOf('\n', start)
    const end = found < 0 ? length : found
    if (end - start > maxLength) throw this.error(`This line has more than ${maxLength} bytes`)
    const line = trimEnd(text.slice(start, end))
    if (control.test(line)) throw this.error(`This line has control characters: ${quote(line)}`)
    this.index = Math.min(end + 1, length)
    return line
  }

  /**
   * Reads headers up to and including the blank line after them, or up to the end.
   *
   * @returns names in lower case
   * @throws ODataError BadRequest for invalid headers, and for too many
   */
  headers(): ReadonlyMap<string, string> {
    const headers = new Map<string, string>()
    for (let lines = 0; ; lines++) {
      const start = this.index
      const line = this.line()
      if (line === undefined || line === '') return headers
      if (lines === MAX_HEADER_LINES) throw this.errorAt(start, `More than ${MAX_HEADER_LINES} headers`)
      this.add(headers, line, start)
    }
  }

  private add(headers: Map<string, string>, line: string, start: number): void {
    const colon = line.indexOf(':')
    const given = line.slice(0, Math.max(colon, 0))
    if (!name.test(given)) {
      throw this.errorAt(start, `Expected a header such as 'Accept: application/json', not ${quote(line)}`)
    }
    const key = given.toLowerCase()
    const value = line.slice(colon + 1).replace(/^[ \t]+/, '')
    const before = headers.get(key)
    if (before === undefined) headers.set(key, value)
    else if (!SINGLE_VALUED.has(key)) headers.set(key, `${before}${key === 'cookie' ? '; ' : ', '}${value}`)
    else if (before !== value) throw this.errorAt(start, `The header ${given} has two values`)
  }

  /** Returns an error at the next line. @param message a sentence without full stop */
  error(message: string): Error {
    return this.errorAt(this.index, message)
  }

  private errorAt(index: number, message: string): Error {
    return batchError(`${message}.`, this.offset + index, this.location)
  }
}

/** Removes trailing white space. A regular expression would take quadratic time. */
function trimEnd(line: string): string {
  let end = line.endsWith('\r') ? line.length - 1 : line.length
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end--
  return line.slice(0, end)
}
