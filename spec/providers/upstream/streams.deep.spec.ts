import { once } from 'node:events'
import http from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { V4Options } from '../../../lib/v4.js'
import { FaultyServer, json, metadataOf } from '../../support/v4/faulty-server.js'

const MB = 2 ** 20
/** Sockets and streams between both ends buffer less than this. */
const MAX_AHEAD = 48 * MB
const SIZE = 192 * MB
const ROWS_PER_PAGE = 1_000

const transports: readonly (readonly [name: string, options: V4Options])[] = [
  ['node:http', {}],
  ['fetch', { fetch }],
]

/** Counts the bytes that one end has sent and the other has received. */
class Progress {
  sent = 0
  received = 0
  ahead = 0

  send(bytes: number): void {
    this.sent += bytes
    this.ahead = Math.max(this.ahead, this.sent - this.received)
  }

  async *chunks(): AsyncGenerator<Buffer> {
    const chunk = Buffer.alloc(MB / 4, 'x')
    while (this.sent < SIZE) {
      this.send(chunk.length)
      yield chunk
      // Lets the other end receive something.
      await new Promise(setImmediate)
    }
  }

  async receive(stream: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of stream) this.received += chunk.length
  }
}

describe.each(transports)('Streams of an upstream service by %s', (_name, options) => {
  const upstream = new FaultyServer()
  let progress: Progress
  let port: number

  beforeAll(async () => {
    upstream.metadata = metadataOf(
      '<EntityType Name="Item" HasStream="true"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/></EntityType>',
    )
    await upstream.start()
  })
  afterAll(() => upstream.stop())
  beforeEach(async () => {
    progress = new Progress()
    port = (await upstream.serve(options, { pageSize: 0, limits: { mediaBytes: SIZE } })).port
  })

  const request = (method: string, path: string): http.ClientRequest =>
    http.request({ host: '127.0.0.1', port, path, method, headers: { 'Content-Type': 'a/b' }, agent: false })

  it('MUST NOT buffer feeds: pages are read as fast as the client receives entities', async () => {
    const Name = 'x'.repeat(1_000)
    upstream.respond = (question, response) => {
      const page = Number(/skiptoken=(\d+)/.exec(question.url ?? '')?.[1] ?? 0)
      const value = Array.from({ length: ROWS_PER_PAGE }, (_, index) => ({
        ID: page * ROWS_PER_PAGE + index,
        Name,
      }))
      const next = progress.sent < SIZE ? { '@odata.nextLink': `Items?$skiptoken=${page + 1}` } : {}
      progress.send(ROWS_PER_PAGE * Name.length)
      json({ value, ...next })(question, response)
    }
    const [response] = (await once(request('GET', '/n/Items?$format=json').end(), 'response')) as [
      http.IncomingMessage,
    ]
    await progress.receive(response)
    expect([response.statusCode, response.complete]).toEqual([200, true])
    expect(progress.received).toBeGreaterThan(SIZE)
    expect(progress.ahead).toBeLessThan(MAX_AHEAD)
  })

  it('MUST NOT buffer downloads of media resources', async () => {
    upstream.respond = (question, response) => {
      if (question.url?.includes('$value') === true) Readable.from(progress.chunks()).pipe(response)
      else json({ ID: 1 })(question, response)
    }
    const [response] = (await once(request('GET', '/n/Items(1)/$value').end(), 'response')) as [
      http.IncomingMessage,
    ]
    await progress.receive(response)
    expect([response.statusCode, progress.received]).toEqual([200, SIZE])
    expect(progress.ahead).toBeLessThan(MAX_AHEAD)
  })

  it('MUST NOT buffer uploads of media resources', async () => {
    upstream.respond = (question, response) => {
      if (question.method === 'GET') json({ ID: 1 })(question, response)
      else void progress.receive(question).then(() => response.writeHead(204).end())
    }
    const upload = request('PUT', '/n/Items(1)/$value')
    const responded = once(upload, 'response') as Promise<[http.IncomingMessage]>
    await pipeline(Readable.from(progress.chunks()), upload)
    const [response] = await responded
    response.resume()
    expect([response.statusCode, progress.received]).toEqual([204, SIZE])
    expect(progress.ahead).toBeLessThan(MAX_AHEAD)
  })
})
