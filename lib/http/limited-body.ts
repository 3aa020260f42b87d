import { ODataError } from '../errors/odata-error.js'
import type { ODataRequest } from './odata-request.js'

/**
 * The bytes of a request as they come, each chunk when it is asked for.
 *
 * @param limit how many bytes there may be; the bytes end with PayloadTooLarge as soon as there are more
 * @throws ODataError PayloadTooLarge when the request announces more
 */
export function limitedBody(request: ODataRequest, limit: number): AsyncIterable<Uint8Array> {
  if (Number(request.header('content-length') ?? 0) > limit) throw tooLarge(limit)
  return { [Symbol.asyncIterator]: () => limited(request, limit) }
}

async function* limited(request: ODataRequest, limit: number): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const chunk of request.body()) {
    length += chunk.length
    if (length > limit) throw tooLarge(limit)
    yield chunk
  }
}

function tooLarge(limit: number): ODataError {
  return new ODataError('PayloadTooLarge', {
    message: `A media resource can have at most ${limit} bytes on this service.`,
    details: { limit: 'mediaBytes' },
  })
}
