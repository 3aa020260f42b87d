import type { IncomingMessage } from 'node:http'
import http from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'
import { ODataError } from '../../errors/odata-error.js'
import { ServiceTimer } from './service-timer.js'
import { badGateway, gatewayTimeout } from './upstream-errors.js'
import type { ReceivedResponse, SentRequest, UpstreamTransport } from './upstream-transport.js'

/** Sends requests over persistent connections. */
export class HttpTransport implements UpstreamTransport {
  private readonly agent: http.Agent | https.Agent
  private readonly request: typeof http.request

  constructor(
    { protocol }: URL,
    private readonly timeout: number,
  ) {
    const isSecure = protocol === 'https:'
    this.agent = isSecure ? new https.Agent({ keepAlive: true }) : new http.Agent({ keepAlive: true })
    this.request = isSecure ? https.request : http.request
  }

  send(url: URL, { method, headers, body, signal }: SentRequest): Promise<ReceivedResponse> {
    const { agent, timeout } = this
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error)
        return
      }
      const length =
        typeof body === 'string'
          ? { 'content-length': String(Buffer.byteLength(body)) }
          : body instanceof Uint8Array
            ? { 'content-length': String(body.length) }
            : {}
      const request = this.request(url, { method, agent, headers: { ...headers, ...length } })
      const timer = new ServiceTimer(timeout, () => {
        request.destroy(new Error(`no data for ${timeout} ms`))
      })
      timer.start()
      const abort = (): void => {
        request.destroy(signal?.reason as Error)
      }
      signal?.addEventListener('abort', abort, { once: true })
      request.on('close', () => {
        timer.stop()
        signal?.removeEventListener('abort', abort)
      })
      request.on('error', (error) => {
        if (signal?.aborted === true) reject(signal.reason as Error)
        else if (timer.isOver) reject(gatewayTimeout(`The upstream service sends ${error.message}.`))
        // The body of the client is invalid, or too large.
        else if (error instanceof ODataError) reject(error)
        else reject(badGateway(`The upstream service cannot be reached: ${error.message}`, error))
      })
      request.on('response', (response) => {
        timer.respond()
        resolve(received(response, timer, signal))
      })
      if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) request.end(body)
      else
        Readable.from(timer.sending(body))
          .on('error', (error) => request.destroy(error))
          .pipe(request)
    })
  }

  close(): void {
    this.agent.destroy()
  }
}

function received(
  response: IncomingMessage,
  timer: ServiceTimer,
  signal: AbortSignal | undefined,
): ReceivedResponse {
  const headers: Record<string, string | undefined> = {}
  for (const [name, value] of Object.entries(response.headers))
    headers[name] = Array.isArray(value) ? value.join(', ') : value
  return {
    status: response.statusCode ?? 0,
    headers,
    body: bytesOf(response, timer, signal),
    read: (onChunk) => readAll(response, timer, signal, onChunk),
    discard() {
      // The connection of a complete response can be used again.
      if (!response.complete) response.destroy()
    },
  }
}

async function* bytesOf(
  response: IncomingMessage,
  timer: ServiceTimer,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  yield* timer.receiving(response, signal)
  if (!response.complete) throw endedEarly()
}

/** Reads a response by its events, which take less CPU time than iterators. */
function readAll(
  response: IncomingMessage,
  timer: ServiceTimer,
  signal: AbortSignal | undefined,
  onChunk: (chunk: Uint8Array) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    timer.start()
    response.on('data', (chunk: Uint8Array) => {
      timer.start()
      try {
        onChunk(chunk)
      } catch (error) {
        response.destroy(error as Error)
      }
    })
    response.on('error', (error) => {
      timer.stop()
      if (signal?.aborted === true) reject(signal.reason as Error)
      // The function refuses a chunk.
      else reject(error instanceof ODataError ? error : timer.interruption(error))
    })
    response.on('end', () => {
      timer.stop()
      if (response.complete) resolve()
      else reject(endedEarly())
    })
    response.on('close', () => {
      // An error takes much CPU time, for its stack.
      if (!response.complete) reject(endedEarly())
    })
  })
}

function endedEarly(): ODataError {
  return badGateway('The upstream service ended a response early.')
}
