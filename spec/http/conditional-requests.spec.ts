import express from 'express'
import { TestServer } from '../support/http-exchange.js'
import { exampleService } from '../support/services/example-service.js'

const started = Date.now()
let server: TestServer
beforeAll(async () => {
  server = await TestServer.start(express().use('/n', exampleService()))
})
afterAll(() => server.stop())

const entities = ['/n/Products(1)', '/n/Best', '/n/Categories(1)/Products(1)']
const parts = [
  '/n/Products(1)/Price',
  '/n/Products(1)/Dims',
  '/n/Products(1)/Dims/W',
  '/n/Products(1)/Price/$value',
]

describe('The ETag header', () => {
  it.each([...entities, ...parts])('MUST be part of the response to %s', async (target) => {
    expect((await server.send(target)).headers.etag).toBe('W/"3"')
  })

  it.each([
    '/n/',
    '/n/Products',
    '/n/Categories(1)/Products',
    '/n/ByRating',
    '/n/Products/$count',
    '/n/Categories(1)/$links/Products',
    '/n/Products(1)/$links/Category',
    '/n/Categories(1)',
    '/n/Categories(1)/Name',
    '/n/Photos(1)',
    '/n/Total',
    '/n/Names',
    '/n/Products(99)',
  ])('MUST not be part of the response to %s', async (target) => {
    expect((await server.send(target)).headers.etag).toBeUndefined()
  })
})

describe('If-None-Match', () => {
  const matching = ['W/"3"', '"3"', 'W/"1", W/"3"', 'W/"1","3"', '*', ' * ']

  it.each([...entities, ...parts])('MUST make 304 of an unchanged %s', async (target) => {
    for (const tag of matching) {
      const { status, headers, bytes } = await server.send(target, { headers: { 'If-None-Match': tag } })
      expect([status, headers.etag, headers['content-type']]).toEqual([304, 'W/"3"', undefined])
      expect(bytes).toHaveLength(0)
      expect(headers).toMatchObject({ vary: 'Accept', dataserviceversion: '2.0' })
    }
  })

  it.each(['W/"4"', 'W/"1", W/"2"', '""', 'W/3', '3', 'nonsense'])('%s MUST not match', async (tag) => {
    expect((await server.send('/n/Products(1)', { headers: { 'If-None-Match': tag } })).status).toBe(200)
  })

  it.each(['/n/', '/n/Products', '/n/Products/$count', '/n/Categories(1)/$links/Products', '/n/Total'])(
    'MUST not matter to %s, which has no tag',
    async (target) => {
      const { status } = await server.send(target, { headers: { 'If-None-Match': 'W/"3"' } })
      expect(status).toBe(200)
    },
  )

  it('MUST apply to HEAD', async () => {
    const { status } = await server.send('/n/Products(1)', {
      method: 'HEAD',
      headers: { 'If-None-Match': 'W/"3"' },
    })
    expect(status).toBe(304)
  })

  it('MUST not hide that there is no such entity', async () => {
    const { status } = await server.send('/n/Products(99)', { headers: { 'If-None-Match': '*' } })
    expect(status).toBe(404)
  })
})

describe('If-Match', () => {
  it.each(['W/"3"', '"3"', 'W/"1", W/"3"', '*'])('%s MUST return an unchanged entity', async (tag) => {
    for (const target of [...entities, ...parts]) {
      expect((await server.send(target, { headers: { 'If-Match': tag } })).status).toBe(200)
    }
  })

  it.each(['W/"4"', 'W/"1", W/"2"', 'nonsense'])('%s MUST receive 412', async (tag) => {
    for (const target of [...entities, ...parts]) {
      const { status, text } = await server.send(target, { headers: { 'If-Match': tag } })
      expect(status).toBe(412)
      expect(text).toContain('<code>PreconditionFailed</code>')
    }
  })

  it('MUST match * for entities without ETag, but no other ETag', async () => {
    expect((await server.send('/n/Categories(1)', { headers: { 'If-Match': '*' } })).status).toBe(200)
    expect((await server.send('/n/Categories(1)', { headers: { 'If-Match': 'W/"3"' } })).status).toBe(412)
  })

  it('MUST be evaluated before If-None-Match', async () => {
    const headers = { 'If-Match': 'W/"4"', 'If-None-Match': 'W/"3"' }
    expect((await server.send('/n/Products(1)', { headers })).status).toBe(412)
  })
})

describe('$metadata', () => {
  it('MUST have the time at which the model was loaded as Last-Modified, and respond with 304 to requests with that time', async () => {
    const { headers } = await server.send('/n/$metadata')
    const modified = headers['last-modified'] ?? ''
    expect(Date.parse(modified)).toBeGreaterThan(started - 1_000)
    expect(Date.parse(modified)).toBeLessThanOrEqual(Date.now())
    expect(modified).toBe(new Date(modified).toUTCString())
    for (const since of [modified, new Date(Date.parse(modified) + 5000).toUTCString()]) {
      const again = await server.send('/n/$metadata', { headers: { 'If-Modified-Since': since } })
      expect([again.status, again.bytes.length, again.headers['last-modified']]).toEqual([304, 0, modified])
    }
  })

  it.each([
    'Thu, 01 Jan 1970 00:00:00 GMT',
    'Thursday, 01-Jan-70 00:00:00 GMT',
    'yesterday',
    '2090-01-01T00:00:00Z',
    '4102444800000',
    'Xyz, 99 Foo 2090 00:00:00 GMT',
  ])('MUST be returned completely for If-Modified-Since %s', async (since) => {
    const { status, text } = await server.send('/n/$metadata', { headers: { 'If-Modified-Since': since } })
    expect(status).toBe(200)
    expect(text).toContain('<Schema')
  })

  it('MUST ignore If-Modified-Since with If-None-Match', async () => {
    const headers = { 'If-Modified-Since': new Date(Date.now() + 5000).toUTCString(), 'If-None-Match': '"x"' }
    expect((await server.send('/n/$metadata', { headers })).status).toBe(200)
  })

  it('MUST be the same document every time', async () => {
    const [first, second] = [await server.send('/n/$metadata'), await server.send('/n/$metadata?$format=xml')]
    expect(first.bytes.equals(second.bytes)).toBe(true)
    expect(first.headers['content-length']).toBe(String(first.bytes.length))
  })
})
