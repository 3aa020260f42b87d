const carriageReturn = 13
const lineFeed = 10
const space = 32
const tab = 9
const hyphen = 45

/** Maximum white space after a delimiter, which gateways may add. */
const MAX_PADDING = 256
/** Minimum size of the buffers that collect small chunks. */
const MIN_BUFFER_BYTES = 4096

/** Longer chunks are not decoded as a whole. */
const MAX_DECODED_BYTES = 65_536

/** The bytes between two delimiters. */
export interface MultipartContent {
  /** Received bytes, which contain the content from `start` to `end`. */
  readonly chunk: Buffer
  /** The whole chunk as Latin-1, if it is short: comparing text is faster than comparing bytes. */
  readonly text: string | undefined
  readonly start: number
  readonly end: number
  /** Byte offset of the content in the body. */
  readonly offset: number
}

/** Called with each part, before the next one is searched. */
type PartListener = (content: MultipartContent) => void

/**
 * Splits a multipart body into its parts while it is received. Ignores the text before the first and after the closing
 * delimiter. Lines end in CRLF or LF.
 *
 * Each byte is searched about once, regardless of the chunks, and copied only if a part spans several chunks. Parts
 * reference the chunks, which must not be modified later.
 *
 * @spec RFC 2046 5.1.1
 */
export class MultipartSplitter {
  /** Includes the line feed before it, which does not belong to the content. */
  private readonly delimiter: Buffer
  private readonly delimiterText: string
  private bytes: Buffer = Buffer.alloc(0)
  /** The whole of `bytes` as Latin-1, if it is a short chunk. */
  private text: string | undefined
  /** The number of bytes received in `bytes`. */
  private filled = 0
  /** The offset of `bytes` in the body. */
  private base: number
  private contentStart = 0
  /** No delimiter begins before this index. -1 is the line feed that would precede the body. */
  private searched = -1
  private state: 'Preamble' | 'Part' | 'Closed' = 'Preamble'

  /** @param offset of the multipart body, which is added to the offsets of its parts */
  constructor(boundary: string, offset = 0) {
    this.delimiterText = `\n--${boundary}`
    this.delimiter = Buffer.from(this.delimiterText, 'latin1')
    this.base = offset
  }

  /** True if any delimiter was received. */
  get hasBegun(): boolean {
    return this.state !== 'Preamble'
  }

  /** True if the closing delimiter was received. */
  get isClosed(): boolean {
    return this.state === 'Closed'
  }

  /** The number of bytes received. */
  get offset(): number {
    return this.base + this.filled
  }

  /** Adds a chunk, and emits the parts that it completes. */
  push(chunk: Uint8Array, onPart: PartListener): void {
    this.append(chunk)
    this.emitParts(false, onPart)
  }

  /** Emits the parts that the end of the body completes. */
  end(onPart: PartListener): void {
    this.emitParts(true, onPart)
  }

  private append(chunk: Uint8Array): void {
    const start = this.isClosed ? this.filled : Math.max(0, Math.min(this.retainedFrom, this.filled))
    const pending = this.filled - start
    if (pending > 0 && this.filled + chunk.length <= this.bytes.length) {
      this.bytes.set(chunk, this.filled)
      this.filled += chunk.length
      return
    }
    this.text = undefined
    const view = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    if (pending === 0) {
      this.bytes = view
      if (view.length <= MAX_DECODED_BYTES) this.text = view.toString('latin1')
    } else this.bytes = growBuffer(this.bytes.subarray(start, this.filled), view)
    this.base += start
    this.filled = pending + chunk.length
    this.contentStart -= start
    this.searched -= start
  }

  private get retainedFrom(): number {
    return this.state === 'Part' ? Math.min(this.contentStart, this.searched) : this.searched
  }

  private emitParts(isLast: boolean, onPart: PartListener): void {
    const bytes = this.filled === this.bytes.length ? this.bytes : this.bytes.subarray(0, this.filled)
    while (!this.isClosed) {
      const found = this.nextDelimiter(bytes, isLast)
      if (found === undefined) return
      const content = this.state === 'Part' ? this.contentUpTo(found.lineEnd) : undefined
      this.state = found.isClosing ? 'Closed' : 'Part'
      this.contentStart = found.next
      // The line feed of this delimiter may belong to the next delimiter.
      this.searched = found.next - 1
      if (content !== undefined) onPart(content)
    }
  }

  private contentUpTo(lineEnd: number): MultipartContent {
    const start = this.contentStart
    const end = this.bytes[lineEnd - 1] === carriageReturn ? lineEnd - 1 : lineEnd
    return {
      chunk: this.bytes,
      text: this.text,
      start,
      end: Math.max(start, end),
      offset: this.base + start,
    }
  }

  private nextDelimiter(bytes: Buffer, isLast: boolean): Delimiter | undefined {
    for (;;) {
      const lineEnd = this.candidate(bytes, isLast)
      if (lineEnd === undefined) return undefined
      const found = delimiterAt(bytes, lineEnd, lineEnd + this.delimiter.length, isLast)
      if (found === 'incomplete') {
        this.searched = lineEnd
        return undefined
      }
      if (found !== 'none') return found
      this.searched = lineEnd + 1
    }
  }

  /** Returns the index of the next line feed before the text of the delimiter. */
  private candidate(bytes: Buffer, isLast: boolean): number | undefined {
    const { delimiter } = this
    if (this.searched === -1) {
      if (bytes.length < delimiter.length - 1 && !isLast) return undefined
      if (bytes.subarray(0, delimiter.length - 1).equals(delimiter.subarray(1))) return -1
      this.searched = 0
    }
    const index =
      this.text?.indexOf(this.delimiterText, this.searched) ?? bytes.indexOf(delimiter, this.searched)
    if (index >= 0) return index
    this.searched = Math.max(this.searched, bytes.length - delimiter.length + 1)
    return undefined
  }
}

interface Delimiter {
  /** The index of the line feed before it. */
  readonly lineEnd: number
  /** The index after its line. */
  readonly next: number
  readonly isClosing: boolean
}

/** Returns true if a line contains only the delimiter, which ends at `index`. */
function delimiterAt(
  bytes: Buffer,
  lineEnd: number,
  index: number,
  isLast: boolean,
): Delimiter | 'none' | 'incomplete' {
  let at = index
  const isClosing = bytes[at] === hyphen && bytes[at + 1] === hyphen
  if (isClosing) at += 2
  else if (bytes[at] === hyphen) return at + 1 < bytes.length || isLast ? 'none' : 'incomplete'
  const paddingEnd = at + MAX_PADDING
  while (at < paddingEnd && (bytes[at] === space || bytes[at] === tab)) at++
  if (bytes[at] === carriageReturn) at++
  if (at < bytes.length) return bytes[at] === lineFeed ? { lineEnd, next: at + 1, isClosing } : 'none'
  return isLast ? { lineEnd, next: at, isClosing } : 'incomplete'
}

/** Doubles the capacity, so that the total cost of copying is linear. */
function growBuffer(pending: Buffer, chunk: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(MIN_BUFFER_BYTES, 2 * (pending.length + chunk.length)))
  bytes.set(pending, 0)
  bytes.set(chunk, pending.length)
  return bytes
}
