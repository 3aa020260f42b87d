import { SourceError } from './errors.js'

/** The metadata documents of large systems have about 30 million bytes. */
const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024

/**
 * Reads a stream to its end.
 *
 * @param title the name of the source for messages
 * @param onBytes called with the number of bytes received so far
 * @throws SourceError above {@link MAX_DOCUMENT_BYTES}
 */
export async function readBytes(
  source: AsyncIterable<Uint8Array | string>,
  title: string,
  onBytes: (count: number) => void = () => undefined,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let count = 0
  for await (const chunk of source) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    chunks.push(bytes)
    count += bytes.length
    if (count > MAX_DOCUMENT_BYTES) {
      throw new SourceError(
        `${title} has more than ${String(MAX_DOCUMENT_BYTES / 2 ** 20)} MiB, which is too large for a metadata document.`,
      )
    }
    onBytes(count)
  }
  return Buffer.concat(chunks)
}

/** XML declarations end within this many bytes. */
const MAX_DECLARATION_BYTES = 200

/** Decodes an XML document by its byte order mark, else by its XML declaration, else as UTF-8. */
export function decodeDocument(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const start = Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    Math.min(bytes.length, MAX_DECLARATION_BYTES),
  ).toString('latin1')
  const encoding = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start.replace(/^ï»¿/, ''))?.[1]
  return decoderOf(encoding ?? 'utf-8').decode(bytes)
}

/** Falls back to UTF-8 for unknown encodings, and for UTF-16 without byte order mark. */
function decoderOf(encoding: string): InstanceType<typeof TextDecoder> {
  if (/^utf-?16/i.test(encoding)) return new TextDecoder()
  try {
    return new TextDecoder(encoding)
  } catch {
    return new TextDecoder()
  }
}
