import express from 'express'
import { Readable } from 'node:stream'
import { TestServer } from '../support/http-exchange.js'
import { RecordedMedia } from '../support/recorded-media.js'
import { exampleService, exampleServiceWith } from '../support/services/example-service.js'

const modified = new Date('2020-01-02T03:04:05.678Z')
const lastModified = 'Thu, 02 Jan 2020 03:04:05 GMT'
const digits = '0123456789'
let media: RecordedMedia
let server: TestServer

/** Ten bytes with everything known about them. */
function tenBytes(more: object = {}): RecordedMedia {
  const description = { contentType: 'text/plain', size: 10, lastModified: modified, etag: '"v1"', ...more }
  return new RecordedMedia(description, (range) =>
    Readable.from([Buffer.from(range === undefined ? digits : digits.slice(range.start, range.end + 1))]),
  )
}

beforeAll(async () => {
  const app = express()
  app.use('/memory', exampleService())
  app.use('/n', (req, res, next) => {
    exampleServiceWith('Photos', media.provider)(req, res, next)
  })
  app.use('/saved', (req, res, next) => {
    exampleServiceWith('Photos', media.provider, { mediaDisposition: 'attachment' })(req, res, next)
  })
  server = await TestServer.start(app)
})
afterAll(() => server.stop())
beforeEach(() => {
  media = tenBytes()
})

const photo = '/n/Photos(1)/$value'

function send(headers: Record<string, string> = {}, method = 'GET') {
  return server.send(photo, { headers, method })
}

describe('A media resource', () => {
  it('MUST have all known headers', async () => {
    const { status, text, headers } = await send()
    expect([status, text]).toEqual([200, digits])
    expect(headers).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '10',
      'accept-ranges': 'bytes',
      'last-modified': lastModified,
      etag: '"v1"',
      dataserviceversion: '2.0',
      vary: 'Accept',
      'x-content-type-options': 'nosniff',
    })
    expect(media.calls).toEqual(['open', 'stream'])
  })

  it('MUST not run scripts in the name of the service', async () => {
    const { headers } = await send()
    const policy = String(headers['content-security-policy'])
    expect(policy.split('; ')).toEqual(expect.arrayContaining([`default-src 'none'`, 'sandbox']))
    expect(policy).not.toContain('allow-')
  })

  it.each([
    'text/html',
    'application/xhtml+xml',
    'image/svg+xml',
    'text/xml',
    'application/xml; charset=utf-8',
    'application/rss+xml',
    'multipart/related',
    'application/octet-stream',
    'application/pdfx',
    'text/pdf',
    'text/html; application/pdf',
    '',
  ])('MUST have an origin of its own that runs nothing: %p', async (contentType) => {
    media = tenBytes({ contentType })
    for (const headers of [{}, { Range: 'bytes=0-1' }, { 'If-None-Match': '"v1"' }]) {
      const response = await send(headers)
      expect(String(response.headers['content-security-policy'])).toMatch(/^default-src 'none'; .*; sandbox$/)
      expect(response.headers['x-content-type-options']).toBe('nosniff')
    }
  })

  it.each(['application/pdf', 'Application/PDF; version=1.7', 'application/pdf ;a=b'])(
    'MUST be open to the viewer of a browser, which runs apart, and run nothing itself: %p',
    async (contentType) => {
      media = tenBytes({ contentType })
      const { headers } = await send()
      expect(headers['content-security-policy']).toBe(
        "script-src 'none'; base-uri 'none'; form-action 'none'",
      )
      expect(headers['x-content-type-options']).toBe('nosniff')
    },
  )

  it.each([
    [undefined, 'attachment'],
    ['page.html', 'attachment; filename="page.html"'],
    ['a\r\nX-Evil: 1', `attachment; filename="a??X-Evil: 1"; filename*=UTF-8''a%0D%0AX-Evil%3A%201`],
  ])('MUST be an attachment if mediaDisposition is set so: %p', async (fileName, disposition) => {
    media = tenBytes({ fileName })
    for (const [headers, status] of [
      [{}, 200],
      [{ Range: 'bytes=0-1' }, 206],
    ] as const) {
      const response = await server.send(`/saved/Photos(1)/$value`, { headers })
      expect([response.status, response.headers['content-disposition']]).toEqual([status, disposition])
    }
  })

  it('MUST be sent in chunks without known length', async () => {
    media = new RecordedMedia({ contentType: 'text/plain' }, () => Readable.from(['012', '345']))
    const { text, headers } = await send({ Range: 'bytes=0-1' })
    expect(text).toBe('012345')
    expect([headers['content-length'], headers['transfer-encoding']]).toEqual([undefined, 'chunked'])
    expect([headers['accept-ranges'], headers['last-modified'], headers.etag]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('MAY come from memory', async () => {
    const { status, text, headers } = await server.send('/memory/Photos(1)/$value')
    expect([status, text, headers['content-type'], headers['content-length']]).toEqual([
      200,
      digits,
      'image/png',
      '10',
    ])
    expect(headers.etag).toMatch(/^"[^"]+"$/)
  })

  it('MUST be empty for an entity without one', async () => {
    const { status, headers, bytes } = await server.send('/memory/Photos(2)/$value')
    expect([status, headers['content-type'], headers['content-length']]).toEqual([
      200,
      'application/octet-stream',
      '0',
    ])
    expect(bytes).toHaveLength(0)
  })

  it.each([
    ['report.txt', 'inline; filename="report.txt"'],
    [
      'naïve "x" €.html',
      `inline; filename="na?ve \\"x\\" ?.html"; filename*=UTF-8''na%C3%AFve%20%22x%22%20%E2%82%AC.html`,
    ],
    ['a\r\nX-Evil: 1', `inline; filename="a??X-Evil: 1"; filename*=UTF-8''a%0D%0AX-Evil%3A%201`],
  ])('MUST be offered under its name: %p', async (fileName, disposition) => {
    media = tenBytes({ fileName })
    const { headers } = await send()
    expect(headers['x-evil']).toBeUndefined()
    expect(headers['content-disposition']).toBe(disposition)
  })

  it('MUST escape values of the provider in headers', async () => {
    media = tenBytes({ contentType: 'text/plain\r\nX-Evil: 1', etag: '"é€\n"' })
    const { status, headers } = await send()
    expect([status, headers['x-evil'], headers['content-type']]).toEqual([
      200,
      undefined,
      'text/plain??X-Evil: 1',
    ])
  })

  it('MUST respond to HEAD without being read', async () => {
    const { status, headers, bytes } = await send({ Range: 'bytes=0-1' }, 'HEAD')
    expect([status, headers['content-length'], headers['content-range'], bytes.length]).toEqual([
      200,
      '10',
      undefined,
      0,
    ])
    expect(media.calls).toEqual(['open', 'close'])
  })
})

describe('A range of a media resource', () => {
  it.each([
    ['bytes=0-3', '0-3', '0123'],
    ['bytes=3-5', '3-5', '345'],
    ['bytes=0-0', '0-0', '0'],
    ['bytes=9-9', '9-9', '9'],
    ['bytes=0-', '0-9', digits],
    ['bytes=7-', '7-9', '789'],
    ['bytes=7-100', '7-9', '789'],
    ['bytes=-3', '7-9', '789'],
    ['bytes=-10', '0-9', digits],
    ['bytes=-100', '0-9', digits],
    ['bytes=0-99999999999999999999', '0-9', digits],
    ['bytes= 3-5 ', '3-5', '345'],
    ['Bytes=3-5', '3-5', '345'],
    ['bytes=0-1,2-3', '0-3', '0123'],
    ['bytes=20-,-2', '8-9', '89'],
  ])('%s MUST be bytes %s', async (Range, range, expected) => {
    const { status, headers, text } = await send({ Range })
    expect([status, text]).toEqual([206, expected])
    expect(headers).toMatchObject({
      'content-range': `bytes ${range}/10`,
      'content-length': String(expected.length),
      'content-type': 'text/plain',
      etag: '"v1"',
      'last-modified': lastModified,
    })
    expect(headers['cache-control']).toContain('no-transform')
    expect(media.calls).toEqual(['open', `stream ${range}`])
  })

  it.each(['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=100-200,300-400'])(
    '%s MUST receive 416 and the length',
    async (Range) => {
      const { status, headers, text } = await send({ Range })
      expect([status, headers['content-range']]).toEqual([416, 'bytes */10'])
      expect(text).toContain('<code>RangeNotSatisfiable</code>')
      expect(headers['accept-ranges']).toBeUndefined()
      expect(media.calls).toEqual(['open', 'close'])
    },
  )

  it.each([
    'bytes=0-1,4-5',
    'bytes=-1, 0-0',
    'bytes',
    'bytes=',
    'bytes=abc',
    'bytes=1-2-3',
    'bytes=a-5',
    'bytes=5-1',
    'bytes=20-10',
    'bytes=0-1,5-1',
    'bytes=- 5',
    'bytes=1 -5',
    'bytes=1- 5',
    'bytes=-',
    'bytes=--5',
    'bytes=0-1,',
    'bytes=+1-5',
    'bytes=0-1=2',
    'lines=0-1',
    '=0-1',
    'bytes 0-1',
  ])('%s, which is not one range of bytes, MUST receive the whole', async (Range) => {
    const { status, headers, text } = await send({ Range })
    expect([status, text, headers['content-range']]).toEqual([200, digits, undefined])
  })

  // The number of repetitions fits into the time limit only if the work is proportional to the length of the
  // header.
  it('MUST receive a response for a header of any length', async () => {
    const blanks = ' '.repeat(15_000)
    for (const Range of [`bytes=${blanks}x`, `bytes=0-1,${blanks}x`, `bytes=${'-'.repeat(15_000)}`]) {
      for (let times = 0; times < 100; times++) expect((await send({ Range })).status).toBe(200)
    }
  })

  it('MUST not be found in nothing', async () => {
    const { status, headers } = await server.send('/memory/Photos(2)/$value', {
      headers: { Range: 'bytes=0-' },
    })
    expect([status, headers['content-range']]).toEqual([416, 'bytes */0'])
  })

  it('MUST be a part of the bytes in memory', async () => {
    const { status, text } = await server.send('/memory/Photos(1)/$value', { headers: { Range: 'bytes=-4' } })
    expect([status, text]).toEqual([206, '6789'])
  })

  it.each([
    ['"v1"', 206],
    ['"v2"', 200],
    ['W/"v1"', 200],
    [lastModified, 206],
    ['Thu, 02 Jan 2020 03:04:06 GMT', 200],
    ['Thu, 02 Jan 2020 03:04:04 GMT', 200],
    ['nonsense', 200],
  ])('MUST be sent only if the resource matches If-Range: %s', async (condition, expected) => {
    const { status } = await send({ Range: 'bytes=0-1', 'If-Range': condition })
    expect(status).toBe(expected)
  })

  it('MUST not be trusted to a weak tag', async () => {
    media = tenBytes({ etag: 'W/"v1"' })
    expect((await send({ Range: 'bytes=0-1', 'If-Range': 'W/"v1"' })).status).toBe(200)
  })
})

describe('Conditions on a media resource', () => {
  it.each([
    [{ 'If-None-Match': '"v1"' }, 304],
    [{ 'If-None-Match': 'W/"v1"' }, 304],
    [{ 'If-None-Match': '"v0", "v1"' }, 304],
    [{ 'If-None-Match': '*' }, 304],
    [{ 'If-None-Match': '"v2"' }, 200],
    [{ 'If-Modified-Since': lastModified }, 304],
    [{ 'If-Modified-Since': 'Thu, 02 Jan 2020 03:04:04 GMT' }, 200],
    [{ 'If-Modified-Since': lastModified, 'If-None-Match': '"v2"' }, 200],
    [{ 'If-Match': '"v1"' }, 200],
    [{ 'If-Match': '*' }, 200],
    [{ 'If-Match': '"v2"' }, 412],
    [{ 'If-Match': 'W/"v1"' }, 412],
    [{ 'If-Unmodified-Since': lastModified }, 200],
    [{ 'If-Unmodified-Since': 'Thu, 02 Jan 2020 03:04:04 GMT' }, 412],
    [{ 'If-Match': '"v1"', 'If-Unmodified-Since': 'Thu, 02 Jan 2020 03:04:04 GMT' }, 200],
    [{ 'If-None-Match': '"v1"', Range: 'bytes=0-1' }, 304],
    [{ 'If-Match': '"v2"', Range: 'bytes=0-1' }, 412],
    [{ 'If-Match': '"v1"', Range: 'bytes=0-1' }, 206],
  ])('%p MUST receive %i', async (headers: Record<string, string>, expected) => {
    const response = await send(headers)
    expect(response.status).toBe(expected)
    if (expected === 304) {
      expect(response.bytes).toHaveLength(0)
      expect(response.headers).toMatchObject({ etag: '"v1"', 'last-modified': lastModified, vary: 'Accept' })
      expect([response.headers['content-type'], response.headers['content-length']]).toEqual([
        undefined,
        undefined,
      ])
    }
    const [opened, then] = media.calls
    expect([opened, then?.split(' ')[0]]).toEqual(['open', expected < 300 ? 'stream' : 'close'])
    expect(media.calls).toHaveLength(2)
  })
})
