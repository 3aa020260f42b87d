import express from 'express'
import { TestServer } from '../support/http-exchange.js'
import { exampleService } from '../support/services/example-service.js'

let server: TestServer
beforeAll(async () => {
  const app = express()
  app.use('/n', exampleService())
  app.use('/again', exampleService())
  app.use('/authorized', exampleService({ authorize: () => undefined }))
  app.use('/personal', exampleService({ context: () => 'ann' }))
  app.use('/chosen', (_req, res, next) => {
    res.set('Cache-Control', 'max-age=60')
    next()
  })
  app.use('/chosen', exampleService({ csrf: true }))
  server = await TestServer.start(app)
})
afterAll(() => server.stop())

async function cacheControl(target: string, headers: Record<string, string> = {}): Promise<unknown> {
  return (await server.send(target, { headers })).headers['cache-control']
}

describe('Cache-Control', () => {
  it.each([
    '/',
    '/Products',
    '/Products(1)',
    '/Products(1)?$format=json',
    '/Products(1)/Price',
    '/Products(1)/Dims',
    '/Products(1)/$links/Category',
    '/Names',
    '/Products(99)',
    '/Nothing',
  ])('MUST forbid to store %s, which has several formats', async (path) => {
    expect(await cacheControl(`/n${path}`)).toBe('no-store')
  })

  it('MUST forbid to store a 304 of a resource with several formats', async () => {
    const response = await server.send('/n/Products(1)', { headers: { 'If-None-Match': 'W/"3"' } })
    expect([response.status, response.headers['cache-control']]).toEqual([304, 'no-store'])
  })

  const single = ['/$metadata', '/Photos(1)/$value', '/Products(1)/Price/$value']

  it.each(single)('MUST demand that %s, which has one form, is revalidated', async (path) => {
    expect(await cacheControl(`/n${path}`)).toBe('no-cache')
    const { headers } = await server.send(`/n${path}`)
    const again = await server.send(`/n${path}`, { headers: { 'If-None-Match': String(headers.etag) } })
    expect([again.status, again.headers['cache-control']]).toEqual([304, 'no-cache'])
  })

  it.each(single)('MUST keep %s out of shared caches where responses depend on the caller', async (path) => {
    for (const service of ['/authorized', '/personal'])
      expect(await cacheControl(service + path)).toBe('private, no-cache')
  })

  it('MUST keep a range as it is and demand that it is revalidated', async () => {
    expect(await cacheControl('/n/Photos(1)/$value', { Range: 'bytes=0-1' })).toBe('no-cache, no-transform')
  })

  it.each(['/', '/Products', '/Nothing', ...single])('of the application MUST stay: %s', async (path) => {
    expect(await cacheControl(`/chosen${path}`)).toBe('max-age=60')
  })

  it('of the application MUST NOT let a cache store a CSRF token', async () => {
    expect(await cacheControl('/chosen/', { 'X-CSRF-Token': 'Fetch' })).toBe('max-age=60, no-store')
  })
})

describe('The ETag of $metadata', () => {
  it('MUST be the same in every service with the same model', async () => {
    const tags = await Promise.all(
      ['/n', '/again'].map(async (root) => (await server.send(`${root}/$metadata`)).headers.etag),
    )
    expect(tags[0]).toMatch(/^"[\w-]+"$/)
    expect(tags[1]).toBe(tags[0])
  })
})
