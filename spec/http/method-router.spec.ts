import express from 'express'
import { TestServer } from '../support/http-exchange.js'
import { exampleService } from '../support/services/example-service.js'

let server: TestServer
beforeAll(async () => {
  server = await TestServer.start(
    express()
      .use('/writable', exampleService({ readOnly: false }))
      .use('/n', exampleService({ pageSize: 2 })),
  )
})
afterAll(() => server.stop())

const resources = [
  '/n/',
  '/n/$metadata',
  '/n/Categories',
  '/n/Categories?$filter=false',
  '/n/Categories(1)',
  '/n/Products(1)',
  '/n/Products(1)/Category',
  '/n/Categories(1)/Products',
  '/n/Products(1)/Dims',
  '/n/Products(1)/Price',
  '/n/Products(1)/Price/$value',
  '/n/Products(1)/Pic/$value',
  '/n/Products/$count',
  '/n/Categories(1)/$links/Products',
  '/n/Products(1)/$links/Category',
  '/n/Photos(1)/$value',
  '/n/Photos(2)/$value',
  '/n/Best',
  '/n/Total',
  '/n/Names',
  '/n/Nothing',
  '/n/Categories(99)',
  '/n/Categories?$top=x',
]

/**
 * Returns the headers that HEAD and GET have in common, with the length only if it is known without rendering
 * the body.
 */
function comparable(headers: Record<string, unknown>): Record<string, unknown> {
  const { date: _date, connection: _connection, 'transfer-encoding': _encoding, ...rest } = headers
  return rest
}

describe('HEAD', () => {
  it.each(resources)('MUST get the response of GET without a body: %s', async (target) => {
    for (const Accept of ['*/*', 'application/json']) {
      const get = await server.send(target, { headers: { Accept } })
      const head = await server.send(target, { method: 'HEAD', headers: { Accept } })
      expect(head.status).toBe(get.status)
      expect(head.bytes).toHaveLength(0)
      const { 'content-length': length, ...headers } = comparable(get.headers)
      expect({ 'content-length': length, ...comparable(head.headers) }).toEqual({
        'content-length': length,
        ...headers,
      })
    }
  })

  it('MUST return the Content-Length of GET', async () => {
    for (const target of ['/n/Photos(1)/$value', '/n/$metadata', '/n/Categories(1)', '/n/Products/$count']) {
      const { headers, bytes } = await server.send(target)
      const head = await server.send(target, { method: 'HEAD' })
      expect(headers['content-length']).toBe(String(bytes.length))
      expect(head.headers['content-length']).toBe(String(bytes.length))
    }
  })

  it('MUST not call a function that changes data', async () => {
    const { status, headers } = await server.send('/writable/Raise?pct=13', { method: 'HEAD' })
    expect([status, headers.allow]).toEqual([405, 'POST, OPTIONS'])
  })
})

describe('OPTIONS', () => {
  it.each([
    ['/n/', 'GET, HEAD, OPTIONS'],
    ['/n/$metadata', 'GET, HEAD, OPTIONS'],
    ['/n/Categories/$count', 'GET, HEAD, OPTIONS'],
    ['/n/Categories(1)/$links/Products/$count', 'GET, HEAD, OPTIONS'],
    ['/n/Total', 'GET, HEAD, OPTIONS'],
    ['/n/ByRating', 'GET, HEAD, OPTIONS'],
    ['/n/ByRating/$count', 'GET, HEAD, OPTIONS'],
    ['/n/Best/Name', 'GET, HEAD, OPTIONS'],
    ['/n/Raise?pct=1D', 'OPTIONS'],
    ['/writable/Raise?pct=1D', 'POST, OPTIONS'],
  ])('of %s MUST name the methods %s', async (target, allow) => {
    const { status, headers, bytes } = await server.send(target, { method: 'OPTIONS' })
    expect([status, headers.allow]).toEqual([204, allow])
    expect(bytes).toHaveLength(0)
    expect(headers).toMatchObject({
      vary: 'Accept',
      dataserviceversion: '2.0',
      'x-content-type-options': 'nosniff',
    })
  })

  it.each(['/n/Categories', '/n/Categories(1)', '/n/Categories(1)/Name', '/n/Photos(1)/$value'])(
    'of %s MUST list the methods that read it',
    async (target) => {
      const { headers } = await server.send(target, { method: 'OPTIONS' })
      expect(headers.allow?.split(', ')).toEqual(expect.arrayContaining(['GET', 'HEAD', 'OPTIONS']))
    },
  )

  it('MUST receive 404 for resources that the model does not have', async () => {
    expect((await server.send('/n/Nothing', { method: 'OPTIONS' })).status).toBe(404)
  })
})

describe('Other methods', () => {
  it.each([
    ['POST', '/n/'],
    ['PUT', '/n/$metadata'],
    ['MERGE', '/n/'],
    ['PATCH', '/n/$metadata'],
    ['DELETE', '/n/Categories/$count'],
    ['POST', '/n/Total'],
    ['PUT', '/n/ByRating'],
    ['DELETE', '/n/Best'],
  ])('%s on %s MUST receive 405, naming those that there are', async (method, target) => {
    const { status, headers, text } = await server.send(target, { method })
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect(text).toContain('<code>MethodNotAllowed</code>')
    expect(text).toContain(`${method} is not allowed on this resource. Allowed methods: GET, HEAD, OPTIONS.`)
  })

  it.each(['PROPFIND', 'LOCK', 'COPY', 'TRACE', 'SEARCH', 'PURGE'])('%s MUST receive 501', async (method) => {
    const { status, headers, text } = await server.send('/n/Categories', { method })
    expect([status, headers.allow]).toEqual([501, undefined])
    expect(text).toContain(`The method ${method} is not supported.`)
  })
})
