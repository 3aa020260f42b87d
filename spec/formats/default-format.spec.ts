import express from 'express'
import { TestServer } from '../support/http-exchange.js'
import { exportShop } from '../support/export-shop.js'

const json = 'application/json;charset=utf-8'
const verbose = 'application/json;odata=verbose;charset=utf-8'
const xml = 'application/xml;charset=utf-8'
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8'

let server: TestServer
beforeAll(async () => {
  const app = express()
  app.use('/json', exportShop({ defaultFormat: 'json', csrf: true, limits: { url: 100 } }))
  app.use('/atom', exportShop({ defaultFormat: 'atom' }))
  app.use('/explorer', exportShop({ defaultFormat: 'json', explorer: true }))
  server = await TestServer.start(app)
})
afterAll(() => server.stop())

/** Returns status and content type of a response. */
async function responded(
  target: string,
  accept?: string,
  method = 'GET',
): Promise<readonly [number, string | undefined]> {
  const headers = accept === undefined ? {} : { Accept: accept }
  const response = await server.send(target, { method, headers })
  return [response.status, response.headers['content-type']]
}

describe('defaultFormat: json', () => {
  const resources = [
    '/json/',
    '/json/Products',
    '/json/Products(1)',
    '/json/Products(1)/Name',
    '/json/Products(1)/Size',
    '/json/Products(1)/$links/Category',
    '/json/Categories(7)/$links/Products',
    '/json/Cheapest',
    '/json/Names',
  ]
  it.each(resources)('MUST be the format of requests without preference: %s', async (target) => {
    for (const accept of [undefined, '', '*/*', 'application/*', 'image/png, */*;q=0.1']) {
      expect([accept, ...(await responded(target, accept))]).toEqual([accept, 200, json])
    }
  })

  it.each(resources)('MUST be no reason to ignore $format and Accept: %s', async (target) => {
    const atom = await responded(target.replace('/json', '/atom'))
    expect(await responded(target, 'application/atom+xml, */*;q=0.1')).toEqual(atom)
    expect(await responded(target, 'application/json;odata=verbose, */*;q=0.1')).toEqual([200, verbose])
    expect(await responded(target, browser)).toEqual([200, xml])
    expect(await responded(`${target}?$format=xml`, '*/*')).toEqual([200, xml])
  })

  it.each([
    ['/json/Nothing', 404],
    ['/json/Products?$filter=x', 400],
    ['/json/Products?$format=png', 406],
    [`/json/Products?$filter=${'x'.repeat(100)}`, 414],
  ])('MUST be the format of errors: %s', async (target, status) => {
    for (const accept of [undefined, '*/*', 'image/png']) {
      const [code, type] = await responded(target, accept)
      expect([accept, code, type]).toEqual([accept, status, json])
    }
    expect(await responded(target, 'application/xml')).toEqual([status, xml])
  })

  it('MUST be the format of an error without CSRF token', async () => {
    expect(await responded('/json/Products(1)', undefined, 'DELETE')).toEqual([403, json])
  })

  it('MUST not change documents with one format', async () => {
    expect(await responded('/json/$metadata')).toEqual([200, xml])
    expect((await responded('/json/Products(1)/Name/$value'))[1]).toBe('text/plain;charset=utf-8')
    expect((await responded('/json/Products', 'text/csv'))[1]).toMatch(/^text\/csv/)
    expect((await responded('/explorer/', browser))[1]).toMatch(/^text\/html/)
    expect((await responded('/explorer/$openapi', browser))[1]).toMatch(/^application\/json/)
  })

  it('MUST apply to the requests of a batch and their errors', async () => {
    const part = (target: string, header = ''): string =>
      `--b\r\nContent-Type: application/http\r\n\r\nGET ${target} HTTP/1.1\r\n${header}\r\n\r\n`
    const body = `${part('Products')}${part('Nothing')}${part('Products', 'Accept: application/atom+xml\r\n')}--b--`
    const headers = { 'Content-Type': 'multipart/mixed;boundary=b' }
    const { text } = await server.send('/explorer/$batch', { method: 'POST', headers, body })
    expect(text.match(/^Content-Type: application\/(?:json|atom|xml)[^\r]*/gm)).toEqual([
      `Content-Type: ${json}`,
      `Content-Type: ${json}`,
      'Content-Type: application/atom+xml;type=feed;charset=utf-8',
    ])
  })

  it('MUST be separate from the cached pages of other formats', async () => {
    for (let round = 0; round < 4; round++) {
      expect((await responded('/json/Products'))[1]).toBe(json)
      expect((await responded('/json/Products', 'application/atom+xml'))[1]).toMatch(/type=feed/)
      expect((await responded('/atom/Products'))[1]).toMatch(/type=feed/)
    }
  })
})
