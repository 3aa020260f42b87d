const carriageReturn = 13
const lineFeed = 10
const space = 32
const tab = 9
const hyphen = 45

/** So many blanks may stand behind a delimiter; mail gateways may put them there. */
const MAX_PADDING = 256
/** Small pieces are gathered in buffers of at least this size. */
const MIN_BUFFER_BYTES = 4096

/** The bytes between two delimiters. */
export interface MultipartContent {
  readonly bytes: Buffer
  /** Where it begins, in bytes from the beginning of the body. */
  readonly offset: number
}

/** Takes the parts one by one, each before the next is looked for. */
export type PartListener = (content: MultipartContent) => void

/**
 * Cuts a multipart body into its parts while it arrives. What stands before the first delimiter and behind the closing
 * one is left out. Lines may end in CRLF or in LF alone.
 *
 * Each byte is searched about once, in whatever pieces it comes, and bytes are copied only when a part comes in
 * several pieces. The pieces become part of what is returned: they must not be changed later.
 *
 * @spec RFC 2046 5.1.1
 */
export class MultipartSplitter {
  /** With the end of the line before it, which is not part of the content. */
  private readonly delimiter: Buffer
  private bytes: Buffer = Buffer.alloc(0)
  /** How much of `bytes` is there already. */
  private filled = 0
  /** Where `bytes` begins in the body. */
  private base: number
  private contentStart = 0
  /** No delimiter begins before this index. -1 is the end of a line that would stand before the body. */
  private searched = -1
  private state: 'Preamble' | 'Part' | 'Closed' = 'Preamble'

  /** @param offset where the multipart body begins, for the offsets of its parts */
  constructor(boundary: string, offset = 0) {
    this.delimiter = Buffer.from(`\n--${boundary}`, 'latin1')
    this.base = offset
  }

  /** Whether any delimiter has come. */
  get hasBegun(): boolean {
    return this.state !== 'Preamble'
  }

  /** Whether the closing delimiter has come. */
  get isClosed(): boolean {
    return this.state === 'Closed'
  }

  /** How many bytes of the body have come. */
  get offset(): number {
    return this.base + this.filled
  }

  /** Takes the next piece, and gives the parts that are complete by it. */
  push(piece: Uint8Array, give: PartListener): void {
    this.append(piece)
    this.emitParts(false, give)
  }

  /** Gives what becomes complete because no more will come. */
  end(give: PartListener): void {
    this.emitParts(true, give)
  }

  private append(piece: Uint8Array): void {
    const kept = this.isClosed ? this.filled : Math.max(0, Math.min(this.retainedFrom, this.filled))
    const pending = this.filled - kept
    if (pending > 0 && this.filled + piece.length <= this.bytes.length) {
      this.bytes.set(piece, this.filled)
      this.filled += piece.length
      return
    }
    const view = Buffer.from(piece.buffer, piece.byteOffset, piece.length)
    this.bytes = pending === 0 ? view : growBuffer(this.bytes.subarray(kept, this.filled), view)
    this.base += kept
    this.filled = pending + piece.length
    this.contentStart -= kept
    this.searched -= kept
  }

  private get retainedFrom(): number {
    return this.state === 'Part' ? Math.min(this.contentStart, this.searched) : this.searched
  }

  private emitParts(isLast: boolean, give: PartListener): void {
    const bytes = this.filled === this.bytes.length ? this.bytes : this.bytes.subarray(0, this.filled)
    while (!this.isClosed) {
      const found = this.nextDelimiter(bytes, isLast)
      if (found === undefined) return
      const content = this.state === 'Part' ? this.contentUpTo(found.lineEnd) : undefined
      this.state = found.isClosing ? 'Closed' : 'Part'
      this.contentStart = found.next
      // The end of this line may be the one before the next delimiter.
      this.searched = found.next - 1
      if (content !== undefined) give(content)
    }
  }

  private contentUpTo(lineEnd: number): MultipartContent {
    const start = this.contentStart
    const end = this.bytes[lineEnd - 1] === carriageReturn ? lineEnd - 1 : lineEnd
    return { bytes: this.bytes.subarray(start, Math.max(start, end)), offset: this.base + start }
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

  /** Where a line ends behind which the text of the delimiter stands. */
  private candidate(bytes: Buffer, isLast: boolean): number | undefined {
    const { delimiter } = this
    if (this.searched === -1) {
      if (bytes.length < delimiter.length - 1 && !isLast) return undefined
      if (bytes.subarray(0, delimiter.length - 1).equals(delimiter.subarray(1))) return -1
      this.searched = 0
    }
    const index = bytes.indexOf(delimiter, this.searched)
    if (index >= 0) return index
    this.searched = Math.max(this.searched, bytes.length - delimiter.length + 1)
    return undefined
  }
}

interface Delimiter {
  /** The index of the line feed before it. */
  readonly lineEnd: number
  /** The index behind its own line. */
  readonly next: number
  readonly isClosing: boolean
}

/** Looks whether a line holds nothing but the delimiter, which has been found up to `index`. */
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

/** Room for as much again: then all copying together costs no more than what was copied last. */
function growBuffer(pending: Buffer, piece: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(MIN_BUFFER_BYTES, 2 * (pending.length + piece.length)))
  bytes.set(pending, 0)
  bytes.set(piece, pending.length)
  return bytes
}
