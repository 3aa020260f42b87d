import { expressVersions } from '../support/express-versions.js'
import { TestServer } from '../support/http-exchange.js'
import { exampleService } from '../support/services/example-service.js'

describe.each(expressVersions)('Mounted in %s', (_version, express) => {
  let server: TestServer
  afterEach(() => server.stop())

  async function start(prepare: (app: ReturnType<typeof express>) => void): Promise<void> {
    const app = express()
    prepare(app)
    server = await TestServer.start(app)
  }

  /** The root that the service believes to have, from the service document. */
  async function rootAt(target: string, headers: Record<string, string> = {}): Promise<string | undefined> {
    const { text } = await server.send(target, { headers })
    return /xml:base="([^"]*)"/.exec(text)?.[1]
  }

  it.each([
    ['/n', '/n', '/n/'],
    ['/n/', '/n', '/n/'],
    ['/n', '/n/', '/n/'],
    ['/n/', '/n/', '/n/'],
    ['/v1/northwind', '/v1/northwind', '/v1/northwind/'],
    ['/v1.0/odata.svc', '/v1.0/odata.svc/', '/v1.0/odata.svc/'],
    ['/N', '/n/', '/n/'],
    ['/n', '/N/', '/N/'],
    ['/t/:tenant', '/t/acme', '/t/acme/'],
    ['/t/:tenant/odata', '/t/acme/odata/', '/t/acme/odata/'],
    ['/t/:tenant', '/t/a%20b/', '/t/a%20b/'],
    ['/t/:tenant', '/t/%C3%A4%22%3Cx/', '/t/%C3%A4%22%3Cx/'],
    ['/t/:tenant', "/t/it's/", "/t/it's/"],
    ['/t/:tenant', '/t/a&b/', '/t/a%26b/'],
    ['/', '/', '/'],
  ])('under %s MUST respond to %s with the root %s', async (mount, target, root) => {
    await start((app) => app.use(mount, exampleService()))
    expect(await rootAt(target)).toBe(`http://${server.host}${root}`)
    const { status, text } = await server.send(`${target.replace(/\/$/, '')}/Categories(1)?$format=json`)
    expect(status).toBe(200)
    expect(text).toContain(`"uri":"http://${server.host}${root}Categories(1)"`)
  })

  it('MUST serve the root of the application without a mount path', async () => {
    await start((app) => app.use(exampleService()))
    expect(await rootAt('/')).toBe(`http://${server.host}/`)
    expect((await server.send('/Categories')).status).toBe(200)
  })

  it('MUST accept a query without a slash before it', async () => {
    await start((app) => app.use('/n', exampleService()))
    const { headers } = await server.send('/n?$format=json')
    expect(headers['content-type']).toBe('application/json;charset=utf-8')
  })

  it('MUST isolate several services', async () => {
    await start((app) => {
      app.use('/v1/n', exampleService({ pageSize: 1 }))
      app.use('/v2/n', exampleService({ pageSize: 2 }))
      app.use('/v2', exampleService({ disabledQueryOptions: ['$top'] }))
    })
    const results = async (target: string): Promise<unknown> => {
      const { text } = await server.send(target, { headers: { Accept: 'application/json' } })
      const { d } = JSON.parse(text) as { d: { results: unknown[]; __next?: string } }
      return [d.results.length, d.__next]
    }
    expect(await results('/v1/n/Categories')).toEqual([
      1,
      `http://${server.host}/v1/n/Categories?$skiptoken=1`,
    ])
    expect(await results('/v2/n/Categories')).toEqual([
      2,
      `http://${server.host}/v2/n/Categories?$skiptoken=2`,
    ])
    expect(await results('/v2/Categories')).toEqual([4, undefined])
    expect((await server.send('/v2/Categories?$top=1')).status).toBe(400)
    expect((await server.send('/v1/n/Categories?$top=1')).status).toBe(200)
  })

  it('MUST be the same service at every mount path of one router', async () => {
    const service = exampleService()
    await start((app) => app.use(['/a', '/b'], service))
    expect([await rootAt('/a'), await rootAt('/b/')]).toEqual([
      `http://${server.host}/a/`,
      `http://${server.host}/b/`,
    ])
  })

  it('MUST determine its root within routers and applications', async () => {
    await start((app) => {
      const inner = express.Router()
      inner.use('/n', exampleService())
      const sub = express()
      sub.use('/odata', inner)
      app.use('/api/:version', sub)
    })
    expect(await rootAt('/api/v1/odata/n')).toBe(`http://${server.host}/api/v1/odata/n/`)
  })

  it('MUST respond to every URL below its path, and to no other', async () => {
    await start((app) => {
      app.use('/n', exampleService())
      app.use((_req, res) => {
        res.status(418).end()
      })
    })
    const statuses = []
    for (const target of ['/n/Nothing', '/n/a/b/c', '/other', '/nn', '/n(1)'])
      statuses.push((await server.send(target)).status)
    expect(statuses).toEqual([404, 404, 418, 418, 418])
  })

  it('MUST use the paths as they were sent', async () => {
    await start((app) => app.use('/n', exampleService()))
    const statuses = []
    for (const target of [
      '/n//Categories',
      '/n/Categories/',
      '/n/Categories//',
      '/n/Categories%281%29',
      '/n/./Categories',
      '/n/../n/Categories',
      '/n/Categories?$top=1?',
    ]) {
      statuses.push((await server.send(target)).status)
    }
    expect(statuses).toEqual([200, 200, 400, 200, 404, 404, 400])
  })

  it('MUST get no ETag from Express', async () => {
    await start((app) => {
      app.set('etag', 'strong')
      app.use('/n', exampleService())
    })
    for (const target of ['/n/', '/n/Categories', '/n/Categories(1)/$links/Products']) {
      expect((await server.send(target)).headers.etag).toBeUndefined()
    }
  })

  it.each([
    ['GET http://other.example/n/Categories(1) HTTP/1.1', 200],
    ['GET http://other.example/n/Categories(1)/Name/$value HTTP/1.1', 200],
    ['GET http://other.example/n HTTP/1.1', 200],
    ['GET http://other.example/n?$format=json HTTP/1.1', 200],
    ['GET HTTPS://other.example:8443/n/Nothing HTTP/1.1', 404],
    ['GET http://other.example/n/a//b HTTP/1.1', 400],
  ])('MUST accept the absolute form: %s', async (line, status) => {
    await start((app) => app.use('/n', exampleService()))
    const response = await server.askRaw(`${line}\r\nHost: h.example\r\nConnection: close\r\n\r\n`)
    expect(response.split('\r\n')[0]).toMatch(`HTTP/1.1 ${status} `)
    if (line.endsWith('(1) HTTP/1.1')) expect(response).toContain('<id>http://h.example/n/Categories(1)</id>')
    expect(response).not.toContain('other.example')
  })

  it('MUST respond to HTTP/1.0 requests, which may have no Host', async () => {
    await start((app) => app.use('/n', exampleService()))
    const response = await server.askRaw('GET /n/Categories(1) HTTP/1.0\r\n\r\n')
    expect(response).toContain(`<id>http://localhost:${server.port}/n/Categories(1)</id>`)
  })
})
