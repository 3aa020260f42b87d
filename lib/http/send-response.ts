import type { ServerResponse, IncomingMessage } from 'node:http'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isHttp2 } from './response-state.js'
import type { ODataResponse } from './odata-response.js'
import { isChunkSource } from './odata-response.js'
import { flush, sendDocument } from './send-document.js'
import { sendStream } from './send-stream.js'

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
  if (cacheControl === undefined && vary === undefined) return headers
  return mergeVary(vary, mergeCacheControl(cacheControl, headers))
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
