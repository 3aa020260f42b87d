import type { Readable } from 'node:stream'
import { ODataError } from '../errors/odata-error.js'
import type { RequestBody } from './odata-request.js'
import { joined } from './read-body.js'

/** A body that ended early: the client has disconnected, or has sent fewer bytes than its Content-Length. */
export class IncompleteBody extends ODataError {
  /** @param cause the error of the body's stream */
  constructor(cause: unknown) {
    super('BadRequest', { message: 'The body is not complete.', cause })
  }
}

/** Smaller bodies consist of one or two chunks: they need no backpressure. */
const SMALL_BODY_BYTES = 65_536

/**
 * The body of a request, read chunk by chunk. A reader that stops early leaves the request open: closing it would close
 * the connection, which the response needs.
 */
export class ReceivedBody implements RequestBody {
  private readonly source: Readable
  private reason: unknown
  private rejectRead: ((cause: IncompleteBody) => void) | undefined

  /** @param announced the value of Content-Length; undefined without one */
  constructor(
    source: Readable,
    private readonly announced: string | undefined,
  ) {
    this.source = source
  }

  /** Fails the present read and all later ones with {@link IncompleteBody}. */
  abort(reason: unknown): void {
    this.reason = reason
    this.rejectRead?.(new IncompleteBody(reason))
  }

  /** @throws IncompleteBody when the body ends early */
  whole(maxBytes: number): Promise<Uint8Array> | undefined {
    const { announced, source } = this
    if (this.reason !== undefined) return Promise.reject(new IncompleteBody(this.reason))
    const isSmall = announced !== undefined && Number(announced) <= Math.min(maxBytes, SMALL_BODY_BYTES)
    return isSmall && canFlow(source) ? this.collect() : undefined
  }

  /** @throws IncompleteBody when the body ends early */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const chunks = this.source.iterator({ destroyOnReturn: false })
    try {
      for (;;) {
        const next = await this.orAbort(chunks.next())
        if (next.done === true) return
        yield bytesOf(next.value as Uint8Array | string, this.source)
      }
    } catch (cause) {
      throw cause instanceof IncompleteBody ? cause : new IncompleteBody(cause)
    } finally {
      // Not awaited: once the response is sent, the request may not emit any more events, not even its end.
      chunks.return?.().catch(() => undefined)
    }
  }

  /** @throws IncompleteBody when the request is aborted before the next chunk */
  private orAbort<T>(chunk: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.rejectRead = reject
      chunk.then(resolve, reject)
      if (this.reason !== undefined) reject(new IncompleteBody(this.reason))
    })
  }

  /** Uses events: an iterator costs more than the rest of a small request. */
  private collect(): Promise<Uint8Array> {
    const { source } = this
    return new Promise((resolve, reject) => {
      this.rejectRead = reject
      const chunks: Uint8Array[] = []
      source.on('data', (chunk: Uint8Array | string) => chunks.push(bytesOf(chunk, source)))
      source.on('end', () => {
        resolve(joined(chunks))
      })
      source.on('error', (cause) => {
        reject(new IncompleteBody(cause))
      })
      source.on('close', () => {
        if (!source.readableEnded) reject(new IncompleteBody(new Error('The connection was closed.')))
      })
      source.resume()
    })
  }
}

/** Earlier middleware may have made chunks strings with `setEncoding`. */
function bytesOf(chunk: Uint8Array | string, { readableEncoding }: Readable): Uint8Array {
  return typeof chunk === 'string' ? Buffer.from(chunk, readableEncoding ?? 'utf8') : chunk
}

/** A listener for `readable` disables `data` events, and an ended stream emits no events. */
function canFlow(source: Readable): boolean {
  return !source.destroyed && !source.readableEnded && source.listenerCount('readable') === 0
}
