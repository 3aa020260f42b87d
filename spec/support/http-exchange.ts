import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, Server } from 'node:http'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { turnEventLoop } from './event-loop.js'
import { until } from './until.js'
import { waitForDisconnects } from './wait-for-disconnects.js'

/** A response, byte for byte. */
export interface HttpResponse {
  readonly status: number
  readonly reason: string
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
}

export interface Question {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** A server on a port of its own, for as long as a spec runs. */
export class TestServer {
  private received = 0

  private constructor(private readonly server: Server) {
    server.on('request', () => this.received++)
  }

  /** @param what an application, or a server that does not listen yet */
  static async start(what: RequestListener | Server): Promise<TestServer> {
    const server = typeof what === 'function' ? createServer(what) : what
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new TestServer(server)
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  /** `127.0.0.1:4711` */
  get host(): string {
    return `127.0.0.1:${this.port}`
  }

  /**
   * Sends one request. The target is sent unchanged, without the encoding that URL classes apply.
   *
   * @throws Error when the connection is closed before the response is complete
   */
  async send(target: string, { method = 'GET', headers = {}, body }: Question = {}): Promise<HttpResponse> {
    const outgoing = request({
      host: '127.0.0.1',
      port: this.port,
      agent: false,
      path: target,
      method,
      headers: body === undefined ? headers : { 'Content-Length': Buffer.byteLength(body), ...headers },
    })
    outgoing.end(body)
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const bytes = Buffer.concat(chunks)
    return {
      status: incoming.statusCode ?? 0,
      reason: incoming.statusMessage ?? '',
      headers: incoming.headers,
      bytes,
      text: bytes.toString('utf8'),
    }
  }

  /** Sends text over a socket and reads until the server closes the connection. */
  async askRaw(text: string): Promise<string> {
    const socket = connect(this.port, '127.0.0.1')
    socket.end(text)
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString('utf8')
  }

  /** Waits until the server has received some number of requests since its start, and has begun to handle them. */
  async waitForRequests(count: number): Promise<void> {
    await until(() => this.received >= count)
    await turnEventLoop()
  }

  /** Waits until the server has noticed that its clients have closed their connections, and has acted on it. */
  waitForDisconnects(): Promise<void> {
    return waitForDisconnects(this.server)
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }
}

/** The part of a response that a client reads before it disconnects. */
interface PartialResponse {
  readonly status: number
  readonly bytes: number
}

/**
 * Reads the start of a response and then closes the connection, like a user who closes the window.
 *
 * @param enough the number of bytes to read
 */
export async function readAndLeave(
  server: TestServer,
  target: string,
  enough: number,
): Promise<PartialResponse> {
  const outgoing = request({ host: '127.0.0.1', port: server.port, agent: false, path: target })
  outgoing.end()
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  let bytes = 0
  for await (const chunk of incoming) {
    bytes += (chunk as Buffer).length
    if (bytes >= enough) break
  }
  outgoing.destroy()
  return { status: incoming.statusCode ?? 0, bytes }
}

/** Sends a request and closes the connection without waiting for a response. */
export async function sendAndDisconnect(
  server: TestServer,
  target: string,
  after: Promise<unknown>,
  json?: string,
): Promise<void> {
  const change = json === undefined ? {} : { method: 'POST', headers: { 'Content-Type': 'application/json' } }
  const outgoing = request({ host: '127.0.0.1', port: server.port, agent: false, path: target, ...change })
  outgoing.on('error', () => undefined)
  outgoing.end(json)
  await after
  const closed = new Promise((resolve) => outgoing.on('close', resolve))
  outgoing.destroy()
  await closed
}
