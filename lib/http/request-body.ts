import { ODataError } from '../errors/odata-error.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { mapValue } from '../util/promise-or-value.js'
import type { RequestBody, ODataRequest } from './odata-request.js'
import { truncate } from '../util/describe-value.js'
import type { Readable } from 'node:stream'

/**
 * Reads the whole body of a request.
 *
 * @param source the body; stopping early must not close the connection
 * @param limit maximum number of bytes
 * @throws ODataError PayloadTooLarge as soon as the limit is exceeded
 */
export function readBody(source: RequestBody, limit: number): PromiseOrValue<Uint8Array> {
  const whole = source.whole?.(limit)
  return whole === undefined
    ? readChunks(source, limit)
    : mapValue(whole, (bytes) => checkLength(bytes, limit))
}

/** Rejects bytes beyond a limit. Requests that bypass Node's HTTP parser may have more bytes than Content-Length. */
function checkLength(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.length > limit) throw tooLarge(limit)
  return bytes
}

async function readChunks(source: RequestBody, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of source) {
    length += chunk.length
    if (length > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return concatChunks(chunks)
}

function tooLarge(limit: number): ODataError {
  return new ODataError('PayloadTooLarge', {
    message: `The body has more than the ${limit} bytes that this service accepts.`,
    details: { limit: 'bodyBytes' },
  })
}

/** Concatenates chunks; a single chunk is not copied. */
function concatChunks(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
}

/** Returns a body of bytes that are available. */
export function bodyOf(bytes: Uint8Array): RequestBody {
  return new ReadyBody(bytes)
}

class ReadyBody implements RequestBody {
  constructor(private readonly bytes: Uint8Array) {}

  whole(maxBytes: number): Uint8Array | undefined {
    return this.bytes.length <= maxBytes ? this.bytes : undefined
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    if (this.bytes.length > 0) yield await Promise.resolve(this.bytes)
  }
}

/**
 * Rejects encoded bodies, which are not decoded.
 *
 * @throws ODataError UnsupportedMediaType for anything but `identity`
 * @spec RFC 9110 8.4 (Content-Encoding)
 */
export function refuseEncoding(request: Pick<ODataRequest, 'header'>): void {
  const encoding = request.header('content-encoding')
  if (encoding === undefined || /^[\s,]*(?:identity[\s,]*)*$/i.test(encoding)) return
  throw new ODataError('UnsupportedMediaType', {
    message: `Content-Encoding must not be '${truncate(encoding, 50)}': send the body without encoding.`,
  })
}

/**
 * Returns the body of a request in chunks. Reading fails with PayloadTooLarge as soon as the limit is exceeded.
 *
 * @param limit maximum number of bytes
 * @throws ODataError PayloadTooLarge when Content-Length exceeds the limit
 */
export function limitedBody(request: ODataRequest, limit: number): AsyncIterable<Uint8Array> {
  if (Number(request.header('content-length') ?? 0) > limit) throw mediaTooLarge(limit)
  return { [Symbol.asyncIterator]: () => limitChunks(request, limit) }
}

async function* limitChunks(request: ODataRequest, limit: number): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const chunk of request.body()) {
    length += chunk.length
    if (length > limit) throw mediaTooLarge(limit)
    yield chunk
  }
}

function mediaTooLarge(limit: number): ODataError {
  return new ODataError('PayloadTooLarge', {
    message: `The media resource may have at most ${limit} bytes.`,
    details: { limit: 'mediaBytes' },
  })
}

/** A body that ended early: the client has disconnected, or has sent fewer bytes than its Content-Length. */
export class IncompleteBody extends ODataError {
  /** @param cause the error of the body's stream */
  constructor(cause: unknown) {
    super('BadRequest', { message: 'The body is incomplete.', cause })
  }
}

/** Smaller bodies consist of one or two chunks: they need no backpressure. */
const SMALL_BODY_BYTES = 65_536

/**
 * The body of a request, read chunk by chunk. A reader that stops early leaves the request open: closing it would close
 * the connection, which the response needs.
 */
export class IncomingBody implements RequestBody {
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
        yield toBytes(next.value as Uint8Array | string, this.source)
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
      source.on('data', (chunk: Uint8Array | string) => chunks.push(toBytes(chunk, source)))
      source.on('end', () => {
        resolve(concatChunks(chunks))
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

/** Converts a chunk to bytes. Earlier middleware may have made chunks strings with `setEncoding`. */
function toBytes(chunk: Uint8Array | string, { readableEncoding }: Readable): Uint8Array {
  return typeof chunk === 'string' ? Buffer.from(chunk, readableEncoding ?? 'utf8') : chunk
}

/**
 * Returns true if a stream emits `data` events. A listener for `readable` disables them, and an ended stream emits no
 * events.
 */
function canFlow(source: Readable): boolean {
  return !source.destroyed && !source.readableEnded && source.listenerCount('readable') === 0
}
