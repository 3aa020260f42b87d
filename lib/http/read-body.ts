import { ODataError } from '../errors/odata-error.js'

/**
 * Reads the whole body of a request.
 *
 * @param source the bytes; leaving them before their end must not close the connection, as with those of ODataRequest
 * @param limit how many bytes it may have
 * @throws ODataError PayloadTooLarge as soon as there are more
 */
export async function readBody(source: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of source) {
    length += chunk.length
    if (length > limit) {
      throw new ODataError('PayloadTooLarge', {
        message: `The body has more than ${limit} bytes.`,
        details: { limit: 'bodyBytes' },
      })
    }
    chunks.push(chunk)
  }
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
}

/** Bytes that are there already, as a source. */
export async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield await Promise.resolve(bytes)
}
