import { createServer, IncomingMessage } from 'node:http'
import { createServer as createSecureServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import express from 'express'
import type { RequestListenerOptions } from '../../lib/index.js'
import { memoryProvider, odataV2, requestListener } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'
import { rawResponses } from '../support/raw-exchanges.js'
import { exampleData, exampleModel, exampleProvider } from '../support/services/example-service.js'
import { withHandlers } from '../support/with-handlers.js'

type Options = RequestListenerOptions<unknown, typeof exampleModel>

function listenerWith(options: Options): ReturnType<typeof requestListener> {
  return requestListener(exampleModel, exampleProvider(), options)
}

describe('Without Express', () => {
  const running: TestServer[] = []
  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop()
  })

  async function start(what: Parameters<typeof TestServer.start>[0]): Promise<TestServer> {
    const server = await TestServer.start(what)
    running.push(server)
    return server
  }

  const serve = (options: Options = {}): Promise<TestServer> => start(listenerWith(options))

  it('a service MUST respond with the same bytes as with Express', async () => {
    const app = express().disable('x-powered-by').use('/n', odataV2(exampleModel, exampleProvider()))
    const responses = await rawResponses(await serve({ mountPath: '/n' }))
    expect(responses).toEqual(await rawResponses(await start(app)))
    expect(responses.join('')).toContain('<id>http://h.example/n/Categories(1)</id>')
  })

  it.each([
    [undefined, '/', '/'],
    ['/', '/', '/'],
    ['', '/', '/'],
    ['/n', '/n', '/n/'],
    ['/n', '/n/', '/n/'],
    ['/n/', '/n', '/n/'],
    ['/v2/shop', '/v2/shop/', '/v2/shop/'],
    ['/v2/shop.svc', '/v2/shop.svc', '/v2/shop.svc/'],
    ['/a&b', '/a&b/', '/a%26b/'],
    ['/a%20b', '/a%20b/', '/a%20b/'],
  ])('mounted under %p it MUST respond to %s with the root %s', async (mountPath, target, root) => {
    const server = await serve({ mountPath })
    const { status, text } = await server.send(target)
    expect(status).toBe(200)
    expect(/xml:base="([^"]*)"/.exec(text)?.[1]).toBe(`http://${server.host}${root}`)
    const entry = await server.send(`${target.replace(/\/$/, '')}/Categories(1)?$format=json`)
    expect(entry.text).toContain(`"uri":"http://${server.host}${root}Categories(1)"`)
  })

  it.each(['/', '/m', '/nn', '/n2/', '/N/', '/x/n/', '/n%2F', '//n/', '*'])(
    'mounted under /n it MUST respond to %s with 404, in the requested format',
    async (target) => {
      const server = await serve({ mountPath: '/n' })
      const method = target === '*' ? 'OPTIONS' : 'GET'
      const response = await server.send(target, { method, headers: { Accept: 'application/json' } })
      expect(response.status).toBe(404)
      expect(JSON.parse(response.text)).toMatchObject({ error: { code: 'ResourceNotFound' } })
      expect(response.headers.dataserviceversion).toBe('2.0')
    },
  )

  it('a query MUST be accepted without a slash before it', async () => {
    const { headers } = await (await serve({ mountPath: '/n' })).send('/n?$format=json')
    expect(headers['content-type']).toBe('application/json;charset=utf-8')
  })

  it('forwarded headers MUST be ignored', async () => {
    const server = await serve()
    const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'evil', 'X-Forwarded-Prefix': '/p' }
    const { text } = await server.send('/', { headers: { Host: 'h.example', ...forwarded } })
    expect(text).toContain('xml:base="http://h.example/"')
  })

  it('an invalid Host MUST be rejected: it would be part of every link', async () => {
    expect((await (await serve()).send('/', { headers: { Host: 'a<b' } })).status).toBe(400)
  })

  it('the configured service root MUST be used in links', async () => {
    const server = await serve({ mountPath: '/n', serviceRoot: 'https://example.org/public' })
    expect((await server.send('/n/')).text).toContain('xml:base="https://example.org/public/"')
  })

  it('the application MUST be passed the request of Node', async () => {
    const given: unknown[] = []
    const server = await serve({
      mountPath: '/n',
      context: (req) => given.push(req, req.url),
      csrf: {
        session(req) {
          given.push(req)
          return ''
        },
      },
      onError: (_error, req) => given.push(req, req.url),
    })
    await server.send('/n/Raise?pct=13.0', { method: 'POST' })
    await server.send('/n/Categories(1)', { headers: { 'x-csrf-token': 'Fetch' } })
    const token = (await server.send('/n/', { headers: { 'x-csrf-token': 'Fetch' } })).headers['x-csrf-token']
    const headers = { 'x-csrf-token': String(token) }
    await server.send('/n/Raise?pct=13.0', { method: 'POST', headers })
    const urls = given.filter((one) => typeof one === 'string')
    expect(new Set(urls)).toEqual(new Set(['/n/Categories(1)', '/n/Raise?pct=13.0']))
    for (const one of given) expect(typeof one === 'string' || one instanceof IncomingMessage).toBe(true)
    expect(given.length).toBeGreaterThan(6)
  })

  // Sockets of Bun have this property with and without TLS.
  it.each(['a listener', 'Express'])(
    'without TLS, %s MUST use http where sockets state that',
    async (name) => {
      const app = express().use('/n', odataV2(exampleModel, exampleProvider()))
      const server = createServer(name === 'Express' ? app : listenerWith({ mountPath: '/n' }))
      server.on('connection', (socket) => Object.assign(socket, { encrypted: false }))
      const { text } = await (await start(server)).send('/n/', { headers: { Host: 'h.example' } })
      expect(text).toContain('xml:base="http://h.example/n/"')
    },
  )

  it('over TLS the links MUST use https', async () => {
    // Keys that both sides know need no certificate.
    const psk = Buffer.alloc(16, 'k')
    const ciphers = 'PSK-AES128-GCM-SHA256'
    const tls = { ciphers, maxVersion: 'TLSv1.2' } as const
    const server = createSecureServer({ ...tls, pskCallback: () => psk }, listenerWith({ mountPath: '/n' }))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const client = {
      ...tls,
      pskCallback: () => ({ psk, identity: 'spec' }),
      checkServerIdentity: () => undefined,
    }
    const headers = { Host: 'h.example' }
    const requested = request({ ...client, host: '127.0.0.1', port, path: '/n/', agent: false, headers })
    requested.end()
    const [response] = (await once(requested, 'response')) as [IncomingMessage]
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString()).toContain('xml:base="https://h.example/n/"')
    server.closeAllConnections()
    server.close()
  })
})

describe('requestListener', () => {
  const start = requestListener as (model: unknown, provider: unknown, options?: unknown) => unknown

  it.each(['n', '/n?x', '/n#x', '/ä', '/a b', '//', '/a//b', 'http://h/n', 7, null])(
    'MUST reject %p as a mount path, and explain the valid form',
    (mountPath) => {
      expect(() => start(exampleModel, exampleProvider(), { mountPath })).toThrow(TypeError)
      expect(() => start(exampleModel, exampleProvider(), { mountPath })).toThrow(
        "requestListener: mountPath must be a percent-encoded path such as '/v2/shop', not",
      )
    },
  )

  it('MUST check its other arguments like odataV2', () => {
    expect(() => start({}, exampleProvider())).toThrow('the first argument must be a model')
    expect(() => start(exampleModel, {})).toThrow('second argument must be a provider')
    expect(() => start(exampleModel, exampleProvider(), { pagesize: 5 })).toThrow("Did you mean 'pageSize'?")
  })

  it.each([
    ['a model', [{}, exampleProvider()]],
    ['a provider', [exampleModel, {}]],
    ['a set', [exampleModel, { entitySets: {} }]],
    ['options', [exampleModel, exampleProvider(), null]],
    ['an option', [exampleModel, exampleProvider(), { pageSize: -1 }]],
    ['a hook', [exampleModel, exampleProvider(), { hooks: { Categories: { before() {} } } }]],
    ['a mount path', [exampleModel, exampleProvider(), { mountPath: 'n' }]],
  ] as const)('MUST report under its own name that it cannot start with %s', (_what, given) => {
    const [model, provider, options] = given
    expect(() => start(model, provider, options)).toThrow(/^requestListener: /)
  })

  it('MUST accept its own option in addition to those of every service', () => {
    expect(() => start(exampleModel, exampleProvider(), { mountpath: '/n' })).toThrow(
      "requestListener: 'mountpath' is not an option. Did you mean 'mountPath'?",
    )
    const mount = odataV2 as typeof start
    expect(() => mount(exampleModel, exampleProvider(), { mountPath: '/n' })).toThrow(
      "odataV2: 'mountPath' is not an option.",
    )
  })

  it('MUST share a provider with a service in Express', async () => {
    const provider = withHandlers(memoryProvider(exampleModel, exampleData), exampleModel)
    const plain = await TestServer.start(requestListener(exampleModel, provider))
    const mounted = await TestServer.start(express().use(odataV2(exampleModel, provider)))
    const body = JSON.stringify({ ID: 90, Name: 'New' })
    const headers = { 'Content-Type': 'application/json' }
    expect((await plain.send('/Categories', { method: 'POST', headers, body })).status).toBe(201)
    expect((await mounted.send('/Categories(90)/Name/$value')).text).toBe('New')
    await plain.stop()
    await mounted.stop()
  })
})
