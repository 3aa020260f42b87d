import type { ServerResponse } from 'node:http'
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
 */
export async function sendResponse(
  res: ServerResponse,
  response: ODataResponse,
  isHead: boolean,
): Promise<void> {
  const { status, body } = response
  const headers = mergeVary(res, response.headers)
  if (body === undefined) {
    res.writeHead(
      status,
      status === 204 || status === 304 || isHead ? headers : { ...headers, 'Content-Length': '0' },
    )
    res.end()
  } else if (typeof body === 'string' || body instanceof Uint8Array) {
    res.writeHead(status, { ...headers, 'Content-Length': String(Buffer.byteLength(body)) })
    if (isHead) res.end()
    else await endWith(res, body, headers.Connection === 'close')
  } else if (isChunkSource(body)) {
    await sendDocument(res, { status, headers }, body, isHead)
  } else {
    await sendStream(res, { status, headers }, body)
  }
}

/** @param isLast whether the connection is closed behind it */
async function endWith(res: ServerResponse, body: string | Uint8Array, isLast: boolean): Promise<void> {
  const req = isLast ? (res as Partial<ServerResponse>).req : undefined
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

/** Middleware in front, such as cors, may have said already what the answer depends on. */
function mergeVary(
  res: ServerResponse,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const before = res.getHeader('Vary')
  if (before === undefined || headers.Vary === undefined) return headers
  const names = String(before).split(/\s*,\s*/)
  if (names.some((name) => name === '*' || name.toLowerCase() === 'accept')) {
    return { ...headers, Vary: String(before) }
  }
  return { ...headers, Vary: `${String(before)}, ${headers.Vary}` }
}
