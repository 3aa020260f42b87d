import type { Readable } from 'node:stream'
import { ODataError } from '../errors/odata-error.js'
import type { RequestBody } from './odata-request.js'
import { joined } from './read-body.js'

/** A body that ended before it was complete: the client has gone away, or sent less than it announced. */
export class IncompleteBody extends ODataError {
  /** @param cause what the stream of the body ended with */
  constructor(cause: unknown) {
    super('BadRequest', { message: 'The body is not complete.', cause })
  }
}

/** Bodies of up to so many bytes come in one piece or two: there is nobody to be held back. */
const fewBytes = 65_536

/**
 * The bytes of a request as they come, each chunk when it is asked for. Whoever stops reading early leaves the request
 * as it is: to close it would close the connection, over which the answer has to go.
 */
export class ReceivedBody implements RequestBody {
  private readonly source: Readable
  private reason: unknown
  private giveUp: ((cause: IncompleteBody) => void) | undefined

  /** @param announced how many bytes there are, in the words of the client; undefined when it does not say */
  constructor(
    source: Readable,
    private readonly announced: string | undefined,
  ) {
    this.source = source
  }

  /** Whoever reads it, or will, is told that it is not complete: others take what still comes. */
  abandon(reason: unknown): void {
    this.reason = reason
    this.giveUp?.(new IncompleteBody(reason))
  }

  /** @throws IncompleteBody when it breaks off */
  whole(most: number): Promise<Uint8Array> | undefined {
    const { announced, source } = this
    if (this.reason !== undefined) return Promise.reject(new IncompleteBody(this.reason))
    const isSmall = announced !== undefined && Number(announced) <= Math.min(most, fewBytes)
    return isSmall && canFlow(source) ? this.collected() : undefined
  }

  /** @throws IncompleteBody when it breaks off */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const chunks = this.source.iterator({ destroyOnReturn: false })
    try {
      for (;;) {
        const next = await this.unlessAbandoned(chunks.next())
        if (next.done === true) return
        yield bytesOf(next.value as Uint8Array | string, this.source)
      }
    } catch (cause) {
      throw cause instanceof IncompleteBody ? cause : new IncompleteBody(cause)
    } finally {
      // Not waited for: of a request that has been answered nothing may come any more, not even its end.
      chunks.return?.().catch(() => undefined)
    }
  }

  /** @throws IncompleteBody when the body is abandoned before there is a chunk */
  private unlessAbandoned<T>(chunk: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.giveUp = reject
      chunk.then(resolve, reject)
      if (this.reason !== undefined) reject(new IncompleteBody(this.reason))
    })
  }

  /** By events: an iterator costs more than all the rest of a small request. */
  private collected(): Promise<Uint8Array> {
    const { source } = this
    return new Promise((resolve, reject) => {
      this.giveUp = reject
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

/** Middleware in front may have made text of them, by `setEncoding`. */
function bytesOf(chunk: Uint8Array | string, { readableEncoding }: Readable): Uint8Array {
  return typeof chunk === 'string' ? Buffer.from(chunk, readableEncoding ?? 'utf8') : chunk
}

/** Those that wait for bytes to ask for keep them from others; what is over already tells nobody any more. */
function canFlow(source: Readable): boolean {
  return !source.destroyed && !source.readableEnded && source.listenerCount('readable') === 0
}
