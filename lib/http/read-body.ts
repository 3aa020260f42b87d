import { ODataError } from '../errors/odata-error.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { mapValue } from '../util/promise-or-value.js'
import type { RequestBody } from './odata-request.js'

/**
 * Reads the whole body of a request.
 *
 * @param source the bytes; leaving them before their end must not close the connection, as with those of ODataRequest
 * @param limit how many bytes it may have
 * @throws ODataError PayloadTooLarge as soon as there are more
 */
export function readBody(source: RequestBody, limit: number): PromiseOrValue<Uint8Array> {
  const whole = source.whole?.(limit)
  return whole === undefined ? readPieces(source, limit) : mapValue(whole, (bytes) => limited(bytes, limit))
}

/** There may be more than was announced, where the request did not come through a parser of HTTP. */
function limited(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.length > limit) throw tooLarge(limit)
  return bytes
}

async function readPieces(source: RequestBody, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of source) {
    length += chunk.length
    if (length > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return joined(chunks)
}

function tooLarge(limit: number): ODataError {
  return new ODataError('PayloadTooLarge', {
    message: `The body has more than the ${limit} bytes that this service takes.`,
    details: { limit: 'bodyBytes' },
  })
}

/** The pieces of a body together; a single one is not copied. */
export function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
}

/** Bytes that are there already, as a source. */
export function bytesOf(bytes: Uint8Array): RequestBody {
  return new ReadyBody(bytes)
}

class ReadyBody implements RequestBody {
  constructor(private readonly bytes: Uint8Array) {}

  whole(most: number): Uint8Array | undefined {
    return this.bytes.length <= most ? this.bytes : undefined
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    if (this.bytes.length > 0) yield await Promise.resolve(this.bytes)
  }
}
