import type { ServerResponse } from 'node:http'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isHttp2 } from './response-state.js'
import type { ODataResponse } from './odata-response.js'
import { isChunkSource } from './odata-response.js'
import { flush, sendDocument } from './send-document.js'
import { sendStream } from './send-stream.js'
import { restOf } from './unread-body.js'

/**
 * Sends an answer on Node's own response. Express's `res.send` would add an ETag of its own to feeds and metadata,
 * which the protocol forbids, and hold the whole document in memory.
 *
 * @param isHead whether to leave the body out
 * @returns a promise where something has to be waited for; what is there as a whole is handed over at once
 */
export function sendResponse(
  res: ServerResponse,
  response: ODataResponse,
  isHead: boolean,
): PromiseOrValue<void> {
  const { status, body } = response
  const isLast = response.headers.Connection === 'close'
  const own = isLast ? lastHeaders(res, response.headers) : response.headers
  const headers = mergeVary(res, own['Cache-Control'] === undefined ? own : mergeCacheControl(res, own))
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

/** The headers of an answer behind which nothing else is to come over its connection, where there are such. */
function lastHeaders(
  { req }: Partial<ServerResponse>,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (req === undefined || !isHttp2(req)) return headers
  const { Connection, ...others } = headers
  return others
}

/** Ends an answer behind which the connection is closed. */
async function endWith(res: ServerResponse, body: string | Uint8Array): Promise<void> {
  const { req } = res as Partial<ServerResponse>
  if (req === undefined || req.complete) {
    res.end(body)
    return
  }
  // The answer is complete for the client by its length.
  res.write(body)
  flush(res)
  await restOf(req)
  res.end()
}

/** Directives that the service sends unless the application decides itself what caches may store. */
const defaultDirectives: ReadonlySet<string> = new Set(['no-cache', 'no-store', 'private'])

/** A Cache-Control of the application stays, except for files of the explorer, which never change. */
function mergeCacheControl(
  res: ServerResponse,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const before = res.getHeader('Cache-Control')
  const own = headers['Cache-Control'] ?? ''
  if (before === undefined || own.startsWith('public')) return headers
  // No cache may store the token of a session.
  const hasToken = headers['x-csrf-token'] !== undefined
  const added = own.split(', ').filter((directive) => hasToken || !defaultDirectives.has(directive))
  return {
    ...headers,
    'Cache-Control': [...new Set([...String(before).split(/\s*,\s*/), ...added])].join(', '),
  }
}

/** Middleware in front, such as cors, may have said already what the answer depends on. */
function mergeVary(
  res: ServerResponse,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const before = res.getHeader('Vary')
  if (before === undefined || headers.Vary === undefined) return headers
  const known = new Set(
    String(before)
      .toLowerCase()
      .split(/\s*,\s*/),
  )
  const own = headers.Vary.split(', ').filter((name) => !known.has('*') && !known.has(name.toLowerCase()))
  return { ...headers, Vary: [String(before), ...own].join(', ') }
}
