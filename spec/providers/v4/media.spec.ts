import { once } from 'node:events'
import http from 'node:http'
import type { V4Options } from '../../../lib/v4.js'
import type { TestServer } from '../../support/http-exchange.js'
import { FaultyServer, json, metadataOf } from '../../support/v4/faulty-server.js'

const transports: readonly (readonly [name: string, options: V4Options])[] = [
  ['node:http', {}],
  ['fetch', { fetch }],
]

describe.each(transports)('Media resources of a V4 service by %s', (_name, transport) => {
  const upstream = new FaultyServer()
  let server: TestServer

  beforeAll(async () => {
    upstream.metadata = metadataOf(
      '<EntityType Name="Item" HasStream="true"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>',
    )
    await upstream.start()
  })
  afterAll(() => upstream.stop())

  /** Responds to reads of entities, except one. */
  const respondTo = (media: http.RequestListener): void => {
    upstream.respond = (request, response) => {
      if (request.url?.includes('$value') === true) media(request, response)
      else if (request.url?.includes('Items(9)') === false) json({ ID: 1 })(request, response)
    }
  }

  /** Waits for longer than the limit, by a request that nothing responds to. */
  const outlast = async (): Promise<void> => {
    expect((await server.send('/n/Items(9)')).status).toBe(504)
  }

  const requestMedia = (method: string): http.ClientRequest =>
    http.request({ host: '127.0.0.1', port: server.port, path: '/n/Items(1)/$value', method, agent: false })

  it('MUST be uploaded as long as the client sends them', async () => {
    const chunks: string[] = []
    respondTo((request, response) => {
      request.on('data', (chunk: Buffer) => chunks.push(chunk.toString()))
      request.on('end', () => response.writeHead(204).end())
    })
    server = await upstream.serve({ ...transport, timeout: 200 })
    const upload = requestMedia('PUT').setHeader('Content-Type', 'text/plain')
    upload.write('first')
    await outlast()
    upload.end('second')
    const [response] = (await once(upload, 'response')) as [http.IncomingMessage]
    response.resume()
    expect([response.statusCode, chunks.join('')]).toEqual([204, 'firstsecond'])
  })

  it('MUST NOT be longer than the limit, also if their length is unknown before', async () => {
    respondTo((request) => request.resume().on('error', () => undefined))
    server = await upstream.serve(transport, { limits: { mediaBytes: 1_000 } })
    const upload = requestMedia('PUT').setHeader('Content-Type', 'text/plain')
    upload.write('x'.repeat(900))
    upload.write('x'.repeat(900))
    const [response] = (await once(upload, 'response')) as [http.IncomingMessage]
    response.resume()
    upload.destroy()
    expect(response.statusCode).toBe(413)
  })

  it('MUST be downloaded as long as the client receives them', async () => {
    const bytes = Buffer.alloc(20_000_000)
    respondTo((_request, response) => response.end(bytes))
    server = await upstream.serve({ ...transport, timeout: 200 })
    const download = requestMedia('GET').end()
    const [response] = (await once(download, 'response')) as [http.IncomingMessage]
    await outlast()
    let length = 0
    for await (const chunk of response) length += (chunk as Buffer).length
    expect(length).toBe(bytes.length)
  })

  it('MUST be requested without compression, whose size and ranges would differ', async () => {
    respondTo((_request, response) => response.end('bytes'))
    server = await upstream.serve(transport)
    expect((await server.send('/n/Items(1)/$value')).text).toBe('bytes')
    expect(upstream.headers.at(-1)).toMatchObject({ accept: '*/*', 'accept-encoding': 'identity' })
  })

  it('MUST not fill the memory with an error that is too large', async () => {
    respondTo((_request, response) => response.writeHead(400).end(Buffer.alloc(1_000_000)))
    server = await upstream.serve({ ...transport, maxBytes: 10_000 })
    expect((await server.send('/n/Items(1)/$value')).status).toBe(502)
    expect(upstream.causes.join()).toContain('maxBytes')
  })
})
