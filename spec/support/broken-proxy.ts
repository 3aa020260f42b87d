import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Agent, createServer, request } from 'node:http'
import type { RequestHandler } from 'express'
import type { ServedService } from './audited-services.js'
import { listening, serve } from './audited-services.js'

/** A request on its way to the service. */
export interface ProxiedRequest {
  method: string
  /** Path and query, as they were sent. */
  url: string
  headers: IncomingHttpHeaders
  body: string
}

/** A response of the service on its way to the client. */
export interface ProxiedResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** One thing that a server does wrong. */
export interface Violation {
  /** Changes a request before the service receives it, or responds in place of the service. */
  readonly request?: (
    sent: ProxiedRequest,
    forward: (sent: ProxiedRequest) => Promise<ProxiedResponse>,
  ) => ProxiedResponse | undefined | Promise<ProxiedResponse | undefined>
  /** Changes a response before the client receives it. */
  readonly response?: (response: ProxiedResponse, sent: ProxiedRequest) => void
}

/** A proxy in front of a service that injects one bug of a server. */
export interface BrokenProxy extends ServedService {
  violation: Violation
}

/** A service, and a proxy in front of it. */
interface ProxiedService {
  readonly service: ServedService
  readonly proxy: BrokenProxy
}

/** Starts a service and its proxy before the tests of a file. At the start of each test, the proxy has no bug. */
export function proxiedService(createService: () => RequestHandler): Readonly<ProxiedService> {
  const proxied = {} as { -readonly [Name in keyof ProxiedService]: ProxiedService[Name] }
  beforeAll(async () => {
    proxied.service = await serve(createService())
    proxied.proxy = await brokenProxy(proxied.service.root)
  })
  beforeEach(() => {
    proxied.proxy.violation = {}
  })
  afterAll(async () => {
    await proxied.proxy.close()
    await proxied.service.close()
  })
  return proxied
}

/** @param target the service, with a slash at the end */
async function brokenProxy(target: string): Promise<BrokenProxy> {
  const { port } = new URL(target)
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const forward = async (sent: ProxiedRequest): Promise<ProxiedResponse> =>
    new Promise((resolve, reject) => {
      const { 'transfer-encoding': _chunked, connection: _connection, ...headers } = sent.headers
      const length = sent.body === '' ? {} : { 'content-length': String(Buffer.byteLength(sent.body)) }
      const out = request({
        host: '127.0.0.1',
        port,
        agent,
        method: sent.method,
        path: sent.url,
        headers: { ...headers, ...length },
      })
      out.on('error', reject)
      out.on('response', (res) => {
        void bodyOf(res).then((body) => {
          resolve({ status: res.statusCode ?? 0, headers: { ...res.headers }, body })
        }, reject)
      })
      out.end(sent.body)
    })
  const proxy: { violation: Violation } = { violation: {} }
  const server = createServer((req, res) => {
    const work = async (): Promise<void> => {
      const { violation } = proxy
      const sent: ProxiedRequest = {
        method: req.method ?? 'GET',
        url: req.url ?? '/',
        headers: { ...req.headers },
        body: (await bodyOf(req)).toString('utf8'),
      }
      const requested = { ...sent }
      const response = (await violation.request?.(sent, forward)) ?? (await forward(sent))
      violation.response?.(response, requested)
      const { 'transfer-encoding': _chunked, connection: _connection, ...headers } = response.headers
      const hasBody = requested.method !== 'HEAD' && response.status !== 304 && response.status !== 204
      res.writeHead(
        response.status,
        hasBody ? { ...headers, 'content-length': response.body.length } : headers,
      )
      res.end(hasBody ? response.body : undefined)
    }
    work().catch((error: unknown) => {
      res.writeHead(500).end(String(error))
    })
  })
  const served = await listening(server, new URL(target).pathname)
  return Object.assign(proxy, {
    root: served.root,
    close: async () => {
      agent.destroy()
      await served.close()
    },
  })
}

async function bodyOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}
