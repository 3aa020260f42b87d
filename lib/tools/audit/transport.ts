import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { AuditRequest, ReceivedAnswer } from './answer.js'

/** No answer, or none that could be read to its end. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
}

/** Sends requests. */
export interface Transport {
  send(request: AuditRequest): Promise<ReceivedAnswer>
  close(): void
}

export interface TransportLimits {
  /** Milliseconds for an answer to be complete. */
  readonly timeout: number
  /** Bytes of a body. */
  readonly maximumBytes: number
  readonly signal?: AbortSignal | undefined
}

/** Requests by Node itself, which sends addresses and headers as they are written. */
export function nodeTransport(limits: TransportLimits, connections: number): Transport {
  const options = { keepAlive: true, maxSockets: connections }
  const plain = new HttpAgent(options)
  const secure = new HttpsAgent(options)
  return {
    async send(request) {
      const end = endOf(limits)
      try {
        return await sendByNode(request, limits.maximumBytes, end, { plain, secure })
      } catch (error) {
        throw failureOf(error, end, limits)
      }
    },
    close() {
      plain.destroy()
      secure.destroy()
    },
  }
}

/** Requests by a function such as `fetch`, which may write addresses and headers in its own way. */
export function fetchTransport(limits: TransportLimits, fetch: typeof globalThis.fetch): Transport {
  return {
    async send({ url, method, headers, body }) {
      const end = endOf(limits)
      try {
        const init = { method, headers: { ...headers }, redirect: 'manual' as const, signal: end }
        const response = await fetch(url, body === undefined ? init : { ...init, body })
        const bytes = new Uint8Array(await response.arrayBuffer())
        checkLength(bytes.length, limits.maximumBytes)
        return { status: response.status, headers: headersOfFetch(response), body: bytes }
      } catch (error) {
        throw failureOf(error, end, limits)
      }
    },
    close: () => undefined,
  }
}

/** Cookies are several even when they stand in one header. */
function headersOfFetch({ headers }: Response): ReadonlyMap<string, string> {
  const cookies = headers.getSetCookie()
  return new Map([...headers, ...(cookies.length === 0 ? [] : [['set-cookie', cookies.join('\n')] as const])])
}

function endOf({ timeout, signal }: TransportLimits): AbortSignal {
  const end = AbortSignal.timeout(timeout)
  return signal === undefined ? end : AbortSignal.any([end, signal])
}

interface Agents {
  readonly plain: HttpAgent
  readonly secure: HttpsAgent
}

async function sendByNode(
  { url, method, headers, body }: AuditRequest,
  maximumBytes: number,
  signal: AbortSignal,
  agents: Agents,
): Promise<ReceivedAnswer> {
  const [, scheme, authority, path] = /^(https?):\/\/([^/?]*)(.*)$/i.exec(url) ?? []
  if (scheme === undefined || path === undefined) throw new TransportError(`'${url}' is no address.`)
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
    ? httpsRequest({ ...options, agent: agents.secure })
    : httpRequest({ ...options, agent: agents.plain })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  let received = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    received += chunk.length
    checkLength(received, maximumBytes)
    chunks.push(chunk)
  }
  return { status: response.statusCode ?? 0, headers: headersOf(response), body: Buffer.concat(chunks) }
}

function headersOf({ headers }: IncomingMessage): ReadonlyMap<string, string> {
  const all = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) all.set(name, Array.isArray(value) ? value.join('\n') : value)
  }
  return all
}

function checkLength(length: number, maximum: number): void {
  if (length > maximum) throw new TransportError(`The answer has more than ${maximum} bytes.`)
}

function failureOf(error: unknown, end: AbortSignal, { signal, timeout }: TransportLimits): unknown {
  if (error instanceof TransportError) return error
  if (signal?.aborted === true) return signal.reason
  if (end.aborted) return new TransportError(`There was no complete answer within ${timeout} ms.`)
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  const reason = cause instanceof Error ? `${message} (${cause.message})` : message
  return new TransportError(`There was no complete answer: ${reason}`)
}
