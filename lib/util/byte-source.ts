/** The number of bytes after a source that may be read: `ByteWriter.copy` copies eight bytes at a time. */
export const BYTES_AFTER_SOURCE = 7

/** Bytes that are copied into documents, such as static text or the rows of a database. */
export class ByteSource {
  readonly view: DataView
  readonly length: number
  private latin1: string | undefined

  /** @param bytes followed by {@link BYTES_AFTER_SOURCE} bytes of the same memory */
  constructor(readonly bytes: Buffer) {
    this.length = bytes.length
    this.view = new DataView(bytes.buffer, bytes.byteOffset)
  }

  /** The bytes as a string: each character is one byte. */
  get text(): string {
    this.latin1 ??= this.bytes.toString('latin1', 0, this.length)
    return this.latin1
  }
}

/** Returns a copy of bytes that can be a {@link ByteSource}. */
export function padded(bytes: Uint8Array): Buffer {
  const copy = Buffer.allocUnsafe(bytes.length + BYTES_AFTER_SOURCE)
  copy.set(bytes)
  return copy.subarray(0, bytes.length)
}

/** Returns the UTF-8 bytes of a string. */
export function utf8Source(text: string): ByteSource {
  return new ByteSource(padded(Buffer.from(text)))
}
