import { SourceError } from './faults.js'

/** No metadata document is larger, in bytes: those of large systems have some 30 million. */
const largestDocument = 256 * 1024 * 1024

/**
 * Everything that is read from somewhere.
 *
 * @param title what it is called in messages
 * @param onBytes told how many bytes there are by now
 * @throws SourceError when it is more than any metadata document has
 */
export async function readAll(
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
    if (count > largestDocument) {
      throw new SourceError(
        `${title} has more than ${String(largestDocument / 2 ** 20)} MiB: that is no metadata document.`,
      )
    }
    onBytes(count)
  }
  return Buffer.concat(chunks)
}
