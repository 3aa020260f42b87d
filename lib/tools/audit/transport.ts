import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { AuditRequest, RawResponse } from './response.js'

/** There was no response, or it was incomplete. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
}

/** An HTTP client. */
export interface Transport {
  send(request: AuditRequest): Promise<RawResponse>
  close(): void
}

interface TransportLimits {
  /** Milliseconds until a response must be complete. */
  readonly timeout: number
  /** Limits the body of a response. */
  readonly maxBytes: number
  readonly signal?: AbortSignal | undefined
}

/** Uses the HTTP client of Node, which sends addresses and headers unchanged. */
export function createNodeTransport(limits: TransportLimits, maxSockets: number): Transport {
  const options = { keepAlive: true, maxSockets }
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) }
  return {
    send: (request) => sendWithin(limits, (signal) => sendByNode(request, limits.maxBytes, signal, agents)),
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

/** Uses a function such as `fetch`, which may normalize addresses and headers. */
export function createFetchTransport(limits: TransportLimits, fetch: typeof globalThis.fetch): Transport {
  return {
    send: ({ url, method, headers, body }) =>
      sendWithin(limits, async (signal) => {
        const init = { method, headers: { ...headers }, redirect: 'manual' as const, signal }
        const response = await fetch(url, body === undefined ? init : { ...init, body })
        const bytes = new Uint8Array(await response.arrayBuffer())
        checkLength(bytes.length, limits.maxBytes)
        return { status: response.status, headers: fetchedHeaders(response), body: bytes }
      }),
    close: () => undefined,
  }
}

/**
 * Returns the headers of a response, with each cookie on a line of its own: `fetch` joins the values of other
 * headers.
 */
function fetchedHeaders({ headers }: Response): ReadonlyMap<string, string> {
  const cookies = headers.getSetCookie()
  return new Map([...headers, ...(cookies.length === 0 ? [] : [['set-cookie', cookies.join('\n')] as const])])
}

async function sendWithin(
  { timeout, signal }: TransportLimits,
  send: (signal: AbortSignal) => Promise<RawResponse>,
): Promise<RawResponse> {
  const deadline = AbortSignal.timeout(timeout)
  try {
    return await send(signal === undefined ? deadline : AbortSignal.any([deadline, signal]))
  } catch (error) {
    if (error instanceof TransportError) throw error
    signal?.throwIfAborted()
    if (deadline.aborted) throw new TransportError(`There was no complete response within ${timeout} ms.`)
    const { message, cause } = error instanceof Error ? error : new Error(String(error))
    const reason = cause instanceof Error ? `${message} (${cause.message})` : message
    throw new TransportError(`There was no complete response: ${reason}`)
  }
}

async function sendByNode(
  { url, method, headers, body }: AuditRequest,
  maxBytes: number,
  signal: AbortSignal,
  agents: { readonly http: HttpAgent; readonly https: HttpsAgent },
): Promise<RawResponse> {
  // Split without URL, which would normalize the path.
  const [, scheme, authority, path] = /^(https?):\/\/([^/?]*)(.*)$/i.exec(url) ?? []
  if (scheme === undefined || path === undefined) throw new TransportError(`'${url}' is not a valid URL.`)
  const isSecure = scheme.toLowerCase() === 'https'
  const { hostname, port } = new URL(`${scheme}://${authority ?? ''}`)
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const options = {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    path: path === '' ? '/' : path,
    method,
    headers: { ...headers, ...length },
    signal,
  }
  const sent = isSecure
    ? httpsRequest({ ...options, agent: agents.https })
    : httpRequest({ ...options, agent: agents.http })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  let received = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    received += chunk.length
    checkLength(received, maxBytes)
    chunks.push(chunk)
  }
  return { status: response.statusCode ?? 0, headers: receivedHeaders(response), body: Buffer.concat(chunks) }
}

function receivedHeaders({ headers }: IncomingMessage): ReadonlyMap<string, string> {
  const all = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) all.set(name, Array.isArray(value) ? value.join('\n') : value)
  }
  return all
}

function checkLength(length: number, maxBytes: number): void {
  if (length > maxBytes) throw new TransportError(`The response has more than ${maxBytes} bytes.`)
}
