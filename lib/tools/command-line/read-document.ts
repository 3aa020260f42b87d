import { SourceError } from './errors.js'

/** No metadata document is larger, in bytes: those of large systems have some 30 million. */
const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024

/**
 * Everything that is read from somewhere.
 *
 * @param title what it is called in messages
 * @param onBytes told how many bytes there are by now
 * @throws SourceError when it is more than any metadata document has
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
        `${title} has more than ${String(MAX_DOCUMENT_BYTES / 2 ** 20)} MiB: that is no metadata document.`,
      )
    }
    onBytes(count)
  }
  return Buffer.concat(chunks)
}

/** Within so many bytes an XML declaration has ended. */
const MAX_DECLARATION_BYTES = 200

/**
 * The text of an XML document: in UTF-16 where it begins with the mark of that, else in the encoding that it names,
 * else in UTF-8.
 */
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

/** What declares an encoding that it cannot be written in is written in UTF-8. */
function decoderOf(encoding: string): InstanceType<typeof TextDecoder> {
  if (/^utf-?16/i.test(encoding)) return new TextDecoder()
  try {
    return new TextDecoder(encoding)
  } catch {
    return new TextDecoder()
  }
}
