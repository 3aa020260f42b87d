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
  // Not `for await`: leaving that early would close the connection before the answer is sent.
  const chunks = request.body()[Symbol.asyncIterator]()
  let length = 0
  for (;;) {
    const next = await chunks.next().catch((error: unknown) => {
      throw new ODataError('BadRequest', { message: 'The body is not complete.', cause: error })
    })
    if (next.done === true) return
    length += next.value.length
    if (length > limit) throw tooLarge(limit)
    yield next.value
  }
}

function tooLarge(limit: number): ODataError {
  return new ODataError('PayloadTooLarge', {
    message: `A media resource can have at most ${limit} bytes on this service.`,
    details: { limit: 'mediaBytes' },
  })
}
