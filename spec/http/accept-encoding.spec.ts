import { gunzipSync } from 'node:zlib'
import compression from 'compression'
import { defineModel, edm, memoryProvider, odataV2 } from '../../lib/index.js'
import { prefersGzip } from '../../lib/http/accept-encoding.js'
import { expressVersions } from '../support/express-versions.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'
import { fc, runs } from '../support/random.js'
import { exampleService } from '../support/services/example-service.js'

const small = defineModel({
  namespace: 'M',
  entityTypes: { Note: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }) } } },
  entityContainer: { entitySets: { Notes: { entityType: 'Note' } } },
})

describe('Accept-Encoding', () => {
  it.each([
    [undefined, false, false],
    ['', false, false],
    ['gzip', true, false],
    ['GZip', true, false],
    ['x-gzip', true, false],
    ['gzip, deflate, br, zstd', true, false],
    ['deflate, br', false, false],
    ['*', true, false],
    ['*;q=0', false, false],
    ['gzip;q=0', false, false],
    ['gzip ; Q=0.000, *', false, false],
    ['gzip;q=0, *;q=1, identity;q=0', false, false],
    ['gzip;q=0.001', true, false],
    ['identity', false, false],
    ['gzip;q=0.5, identity', false, false],
    ['gzip;q=0.5, identity;q=0.5', true, false],
    ['identity;q=0', false, false],
    ['identity;q=0, gzip;q=0.1', true, true],
    ['gzip, *;q=0', true, true],
    ['identity, gzip, *;q=0', true, false],
    ['br;q=1.0, gzip;q=0.8, *;q=0.1', true, false],
    ['gzip;q=2', false, false],
    ['gzip;level=9', false, false],
  ])('%j MUST choose gzip for a long document: %s, for a short one: %s', (header, ifLong, ifShort) => {
    expect([prefersGzip(header, 1024), prefersGzip(header, 1023)]).toEqual([ifLong, ifShort])
  })
})

describe.each(expressVersions)('$metadata of %s', (_version, express) => {
  let server: TestServer
  beforeAll(async () => {
    const app = express()
    app.use('/n', exampleService())
    app.use('/small', odataV2(small, memoryProvider(small, {})))
    app.use('/compressed', compression({ threshold: 0 }), exampleService())
    server = await TestServer.start(app)
  })
  afterAll(() => server.stop())

  const read = (encoding?: string, others: Record<string, string> = {}, path = '/n'): Promise<HttpResponse> =>
    server.send(`${path}/$metadata`, {
      headers: { ...(encoding !== undefined && { 'Accept-Encoding': encoding }), ...others },
    })

  it('MUST be compressed for clients that accept it, with its own ETag', async () => {
    const plain = await read()
    const packed = await read('gzip')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true)
    expect(packed.headers['content-length']).toBe(String(packed.bytes.length))
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2)
    expect([plain, packed].map(({ headers }) => headers.vary)).toEqual(
      Array(2).fill('Accept, Accept-Encoding'),
    )
    expect(packed.headers['content-type']).toBe(plain.headers['content-type'])
    expect(packed.headers.etag).toMatch(/^"[\w-]+"$/)
    expect(packed.headers.etag).not.toBe(plain.headers.etag)
    expect((await read('gzip')).bytes.equals(packed.bytes)).toBe(true)
  })

  it('MUST be the same for requests that are sent together', async () => {
    const app = express()
    app.use('/n', exampleService())
    const fresh = await TestServer.start(app)
    const headers = { 'Accept-Encoding': 'gzip' }
    const all = await Promise.all([1, 2, 3].map(() => fresh.send('/n/$metadata', { headers })))
    const expected = await fresh.send('/n/$metadata')
    await fresh.stop()
    expect(all.map(({ bytes }) => gunzipSync(bytes).toString())).toEqual(Array(3).fill(expected.text))
  })

  it('MUST not be sent again to clients that have the same form', async () => {
    const [plain, packed] = [await read(), await read('gzip')].map(({ headers }) => String(headers.etag))
    const conditional = async (encoding: string | undefined, tag = ''): Promise<unknown> => {
      const { status, headers, bytes } = await read(encoding, { 'If-None-Match': tag })
      return [status, headers.etag, headers.vary, bytes.length === 0]
    }
    const vary = 'Accept, Accept-Encoding'
    expect(await conditional(undefined, plain)).toEqual([304, plain, vary, true])
    expect(await conditional('gzip', packed)).toEqual([304, packed, vary, true])
    expect(await conditional('gzip', `"other", W/${String(packed)}`)).toEqual([304, packed, vary, true])
    expect(await conditional('gzip', plain)).toEqual([200, packed, vary, false])
    expect(await conditional(undefined, packed)).toEqual([200, plain, vary, false])
    expect((await read('gzip', { 'If-Match': String(plain) })).status).toBe(412)
    expect((await read('gzip', { 'If-Match': String(packed) })).status).toBe(200)
  })

  it('MUST have the same headers for HEAD, and no ranges', async () => {
    const get = await read('gzip')
    const headers = { 'Accept-Encoding': 'gzip' }
    const head = await server.send('/n/$metadata', { method: 'HEAD', headers })
    const withoutDate = ({ headers: { date: _date, ...others } }: HttpResponse): unknown => others
    expect([head.status, head.bytes.length, withoutDate(head)]).toEqual([200, 0, withoutDate(get)])
    const range = await read('gzip', { Range: 'bytes=0-9' })
    expect([range.status, range.bytes.equals(get.bytes), range.headers['accept-ranges']]).toEqual([
      200,
      true,
      undefined,
    ])
  })

  it('MUST stay plain if it is short, unless the client refuses that', async () => {
    const plain = await read('gzip', {}, '/small')
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([
      undefined,
      'Accept, Accept-Encoding',
    ])
    const packed = await read('gzip, identity;q=0', {}, '/small')
    expect(gunzipSync(packed.bytes).toString()).toBe(plain.text)
  })

  it('MUST stay plain within a batch', async () => {
    const request =
      '--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n' +
      'GET $metadata HTTP/1.1\r\nAccept-Encoding: gzip\r\n\r\n\r\n--b--\r\n'
    const { status, text } = await server.send('/n/$batch', {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/mixed; boundary=b', 'Accept-Encoding': 'gzip' },
      body: request,
    })
    expect([status, /content-encoding:/i.test(text), text.includes('<edmx:Edmx')]).toEqual([202, false, true])
  })

  it('MUST not be compressed twice after middleware that compresses', async () => {
    const packed = await read('gzip', {}, '/compressed')
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(packed.bytes.equals((await read('gzip')).bytes)).toBe(true)
    const names = packed.headers.vary?.split(', ').sort()
    expect(names).toEqual(['Accept', 'Accept-Encoding'])
    const same = await read('gzip', { 'If-None-Match': String(packed.headers.etag) }, '/compressed')
    expect([same.status, same.headers['content-encoding']]).toEqual([304, undefined])
  })

  it('MUST contain the same document, whatever the header', async () => {
    const { text } = await read()
    const element = fc
      .tuple(
        fc.constantFrom('gzip', 'identity', '*', 'br', ''),
        fc.constantFrom('', ';q=0', ';q=0.3', '; q=1', ';q='),
      )
      .map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(fc.array(element, { maxLength: 4 }), async (elements) => {
        const { bytes, headers } = await read(elements.join(', '))
        const document = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
        expect(document.toString()).toBe(text)
      }),
      { numRuns: runs(200) },
    )
  })
})
