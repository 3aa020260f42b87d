import type { Readable } from 'node:stream'
import { ODataError } from '../errors/odata-error.js'

/** A body that ended before it was complete: the client has gone away, or sent less than it announced. */
export class IncompleteBody extends ODataError {
  /** @param cause what the stream of the body ended with */
  constructor(cause: unknown) {
    super('BadRequest', { message: 'The body is not complete.', cause })
  }
}

/**
 * The bytes of a request as they come, each chunk when it is asked for. Whoever stops reading early leaves the request
 * as it is: to close it would close the connection, over which the answer has to go.
 *
 * @throws IncompleteBody when it breaks off
 */
export async function* receivedBody(source: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false })) yield chunk as Uint8Array
  } catch (cause) {
    throw new IncompleteBody(cause)
  }
}
