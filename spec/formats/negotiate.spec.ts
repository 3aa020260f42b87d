import express from 'express'
import { negotiate } from '../../lib/formats/negotiate.js'
import { errorOf } from '../support/error-of.js'
import { TestServer } from '../support/http-exchange.js'
import { exampleService } from '../support/services/example-service.js'

const feed = 'application/atom+xml;type=feed;charset=utf-8'
const entry = 'application/atom+xml;type=entry;charset=utf-8'
const service = 'application/atomsvc+xml;charset=utf-8'
const xml = 'application/xml;charset=utf-8'
const textXml = 'text/xml;charset=utf-8'
const json = 'application/json;charset=utf-8'
const verbose = 'application/json;odata=verbose;charset=utf-8'
const text = 'text/plain;charset=utf-8'

/** The `Accept` headers of browsers, datajs and the .NET client. */
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8'
const datajs =
  'application/atomsvc+xml;q=0.8, application/json;odata=fullmetadata;q=0.7, application/json;q=0.5, */*;q=0.1'
const wcf = 'application/atom+xml,application/xml'

let server: TestServer
beforeAll(async () => {
  server = await TestServer.start(express().use('/n', exampleService()))
})
afterAll(() => server.stop())

/** Returns the content type of the response, or its status if it is not 200. */
async function responded(target: string, accept?: string): Promise<string | number> {
  const { status, headers } = await server.send(
    target,
    accept === undefined ? {} : { headers: { Accept: accept } },
  )
  return status === 200 ? (headers['content-type'] ?? '') : status
}

describe('The Accept header', () => {
  it.each([
    ['/n/', undefined, service],
    ['/n/', '*/*', service],
    ['/n/', 'application/*', service],
    ['/n/', 'application/atomsvc+xml', service],
    ['/n/', 'application/xml', xml],
    ['/n/', 'text/xml', textXml],
    ['/n/', 'text/*', textXml],
    ['/n/', 'application/json', json],
    ['/n/', 'application/atom+xml', service],
    ['/n/', 'application/atom+xml;q=0.5, application/xml', xml],
    ['/n/', wcf, service],
    ['/n/', datajs, service],
    ['/n/', browser, xml],
    ['/n/', 'text/html', 406],
    ['/n/Categories', undefined, feed],
    ['/n/Categories', '*/*', feed],
    ['/n/Categories', 'application/*', feed],
    ['/n/Categories', 'application/atom+xml', feed],
    ['/n/Categories', 'application/atom+xml;type=feed', feed],
    ['/n/Categories', 'application/atom+xml; type="feed"; charset=UTF-8', feed],
    ['/n/Categories', 'application/atom+xml;type=entry', 406],
    ['/n/Categories', 'application/atom+xml;type=entry, */*;q=0.1', feed],
    ['/n/Categories', 'application/xml', xml],
    ['/n/Categories', 'text/xml', textXml],
    ['/n/Categories', 'text/*', textXml],
    ['/n/Categories', 'application/json', json],
    ['/n/Categories', wcf, feed],
    ['/n/Categories', datajs, json],
    ['/n/Categories', browser, xml],
    ['/n/Categories', 'application/atomsvc+xml', 406],
    ['/n/Categories', 'text/plain', 406],
    ['/n/Categories', 'image/*', 406],
    ['/n/ByRating', 'application/atom+xml;type=feed', feed],
    ['/n/Categories(1)/Products', 'application/atom+xml;type=feed', feed],
    ['/n/Categories(1)', undefined, entry],
    ['/n/Categories(1)', 'application/atom+xml', entry],
    ['/n/Categories(1)', 'application/atom+xml;type=entry', entry],
    ['/n/Categories(1)', 'application/atom+xml;type=feed', 406],
    ['/n/Categories(1)', 'application/xml', xml],
    ['/n/Categories(1)', 'text/xml', textXml],
    ['/n/Categories(1)', 'application/json', json],
    ['/n/Best', 'application/atom+xml;type=entry', entry],
    ['/n/Products(1)/Category', 'application/atom+xml;type=feed', 406],
    ['/n/Categories(1)/Name', undefined, xml],
    ['/n/Categories(1)/Name', '*/*', xml],
    ['/n/Categories(1)/Name', 'application/xml', xml],
    ['/n/Categories(1)/Name', 'text/xml', textXml],
    ['/n/Categories(1)/Name', 'application/json', json],
    ['/n/Categories(1)/Name', 'application/atom+xml', xml],
    ['/n/Categories(1)/Name', 'application/atomsvc+xml', xml],
    ['/n/Categories(1)/Name', datajs, json],
    ['/n/Products(1)/Dims', datajs, json],
    ['/n/Categories(1)/$links/Products', datajs, json],
    ['/n/Products(1)/$links/Category', datajs, json],
    ['/n/Total', datajs, json],
    ['/n/Names', datajs, json],
    ['/n/Categories(1)/Name', 'application/atom+xml;q=0.8, application/json;q=0.5, */*;q=0.1', xml],
    ['/n/Categories(1)/Name', 'application/atom+xml;q=0.4, application/json;q=0.5, */*;q=0.1', json],
    ['/n/Categories(1)/Name', 'text/plain', 406],
    ['/n/Products(1)/Dims', 'application/atom+xml', xml],
    ['/n/Products(1)/Dims', 'application/json', json],
    ['/n/Categories(1)/$links/Products', wcf, xml],
    ['/n/Categories(1)/$links/Products', 'application/json', json],
    ['/n/Products(1)/$links/Category', 'text/xml', textXml],
    ['/n/Total', 'application/atom+xml', xml],
    ['/n/Names', 'application/json', json],
    ['/n/Sizes', 'image/png', 406],
    ['/n/$metadata', undefined, xml],
    ['/n/$metadata', '*/*', xml],
    ['/n/$metadata', 'application/xml', xml],
    ['/n/$metadata', 'text/xml', textXml],
    ['/n/$metadata', wcf, xml],
    ['/n/$metadata', 'application/atomsvc+xml', xml],
    ['/n/$metadata', datajs, xml],
    ['/n/$metadata', 'application/json', 406],
    ['/n/$metadata', 'application/json, */*;q=0.1', xml],
  ])('of %s: %s MUST receive %s', async (target, accept, expected) => {
    expect(await responded(target, accept)).toBe(expected)
  })

  it.each([
    ['application/json;q=0.5, application/atom+xml;q=0.4', json],
    ['application/json;q=0.4, application/atom+xml;q=0.5', feed],
    ['application/json;q=0.5, application/xml', xml],
    ['application/json;q=0.5, */*;q=0.9', feed],
    ['application/json;q=0.001, image/png', json],
    ['application/json, */*', json],
    ['*/*, application/json', json],
    ['application/*, text/xml', textXml],
    ['application/json;q=0, */*', feed],
    ['application/atom+xml;q=0, application/xml;q=0, text/xml;q=0, */*;q=0.1', json],
    ['application/*;q=0, */*', textXml],
    ['application/json;q=0', 406],
    ['*/*;q=0', 406],
    ['*/*;q=0.0, application/json;q=0.000', 406],
    ['application/json;q=0.5;odata=verbose', verbose],
  ])(
    'MUST be weighed by q, then by how exactly it names a type, then by the order of the service: %s',
    async (accept, expected) => {
      expect(await responded('/n/Categories', accept)).toBe(expected)
    },
  )

  it.each([
    ['application/json;odata=verbose', verbose],
    ['application/json; odata="verbose"', verbose],
    ['APPLICATION/JSON;ODATA=VERBOSE', verbose],
    ['application/json;odata=verbose;charset=utf-8', verbose],
    ['application/json, application/json;odata=verbose', verbose],
    ['application/json;odata=verbose;q=0.5, application/json;q=0.9', verbose],
    ['application/json;odata=light', 406],
    ['application/json;odata=minimalmetadata', 406],
    ['application/json;odata.metadata=minimal', 406],
    ['application/json;odata.metadata=minimal, application/json;q=0.5', json],
    ['application/json;odata.metadata=minimal;q=1.0,application/atom+xml;q=0.8,text/plain;q=0.7', feed],
    ['application/json;odata=fullmetadata', 406],
    ['application/json;odata=nometadata', 406],
    ['application/json;odata=light, application/json', json],
    ['application/json;odata=light;q=1, application/json;q=0.5', json],
    ['application/json;odata=light, application/json;odata=verbose', verbose],
    ['application/json;odata=light, */*;q=0.1', feed],
  ])('MUST speak of the verbose kind of JSON: %s', async (accept, expected) => {
    expect(await responded('/n/Categories', accept)).toBe(expected)
  })

  it.each([
    ['application/json;charset=utf-8', json],
    ['application/json;charset=UTF8', json],
    ['application/json;charset=iso-8859-1', 406],
    ['application/atom+xml;charset=utf-16', 406],
    ['application/atom+xml;charset=utf-16, application/xml', xml],
  ])('MUST ask for UTF-8 if for any charset: %s', async (accept, expected) => {
    expect(await responded('/n/Categories', accept)).toBe(expected)
  })

  it.each(['json', 'application/json;q=2', '*/json', 'application/json odata=verbose', ',', '(*/*)'])(
    'MUST count as absent when it is malformed: %s',
    async (accept) => {
      expect(await responded('/n/Categories', accept)).toBe(feed)
    },
  )

  it.each([
    ['/n/Categories/$count', text],
    ['/n/Categories(1)/Name/$value', text],
    ['/n/Products(1)/Pic/$value', 'application/octet-stream'],
    ['/n/Photos(1)/$value', 'image/png'],
  ])('MUST not matter to %s', async (target, expected) => {
    for (const accept of [undefined, '*/*', 'application/json', 'application/atom+xml', 'x/y', '*/*;q=0']) {
      expect(await responded(target, accept)).toBe(expected)
    }
  })
})

describe('$format', () => {
  it.each([
    ['/n/', 'atom', service],
    ['/n/', 'json', json],
    ['/n/', 'xml', xml],
    ['/n/', 'application/atomsvc%2Bxml', service],
    ['/n/Categories', 'atom', feed],
    ['/n/Categories', 'json', json],
    ['/n/Categories', 'xml', xml],
    ['/n/Categories', 'application/json', json],
    ['/n/Categories', 'application/json;odata=verbose', verbose],
    ['/n/Categories', 'application/json%3Bodata%3Dverbose', verbose],
    ['/n/Categories', 'application/json;odata=light', 406],
    ['/n/Categories', 'application/atom%2Bxml;type=feed', feed],
    ['/n/Categories', 'application/atom%2Bxml;type=entry', 406],
    ['/n/Categories', 'text/xml', textXml],
    ['/n/Categories', '*/*', feed],
    ['/n/Categories', 'text/plain', 406],
    ['/n/Categories', 'JSON', 406],
    ['/n/Categories', 'yaml', 406],
    ['/n/Categories', 'json,atom', 406],
    ['/n/Categories', 'toString', 406],
    ['/n/Categories(1)', 'atom', entry],
    ['/n/Categories(1)', 'json', json],
    ['/n/Categories(1)', 'application/atom%2Bxml;type=feed', 406],
    ['/n/Categories(1)/Name', 'json', json],
    ['/n/Categories(1)/Name', 'xml', xml],
    ['/n/Products(1)/Dims', 'json', json],
    ['/n/Categories(1)/$links/Products', 'json', json],
    ['/n/Products(1)/$links/Category', 'json', json],
    ['/n/Total', 'json', json],
    ['/n/Sizes', 'xml', xml],
    ['/n/ByRating', 'json', json],
    ['/n/Best', 'json', json],
    ['/n/$metadata', 'xml', xml],
    ['/n/$metadata', 'json', 400],
    ['/n/$metadata', 'application/json', 400],
    ['/n/$metadata', 'application/json;odata=verbose', 400],
    ['/n/$metadata', 'text/plain', 406],
    ['/n/Categories', '', 400],
    ['/n/Categories/$count', 'json', 'text/plain;charset=utf-8'],
    ['/n/Categories(1)/Name/$value', 'json', 'text/plain;charset=utf-8'],
    ['/n/Photos(1)/$value', 'json', 'image/png'],
  ])('of %s: %s MUST receive %s', async (target, format, expected) => {
    expect(await responded(`${target}?$format=${format}`)).toBe(expected)
  })

  it.each(['application/atom+xml', 'image/png', '*/*;q=0', 'application/json;q=0'])(
    'MUST count more than Accept: %s',
    async (accept) => {
      expect(await responded('/n/Categories?$format=json', accept)).toBe(json)
    },
  )

  it('MUST not fall back to Accept when its format does not exist', async () => {
    expect(await responded('/n/Categories?$format=yaml', 'application/json')).toBe(406)
  })
})

describe('A page for browsers', () => {
  it('MUST be mentioned when HTML is requested from the service document, and nowhere else', () => {
    const message = (kind: 'serviceDocument' | 'feed'): string =>
      errorOf(() => negotiate(kind, undefined, 'text/html')).message
    expect(message('serviceDocument')).toContain('The option explorer: true provides an HTML page.')
    expect(message('feed')).not.toContain('explorer')
  })
})

describe('The format of an error', () => {
  it.each([
    ['/n/X', undefined, xml],
    ['/n/X', '*/*', xml],
    ['/n/X', 'application/json', json],
    ['/n/X', 'application/json;odata=verbose', verbose],
    ['/n/X', 'application/atom+xml, application/json;q=0.5', xml],
    ['/n/X', 'application/atom+xml;q=0.1, application/json', json],
    ['/n/X', datajs, json],
    ['/n/X', 'text/html', xml],
    ['/n/X', 'text/xml', xml],
    ['/n/X?$format=json', 'application/xml', json],
    ['/n/X?%24format=application/json;odata=verbose', undefined, verbose],
    ['/n/X?$format=atom', 'application/json', xml],
    ['/n/X?$format=%ZZ', 'application/json', json],
    ['/n/X?$format=what', 'application/json', json],
    ['/n/X?$format=json&$format=json', undefined, json],
    ['/n/X/$count', 'application/json', json],
    ['/n/Categories(1)/X/$value', 'application/json', json],
    ['/n/Photos(9)/$value', 'application/json', json],
    ['/n/$metadata/x', 'application/json', json],
    ['/n/Categories(%ZZ)', 'application/json', json],
  ])('of %s for Accept %s MUST be %s', async (target, accept, expected) => {
    const { status, headers } = await server.send(
      target,
      accept === undefined ? {} : { headers: { Accept: accept } },
    )
    expect(status).toBeGreaterThanOrEqual(400)
    expect(headers['content-type']).toBe(expected)
  })
})
