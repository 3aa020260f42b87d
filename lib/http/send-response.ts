import type { ServerResponse, IncomingMessage } from 'node:http'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isHttp2, trackProgress, isClosed, isUnwrappedResponse, onResponseClose } from './response-state.js'
import type { ODataResponse, ChunkSource } from './odata-response.js'
import { isChunkSource } from './odata-response.js'
import { sendStream } from './send-stream.js'
import { isPromiseLike } from '../util/promise-or-value.js'
import { yieldToEventLoop } from '../util/time-slice.js'

/**
 * Sends a response. It does not use `res.send` of Express, which adds an ETag to feeds and metadata, against the
 * protocol, and buffers the whole document.
 *
 * @param isHead whether to omit the body
 * @returns a promise for a streamed body; complete bodies are sent synchronously
 */
export function sendResponse(
  res: ServerResponse,
  response: ODataResponse,
  isHead: boolean,
): PromiseOrValue<void> {
  const { status, body } = response
  const isLast = response.headers.Connection === 'close'
  const headers = mergeHeaders(res, isLast ? lastHeaders(res, response.headers) : response.headers)
  if (body === undefined) {
    res.writeHead(
      status,
      status === 204 || status === 304 || isHead ? headers : { ...headers, 'Content-Length': '0' },
    )
    res.end()
  } else if (typeof body === 'string' || body instanceof Uint8Array) {
    res.writeHead(status, { ...headers, 'Content-Length': String(Buffer.byteLength(body)) })
    if (isHead) res.end()
    else if (isLast) return endWith(res, body)
    else res.end(body)
  } else if (isChunkSource(body)) {
    return sendDocument(res, { status, headers }, body, isHead)
  } else {
    return sendStream(res, { status, headers }, body)
  }
}

/** Removes the header `Connection` from responses of HTTP/2, which does not have it. */
function lastHeaders(
  { req }: Partial<ServerResponse>,
  headers: ODataResponse['headers'],
): ODataResponse['headers'] {
  if (req === undefined || !isHttp2(req)) return headers
  const { Connection, ...others } = headers
  return others
}

/** Ends a response after which the connection is closed. */
async function endWith(res: ServerResponse, body: string | Uint8Array): Promise<void> {
  const { req } = res as Partial<ServerResponse>
  if (req === undefined || req.complete) {
    res.end(body)
    return
  }
  // The client knows by its length that the response is complete.
  res.write(body)
  flush(res)
  await drainBeforeClose(req)
  res.end()
}

type HeaderValue = ReturnType<ServerResponse['getHeader']>

/** The default directives of `Cache-Control`, unless the application sets the header. */
const defaultDirectives: ReadonlySet<string> = new Set(['no-cache', 'no-store', 'private'])

/** Merges headers of the service with those that middleware, such as `cors`, has set before. */
function mergeHeaders(res: ServerResponse, headers: ODataResponse['headers']): ODataResponse['headers'] {
  const cacheControl = res.getHeader('Cache-Control')
  const vary = res.getHeader('Vary')
  const own = headers['Set-Cookie'] === undefined ? headers : addCookie(res, headers)
  if (cacheControl === undefined && vary === undefined) return own
  return mergeVary(vary, mergeCacheControl(cacheControl, own))
}

/** Adds the cookie of the response to those that the application has set, which `writeHead` would replace. */
function addCookie(res: ServerResponse, headers: ODataResponse['headers']): ODataResponse['headers'] {
  const { 'Set-Cookie': cookie = '', ...others } = headers
  res.setHeader('Set-Cookie', [res.getHeader('Set-Cookie') ?? [], cookie].flat().map(String))
  return others
}

/**
 * Merges a Cache-Control that the application has set with that of the response. It stays, except for files of the
 * explorer, which never change.
 */
function mergeCacheControl(before: HeaderValue, headers: ODataResponse['headers']): ODataResponse['headers'] {
  const own = headers['Cache-Control']
  if (before === undefined || own === undefined || own.startsWith('public')) return headers
  // Caches must not store the CSRF token of a session.
  const hasToken = headers['x-csrf-token'] !== undefined
  const added = own.split(', ').filter((directive) => hasToken || !defaultDirectives.has(directive))
  return {
    ...headers,
    'Cache-Control': [...new Set([...String(before).split(/\s*,\s*/), ...added])].join(', '),
  }
}

function mergeVary(before: HeaderValue, headers: ODataResponse['headers']): ODataResponse['headers'] {
  if (before === undefined || headers.Vary === undefined) return headers
  const known = new Set(
    String(before)
      .toLowerCase()
      .split(/\s*,\s*/),
  )
  const own = headers.Vary.split(', ').filter((name) => !known.has('*') && !known.has(name.toLowerCase()))
  return { ...headers, Vary: [String(before), ...own].join(', ') }
}

/** Milliseconds for which a client may continue to send after its response. */
const MAX_DRAIN_MS = 3_000

/** Milliseconds without data after which the client is assumed to have stopped. */
const MAX_SILENCE_MS = 1_000

/** Discards the rest of a body, so that the connection can be reused for the next request. */
export function drainRequest(req: IncomingMessage): void {
  const discard = (): void => {
    while (req.read() !== null);
  }
  req.on('readable', discard)
  discard()
}

/**
 * Discards the rest of a body before its connection is closed. Closing while the client is sending resets the connection,
 * and the client loses the response.
 *
 * @returns a promise that resolves when the client has stopped sending, or after a timeout
 * @spec RFC 9112 9.6 (tear-down of connections)
 */
function drainBeforeClose(req: IncomingMessage): Promise<void> {
  if (req.complete || req.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timeout)
      clearTimeout(silence)
      resolve()
    }
    const timeout = setTimeout(end, MAX_DRAIN_MS)
    const silence = setTimeout(end, MAX_SILENCE_MS)
    req.on('readable', () => silence.refresh())
    req.once('end', end).once('close', end)
    drainRequest(req)
  })
}

/** Milliseconds of writing without yielding to the event loop. */
const MAX_TURN_MS = 1

/** Bytes that are buffered for a slow client. Sending several chunks in one write costs less than single ones. */
const MAX_BUFFERED_BYTES = 1_048_576
/** A buffered string counts as this number of bytes per character. */
const STRING_WEIGHT = 8

/**
 * Sends a document while it is serialized, with backpressure. A document of a single chunk has a Content-Length.
 */
export async function sendDocument(
  res: ServerResponse,
  { status, headers }: ODataResponse,
  source: ChunkSource,
  isHead: boolean,
): Promise<void> {
  let isEnded = false
  try {
    // Errors before the second chunk still become error responses.
    const first = (await source.next()) ?? ''
    const second = await source.next()
    if (second === undefined) {
      isEnded = true
      const length = Buffer.byteLength(first)
      res.writeHead(status, { ...headers, 'Content-Length': String(length) })
      // As in encodingOf.
      res.end(isHead ? '' : first, length === first.length ? 'latin1' : 'utf8')
      return
    }
    res.writeHead(status, headers)
    if (isHead) {
      res.end()
      return
    }
    isEnded = await writeAll(res, first, second, source)
    res.end()
  } finally {
    if (!isEnded) await source.close()
  }
}

/** @returns true at the end of the source, false when the client has disconnected before */
async function writeAll(
  res: ServerResponse,
  first: string | Uint8Array,
  second: string | Uint8Array,
  source: ChunkSource,
): Promise<boolean> {
  const client = new ClientWriter(res, source)
  await client.write(first)
  let turnStart = performance.now()
  for (let chunk: string | Uint8Array | undefined = second; chunk !== undefined;) {
    if (isClosed(res)) return false
    const ready = client.write(chunk)
    if (ready !== undefined) await ready
    // Also after waiting: a fast client drains the buffer within the same turn.
    if (performance.now() - turnStart > MAX_TURN_MS) {
      await yieldToEventLoop()
      turnStart = performance.now()
    }
    const next = source.next()
    chunk = isPromiseLike(next) ? await next : next
  }
  return true
}

/** Chooses `latin1` for ASCII strings, and `utf8` for others. Node copies latin1, but measures and converts UTF-8. */
function encodingOf(text: string): BufferEncoding {
  return Buffer.byteLength(text) === text.length ? 'latin1' : 'utf8'
}

/** Flushes compressing middleware, which buffers otherwise. */
function flush(res: ServerResponse): void {
  if ('flush' in res && typeof res.flush === 'function') (res.flush as () => void)()
}

/** Writes chunks, and waits for a slow client. */
class ClientWriter {
  private resume: (() => void) | undefined
  /** Weighted bytes since the buffer of the connection was full. */
  private buffered = 0

  constructor(
    private readonly res: ServerResponse,
    private readonly source: ChunkSource,
  ) {
    // Added once, and not chained: compressing middleware returns its own stream, and listeners that it has taken over
    // cannot be removed.
    res.on('drain', this.wake)
    onResponseClose(res, this.wake)
  }

  /** @returns a promise when the client has to drain the buffer first */
  write(chunk: string | Uint8Array): Promise<void> | undefined {
    const { res } = this
    const { length } = chunk
    const accepted = typeof chunk === 'string' ? res.write(chunk, encodingOf(chunk)) : this.writeBytes(chunk)
    trackProgress(res)
    flush(res)
    if (accepted || isClosed(res)) return undefined
    this.buffered += typeof chunk === 'string' ? STRING_WEIGHT * length : length
    if (this.buffered < MAX_BUFFERED_BYTES) return undefined
    return new Promise((resolve) => {
      this.resume = resolve
    })
  }

  private writeBytes(chunk: Uint8Array): boolean {
    const { res, source } = this
    return source.release !== undefined && isUnwrappedResponse(res)
      ? res.write(chunk, () => source.release?.(chunk))
      : res.write(chunk)
  }

  private readonly wake = (): void => {
    this.buffered = 0
    this.resume?.()
    this.resume = undefined
  }
}
