import compression from 'compression'
import cors from 'cors'
import helmet from 'helmet'
import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { createGunzip, gunzipSync } from 'node:zlib'
import { parseXml } from '../../lib/xml/parse-xml.js'
import { expressVersions } from '../support/express-versions.js'
import { turnEventLoop } from '../support/event-loop.js'
import { gate } from '../support/failures.js'
import { TestServer } from '../support/http-exchange.js'
import { hundredRows, RecordedRows } from '../support/recorded-rows.js'
import { exampleService, exampleServiceWith } from '../support/services/example-service.js'

const gzip = { 'Accept-Encoding': 'gzip', Origin: 'https://app.example' }

describe.each(expressVersions)('After the usual middleware of %s', (_version, express) => {
  let server: TestServer
  let rows: RecordedRows
  let drainListeners = 0
  beforeAll(async () => {
    const app = express()
    app.use('/bare', exampleService({ pageSize: 2, serviceRoot: 'http://h/n', readOnly: false }))
    app.use(helmet())
    app.use(cors({ origin: 'https://app.example' }))
    app.use(compression({ threshold: 0 }))
    app.use((_req, res, next) => {
      const on = res.on.bind(res)
      res.on = ((name: string, listener: () => void) => {
        if (name === 'drain') drainListeners++
        return on(name, listener)
      }) as typeof res.on
      next()
    })
    app.use(express.json())
    app.use(express.urlencoded({ extended: true }))
    app.use('/n', exampleService({ pageSize: 2, serviceRoot: 'http://h/n', readOnly: false }))
    app.use('/here', exampleService())
    app.use('/private', (_req, res, next) => {
      res.set('Cache-Control', 'private, no-cache')
      next()
    })
    app.use('/private', exampleService({ csrf: true }))
    app.use('/long', (req, res, next) => {
      exampleServiceWith('Categories', rows.provider, { pageSize: 0 })(req, res, next)
    })
    server = await TestServer.start(app)
  })
  afterAll(() => server.stop())

  it.each([
    '/',
    '/$metadata',
    '/Categories',
    '/Categories?$format=json&$expand=Products',
    '/Categories(4)',
    '/Categories(1)/Name/$value',
    '/Products/$count',
    '/Products(1)/Pic/$value',
    '/Photos(1)/$value',
    '/Nothing',
  ])('the body of %s MUST be the same with and without compression', async (path) => {
    const bare = await server.send(`/bare${path}`)
    const plain = await server.send(`/n${path}`)
    const packed = await server.send(`/n${path}`, { headers: gzip })
    const time = /(?<=<updated>)[^<]*/g
    expect(plain.text.replace(time, '')).toBe(bare.text.replace(time, ''))
    const body = packed.headers['content-encoding'] === 'gzip' ? gunzipSync(packed.bytes) : packed.bytes
    expect(body.toString().replace(time, '')).toBe(bare.text.replace(time, ''))
    expect([plain.status, packed.status]).toEqual([bare.status, bare.status])
    expect(plain.headers['content-type']).toBe(bare.headers['content-type'])
    expect(plain.headers['content-length']).toBe(bare.headers['content-length'])
  })

  it('MUST extend an existing Vary header', async () => {
    const { headers } = await server.send('/n/Categories', { headers: gzip })
    const names = headers.vary?.toLowerCase().split(/,\s*/)
    expect(names?.sort()).toEqual(['accept', 'accept-encoding', 'origin'])
    expect(headers['content-encoding']).toBe('gzip')
  })

  it('MUST preserve the stricter Cache-Control of the application', async () => {
    const controls = async (path: string, headers: Record<string, string> = {}): Promise<string[]> => {
      const response = await server.send(`/private${path}`, { headers })
      expect(response.status).toBeLessThan(300)
      return (response.headers['cache-control'] ?? '').split(', ').sort()
    }
    expect(await controls('/Categories')).toEqual(['no-cache', 'private'])
    expect(await controls('/Photos(1)/$value')).toEqual(['no-cache', 'private'])
    const part = await controls('/Photos(1)/$value', { Range: 'bytes=0-1' })
    expect(part).toEqual(['no-cache', 'no-transform', 'private'])
    const withToken = await controls('/Categories', { 'X-CSRF-Token': 'Fetch' })
    expect(withToken).toEqual(['no-cache', 'no-store', 'private'])
  })

  it('MUST preserve headers of middleware, unless its own are stricter', async () => {
    const document = await server.send('/n/Categories', { headers: gzip })
    expect(document.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'x-content-type-options': 'nosniff',
      'x-dns-prefetch-control': 'off',
      dataserviceversion: '2.0',
    })
    const media = await server.send('/n/Photos(1)/$value')
    expect(media.headers['content-security-policy']).toMatch(/sandbox$/)
  })

  it('MUST have links to the original URL of the request', async () => {
    const { text } = await server.send('/here/Categories(1)', { headers: { Host: 'public.example' } })
    expect(text).toContain('<id>http://public.example/here/Categories(1)</id>')
  })

  it('MUST leave preflight requests to CORS middleware', async () => {
    const headers = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' }
    const { status, headers: given } = await server.send('/n/Categories', { method: 'OPTIONS', headers })
    expect([status, given['access-control-allow-methods']]).toEqual([204, 'GET,HEAD,PUT,PATCH,POST,DELETE'])
  })

  it.each([
    ['application/json', '/n/Raise?pct=1D', '{}'],
    ['application/json', '/n/Raise', '{"pct":1}'],
    ['application/x-www-form-urlencoded', '/n/Raise', 'pct=1D'],
    ['text/plain', '/n/Raise?pct=1D', ' '],
  ])(
    'MUST call functions with a body of type %s that a body parser has read: %s %s',
    async (type, target, body) => {
      const { status } = await server.send(target, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body,
      })
      expect(status).toBe(204)
    },
  )

  it('MUST send ranges byte for byte', async () => {
    const { status, text, headers } = await server.send('/n/Photos(1)/$value', {
      headers: { ...gzip, Range: 'bytes=2-4' },
    })
    expect([status, text, headers['content-encoding'], headers['content-length']]).toEqual([
      206,
      '234',
      undefined,
      '3',
    ])
  })

  it('MUST respond to HEAD, and with 304, without a body', async () => {
    const head = await server.send('/n/Categories', { method: 'HEAD', headers: gzip })
    const same = await server.send('/n/Products(1)', { headers: { ...gzip, 'If-None-Match': 'W/"3"' } })
    expect([head.status, head.bytes.length, same.status, same.bytes.length]).toEqual([200, 0, 304, 0])
  })

  it('MUST send the start of a long document before its end is rendered', async () => {
    const more = gate()
    rows = new RecordedRows(async (index) => {
      if (index === 5) await more.opened
      return index < 10 ? hundredRows(index) : undefined
    })
    const outgoing = request({ port: server.port, agent: false, path: '/long/Categories', headers: gzip })
    outgoing.end()
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    const unzipped = incoming.pipe(createGunzip())
    const [first] = (await once(unzipped, 'data')) as [Buffer]
    expect(first.toString()).toContain('<id>')
    more.open()
    const chunks = [first]
    for await (const chunk of unzipped) chunks.push(chunk as Buffer)
    expect(
      Buffer.concat(chunks)
        .toString()
        .match(/<entry>/g),
    ).toHaveLength(1000)
  })

  it('MUST wait for a slow client without accumulating listeners', async () => {
    rows = new RecordedRows(async (index) => (index < 80 ? hundredRows(index) : undefined))
    drainListeners = 0
    const outgoing = request({ port: server.port, agent: false, path: '/long/Categories', headers: gzip })
    outgoing.end()
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    const chunks: Buffer[] = []
    for await (const chunk of incoming) {
      chunks.push(chunk as Buffer)
      if (chunks.length < 5) await turnEventLoop(100)
    }
    expect(drainListeners).toBeLessThan(3)
    const feed = parseXml(gunzipSync(Buffer.concat(chunks)).toString())
    expect(feed.children.filter((one) => typeof one === 'object' && one.name === 'entry')).toHaveLength(8_000)
  })
})
