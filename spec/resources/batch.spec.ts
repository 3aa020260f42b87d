import express from 'express'
import {
  responsesIn,
  responsesTo,
  batchBody,
  get,
  jsonOf,
  postBatch,
  single,
  statusesOf,
  written,
} from '../support/batch-exchange.js'
import { TestServer } from '../support/http-exchange.js'
import { exampleService } from '../support/services/example-service.js'

describe('A batch', () => {
  let server: TestServer
  beforeEach(async () => {
    server = await TestServer.start(express().use('/n', exampleService({ readOnly: false })))
  })
  afterEach(() => server.stop())

  it('MUST get 202, a Content-Type that ends with an unquoted boundary, and Cache-Control: no-cache', async () => {
    const { status, headers } = await postBatch(server.port, batchBody(get('Categories')), {
      Accept: 'application/json',
    })
    expect(status).toBe(202)
    expect(headers['content-type']).toMatch(/^multipart\/mixed; boundary=batchresponse_[0-9a-f-]{36}$/)
    expect([headers['cache-control'], headers.dataserviceversion]).toEqual(['no-cache', '2.0'])
  })

  it('MUST get the responses in the order of the requests, even if some of them fail', async () => {
    const responses = await responsesTo(
      server.port,
      get('Categories(1)'),
      get('Categories(99)'),
      get('Nothing'),
      get('Categories?$filter=Nope eq 1'),
      written('POST Categories', '{"ID":70,"Name":"Seventy"}'),
      get('Categories(70)/Name'),
      [written('DELETE Categories(70)')],
      get('Categories(70)'),
      get('Total'),
    )
    expect(statusesOf(responses)).toEqual([200, 404, 404, 400, 201, 200, [204], 404, 200])
    expect(jsonOf(responses[5])).toEqual({ Name: 'Seventy' })
  })

  it('MUST write a part without body as headers, an empty line, and one line end more', async () => {
    const { text } = await postBatch(server.port, batchBody([written('DELETE Categories(4)')]))
    expect(
      text.replace(/batchresponse_[0-9a-f-]{36}/g, 'B').replace(/changesetresponse_[0-9a-f-]{36}/g, 'C'),
    ).toBe(
      '--B\r\nContent-Type: multipart/mixed; boundary=C\r\n\r\n' +
        '--C\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n' +
        'HTTP/1.1 204 No Content\r\nDataServiceVersion: 2.0\r\nVary: Accept\r\nX-Content-Type-Options: nosniff\r\n\r\n' +
        '\r\n--C--\r\n--B--\r\n',
    )
  })

  it.each([
    '',
    '$metadata',
    'Categories?$expand=Products&$orderby=Name%20desc',
    'Categories(2)',
    'Products?$top=2&$inlinecount=allpages&$select=Name',
    'Products(1)',
    'Products(1)/Dims',
    'Products(1)/Price/$value',
    'Products(2)/Category',
    'Products(5)/Category',
    'Categories(1)/$links/Products',
    'Categories/$count',
    'Lines(No=1,Order=7)',
    'Parties',
    'Photos(1)/$value',
    'ByRating?min=4',
    'Names',
    "Categories?$filter=Name%20eq%20'",
  ])('MUST return the response of the single request: %s', async (uri) => {
    const updated = /<updated>[^<]*<\/updated>/g
    for (const headers of [{}, { Accept: 'application/json' }, { 'If-None-Match': 'W/"3"' }]) {
      const alone = await server.send(`/n/${uri}`, { headers })
      const [response] = await responsesTo(server.port, written(`GET ${uri === '' ? '/' : uri}`, '', headers))
      const part = single(response)
      expect([part.status, part.body.replace(updated, '')]).toEqual([
        alone.status,
        alone.bytes.toString('latin1').replace(updated, ''),
      ])
      for (const name of ['content-type', 'etag', 'dataserviceversion', 'location', 'allow']) {
        expect(part.headers[name]).toBe(alone.headers[name])
      }
      // The parts of a batch are not compressed, so they do not depend on the accepted encodings.
      expect(part.headers.vary).toBe(alone.headers.vary?.replace(', Accept-Encoding', ''))
    }
  })

  it('MUST be legal when it is empty', async () => {
    const exchange = await postBatch(server.port, '--b--\r\n')
    expect(responsesIn(exchange)).toEqual([])
  })

  it('MUST give each part the format it asks for itself', async () => {
    const body = batchBody(
      written('GET Categories(1)'),
      get('Categories(1)'),
      written('GET Categories(1)?$format=json'),
      get('Categories(99)'),
      written('GET Categories(99)'),
      get('Elsewhere://x/y'),
      get('$9/Products'),
    )
    const responses = responsesIn(await postBatch(server.port, body, { Accept: 'application/json' }))
    expect(responses.map((one) => single(one).headers['content-type']?.split(';')[0])).toEqual([
      'application/atom+xml',
      'application/json',
      'application/json',
      'application/json',
      'application/xml',
      'application/json',
      'application/json',
    ])
  })

  it('MUST hand down MaxDataServiceVersion to parts that have none', async () => {
    const body = batchBody(
      get('Categories?$top=1'),
      get('Categories?$top=1', { MaxDataServiceVersion: '2.0' }),
    )
    const [first, second] = responsesIn(await postBatch(server.port, body, { MaxDataServiceVersion: '1.0' }))
    expect(single(first).headers.dataserviceversion).toBe('1.0')
    expect(jsonOf(first)).toHaveLength(1)
    expect(single(second).headers.dataserviceversion).toBe('2.0')
    expect(jsonOf(second)).toHaveProperty('results')
  })

  it('MUST not hand down conditions', async () => {
    const [response] = responsesIn(
      await postBatch(server.port, batchBody(get('Products(1)')), { 'If-None-Match': '*' }),
    )
    expect(single(response).status).toBe(200)
  })

  it('MUST respond to HEAD with the headers of GET and without a body', async () => {
    const [head, after] = await responsesTo(server.port, written('HEAD Categories'), get('Categories(1)'))
    expect(single(head).headers['content-type']).toBe('application/atom+xml;type=feed;charset=utf-8')
    expect([single(head).status, single(head).body]).toEqual([200, ''])
    expect(single(after).status).toBe(200)
  })

  it('MUST carry the bytes of media and of raw values', async () => {
    const [media, raw, range] = await responsesTo(
      server.port,
      written('GET Photos(1)/$value'),
      written('GET Products(1)/Pic/$value'),
      written('GET Photos(1)/$value', '', { Range: 'bytes=2-4' }),
    )
    expect([single(media).headers['content-type'], single(media).body]).toEqual(['image/png', '0123456789'])
    expect(single(raw).body).toBe('\x0f\xa0')
    expect([single(range).status, single(range).body]).toEqual([206, '234'])
  })

  it.each(['$batch', '/$batch', '%24batch', '%24%62atch', '/n/$batch', 'http://h/n/$batch'])(
    'MUST respond with 404 to a nested batch: %s',
    async (uri) => {
      const inner = batchBody(get('Categories'))
      const type = { 'Content-Type': 'multipart/mixed; boundary=b' }
      const nested = written(`POST ${uri}`, inner.replaceAll('--b', '--d'), type)
      expect(statusesOf(await responsesTo(server.port, nested, get('Categories'), get(uri)))).toEqual([
        404, 200, 404,
      ])
    },
  )

  it.each([
    ['Categories(1)', 200],
    ['/Categories(1)', 200],
    ['/n/Categories(1)', 200],
    ['http://other.example:99/n/Categories(1)', 200],
    ['https://other.example/elsewhere/Categories(1)', 404],
    ['ftp://other.example/n/Categories(1)', 404],
    ['/n/../n/Categories(1)', 404],
  ])('MUST understand the address %s', async (uri, status) => {
    expect(statusesOf(await responsesTo(server.port, get(uri)))).toEqual([status])
  })

  it('MUST have POST only', async () => {
    const { status, headers } = await server.send('/n/$batch')
    expect([status, headers.allow]).toEqual([405, 'POST, OPTIONS'])
  })

  it.each([
    ['application/json', 415],
    ['multipart/form-data; boundary=b', 415],
    ['multipart/mixed', 400],
    ['multipart/mixed; boundary=other', 400],
  ])('MUST refuse the Content-Type %s with %i', async (contentType, status) => {
    const exchange = await postBatch(server.port, batchBody(get('Categories')), {
      'Content-Type': contentType,
    })
    expect(exchange.status).toBe(status)
  })

  it('MUST do nothing at all when its form is wrong anywhere', async () => {
    const good = batchBody(written('DELETE Categories(4)'))
    const { status } = await postBatch(server.port, good.replace('--b--', '--b\r\n\r\nGET x\r\n--b--'))
    expect(status).toBe(400)
    expect((await server.send('/n/Categories(4)')).status).toBe(200)
  })

  it('MUST take boundaries in quotes, among other parameters', async () => {
    const exchange = await postBatch(server.port, batchBody(get('Categories')), {
      'Content-Type': 'Multipart/Mixed; charset=utf-8; Boundary="b"; x=y',
    })
    expect(statusesOf(responsesIn(exchange))).toEqual([200])
  })
})

describe('The addresses of a batch', () => {
  let server: TestServer
  afterEach(() => server.stop())

  it('MUST be understood under a mount path of several segments', async () => {
    const api = express.Router().use('/svc%20v1', exampleService())
    server = await TestServer.start(express().use('/api', api))
    const path = '/api/svc%20v1/$batch'
    const body = batchBody(get('/api/svc%20v1/Categories(1)'), get('http://x/api/svc%20v1/Categories(1)'))
    expect(statusesOf(responsesIn(await postBatch(server.port, body, {}, path)))).toEqual([200, 200])
  })

  it('MUST be understood with the prefix that a trusted proxy cuts off', async () => {
    server = await TestServer.start(
      express()
        .set('trust proxy', true)
        .use('/n', exampleService({ forwardedPrefix: true })),
    )
    const body = batchBody(get('/public/n/Categories(1)'), get('https://h.example/public/n/Categories(1)'))
    const responses = responsesIn(
      await postBatch(server.port, body, {
        'X-Forwarded-Prefix': '/public',
        'X-Forwarded-Host': 'h.example',
        'X-Forwarded-Proto': 'https',
      }),
    )
    expect(statusesOf(responses)).toEqual([200, 200])
    expect(jsonOf(responses[0])).toMatchObject({
      __metadata: { uri: 'https://h.example/public/n/Categories(1)' },
    })
  })
})

describe('A batch that changes read-only resources', () => {
  it('MUST respond to reads, and with 405 to writes', async () => {
    const server = await TestServer.start(express().use('/n', exampleService({ readOnly: true })))
    const responses = await responsesTo(
      server.port,
      get('Categories(1)'),
      written('DELETE Categories(1)'),
      [written('DELETE Categories(1)'), written('DELETE Categories(2)')],
      get('Categories(1)'),
    )
    expect(statusesOf(responses)).toEqual([200, 405, 405, 200])
    await server.stop()
  })
})
