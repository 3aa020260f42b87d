import type { IncomingHttpHeaders, Server } from 'node:http'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RequestHandler } from 'express'
import express from 'express'

export interface LiveResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly text: string
}

/** A server whose services can be exchanged while it runs, for specs that send thousands of requests. */
export class LiveServer {
  private readonly services = new Map<string, RequestHandler>()
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 16 })

  private constructor(private readonly server: Server) {}

  static async start(): Promise<LiveServer> {
    const app = express()
    const server = createServer(app)
    // Connections stay open however long a spec takes between two requests.
    server.keepAliveTimeout = 0
    const live = new LiveServer(server)
    app.use('/:service', (req, res, next) => {
      const service = live.services.get(req.params.service)
      if (service === undefined) next()
      else service(req, res, next)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return live
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  /** Mounts a service under a name, and replaces the former one. */
  mount(name: string, service: RequestHandler): void {
    this.services.set(name, service)
  }

  /** @param path path and query as they are sent, not changed in any way */
  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<LiveResponse> {
    return this.send('GET', path, headers)
  }

  send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    content?: string | Uint8Array,
  ): Promise<LiveResponse> {
    const length = content === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(content)) }
    return new Promise((resolve, reject) => {
      const { port, agent } = this
      const options = { host: '127.0.0.1', port, path, method, headers: { ...length, ...headers }, agent }
      const sent = request(options, (res) => {
        const chunks: Buffer[] = []
        res.on('data', (chunk: Buffer) => chunks.push(chunk))
        res.on('error', reject)
        res.on('end', () => {
          const body = Buffer.concat(chunks)
          resolve({ status: res.statusCode ?? 0, headers: res.headers, body, text: body.toString('utf8') })
        })
      })
      sent.on('error', reject)
      sent.end(content)
    })
  }

  async close(): Promise<void> {
    this.agent.destroy()
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}
