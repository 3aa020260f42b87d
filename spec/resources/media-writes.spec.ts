import { connect } from 'node:net'
import express from 'express'
import type { MediaContent, ODataV2Options, Provider, Row } from '../../lib/index.js'
import { defineModel, edm, memoryProvider, ODataError, odataV2 } from '../../lib/index.js'
import { turnEventLoop } from '../support/event-loop.js'
import type { HttpResponse, Question } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'

const model = defineModel({
  namespace: 'M',
  entityTypes: {
    Photo: {
      key: ['ID'],
      hasStream: true,
      properties: {
        ID: edm.Int32({ nullable: false }),
        Title: edm.String({ nullable: false, syndication: { target: 'SyndicationTitle' } }),
        Width: edm.Int32({ nullable: false }),
      },
      navigationProperties: { Album: { relationship: 'Content', fromRole: 'Photo', toRole: 'Album' } },
    },
    Page: {
      key: ['Name'],
      hasStream: true,
      properties: { Name: edm.String({ nullable: false, maxLength: 20 }), Text: edm.String() },
    },
    Album: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }) },
      navigationProperties: { Photos: { relationship: 'Content', fromRole: 'Album', toRole: 'Photo' } },
    },
  },
  associations: {
    Content: {
      ends: {
        Album: { type: 'Album', multiplicity: '0..1' },
        Photo: { type: 'Photo', multiplicity: '*' },
      },
    },
  },
  entityContainer: {
    name: 'C',
    entitySets: {
      Photos: { entityType: 'Photo' },
      Pages: { entityType: 'Page' },
      Albums: { entityType: 'Album' },
    },
    associationSets: { Contents: { association: 'Content', ends: { Album: 'Albums', Photo: 'Photos' } } },
  },
})

let server: TestServer
afterEach(() => server.stop())

async function start(options: ODataV2Options = {}): Promise<void> {
  const media = (text: string) => ({ contentType: 'image/png', bytes: Buffer.from(text) })
  const provider = memoryProvider(model, {
    Photos: [{ ID: 1, Title: 'one', Width: 7, $media: media('old') }],
    Pages: [{ Name: 'a' }],
    Albums: [{ ID: 5 }],
  })
  server = await TestServer.start(express().use('/m', odataV2(model, provider, options)))
}

function send(method: string, target: string, body?: string, headers = {}): Promise<HttpResponse> {
  const question: Question = { method, headers }
  return server.send(`/m/${target}`, body === undefined ? question : { ...question, body })
}

async function json(target: string): Promise<Record<string, unknown>> {
  const { text } = await server.send(`/m/${target}`, { headers: { Accept: 'application/json' } })
  return (JSON.parse(text) as { d: Record<string, unknown> }).d
}

/**
 * Sends a request as raw text, and returns the response. Closing half of the connection would look like an
 * aborted upload.
 */
async function rawResponse(text: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1')
  socket.write(text)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const png = { 'Content-Type': 'image/png' }
const entryType = { 'Content-Type': 'application/atom+xml;type=entry' }

function entry(properties: string): string {
  return `<entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices"
    xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
    <m:properties>${properties}</m:properties></entry>`
}

describe('POST of bytes to a set of media link entries', () => {
  beforeEach(() => start())

  it('MUST make the media resource and imply its entity: 201 with Location and the entry', async () => {
    const response = await send('POST', 'Photos', 'bytes', {
      ...png,
      Slug: 'Caf%C3%A9',
      Accept: 'application/json',
    })
    expect(response.status).toBe(201)
    expect(response.headers.location).toBe(`http://${server.host}/m/Photos(2)`)
    expect((JSON.parse(response.text) as { d: unknown }).d).toMatchObject({
      __metadata: { content_type: 'image/png' },
      ID: 2,
      Title: 'Café',
      Width: 0,
    })
    const value = await send('GET', 'Photos(2)/$value')
    expect([value.text, value.headers['content-type']]).toEqual(['bytes', 'image/png'])
  })

  it.each(['application/json', 'application/xml', 'application/atom+xml', 'text/plain', undefined])(
    'MUST treat a body of type %s as bytes',
    async (type) => {
      const response = await send(
        'POST',
        'Photos',
        '{"Title":"no title"}',
        type ? { 'Content-Type': type } : {},
      )
      expect(response.status).toBe(201)
      const value = await send('GET', 'Photos(2)/$value')
      expect(value.text).toBe('{"Title":"no title"}')
      expect(value.headers['content-type']).toBe(type ?? 'application/octet-stream')
    },
  )

  it.each([
    ['b%20c', "Pages('b%20c')"],
    ['na%C3%AFve', "Pages('na%C3%AFve')"],
  ])('MUST use the Slug %s as a string key', async (slug, address) => {
    const { status, headers } = await send('POST', 'Pages', 'x', { ...png, Slug: slug })
    expect([status, headers.location]).toEqual([201, `http://${server.host}/m/${address}`])
  })

  it.each(['a', '', '%', 'longer than twenty characters'])(
    'MUST make a key where the Slug "%s" cannot be one',
    async (slug) => {
      const { status, headers } = await send('POST', 'Pages', 'x', { ...png, Slug: slug })
      expect(status).toBe(201)
      expect(headers.location).toMatch(/\/m\/Pages\('[0-9a-f-]{20}'\)$/)
      expect((await send('GET', "Pages('a')/$value")).text).toBe('')
    },
  )

  it('MUST link to the entity over whose navigation property it came', async () => {
    const { status, headers } = await send('POST', 'Albums(5)/Photos', 'x', png)
    expect([status, headers.location]).toEqual([201, `http://${server.host}/m/Photos(2)`])
    expect((await json('Photos(2)/Album')).ID).toBe(5)
  })

  it('MUST respond with 415 to an invalid Content-Type', async () => {
    for (const type of ['image', '*/*', 'image/*', `a/${'b'.repeat(300)}`]) {
      expect((await send('POST', 'Photos', 'x', { 'Content-Type': type })).status).toBe(415)
    }
    expect((await send('GET', 'Photos/$count')).text).toBe('1')
  })

  it('MUST ignore the key 0 in the MERGE that follows', async () => {
    await send('POST', 'Photos', 'x', png)
    const body = '{"ID":0,"Title":"later"}'
    const merged = await send('MERGE', 'Photos(2)', body, { 'Content-Type': 'application/json' })
    expect(merged.status).toBe(204)
    expect(await json('Photos(2)')).toMatchObject({ ID: 2, Title: 'later', Width: 0 })
  })
})

describe('POST of an entry to a set of media link entries', () => {
  beforeEach(() => start())

  it('MUST create an empty media resource and use the values, but not the key', async () => {
    const properties =
      '<d:ID m:type="Edm.Int32">99</d:ID><d:Title>t</d:Title><d:Width m:type="Edm.Int32">3</d:Width>'
    const response = await send('POST', 'Photos', entry(properties), entryType)
    expect([response.status, response.headers.location]).toEqual([201, `http://${server.host}/m/Photos(2)`])
    expect(await json('Photos(2)')).toMatchObject({ Title: 't', Width: 3 })
    const value = await send('GET', 'Photos(2)/$value')
    expect([value.text, value.headers['content-type']]).toEqual(['', 'application/octet-stream'])
  })

  it('MUST treat a key that is a text as a hint', async () => {
    const free = await send('POST', 'Pages', entry('<d:Name>b</d:Name>'), entryType)
    expect(free.headers.location).toMatch(/Pages\('b'\)$/)
    const taken = await send('POST', 'Pages', entry('<d:Name>b</d:Name>'), entryType)
    expect([taken.status, taken.headers.location]).toEqual([
      201,
      expect.stringMatching(/Pages\('[0-9a-f-]{20}'\)$/),
    ])
  })
})

describe('PUT of a media resource', () => {
  beforeEach(() => start())

  it('MUST replace the bytes and their type, and respond with 204 and the new ETag', async () => {
    const before = (await send('GET', 'Photos(1)/$value')).headers.etag
    const response = await send('PUT', 'Photos(1)/$value', 'new', { 'Content-Type': 'image/gif' })
    expect([response.status, response.text]).toEqual([204, ''])
    const after = await send('GET', 'Photos(1)/$value')
    expect([after.text, after.headers['content-type']]).toEqual(['new', 'image/gif'])
    expect(after.headers.etag).toBe(response.headers.etag)
    expect(after.headers.etag).not.toBe(before)
    expect((await json('Photos(1)')).__metadata).toMatchObject({ content_type: 'image/gif' })
  })

  it('MUST respond with 412 when If-Match names another version, and replace the version that it names', async () => {
    const etag = (await send('GET', 'Photos(1)/$value')).headers.etag
    expect((await send('PUT', 'Photos(1)/$value', 'x', { ...png, 'If-Match': '"other"' })).status).toBe(412)
    expect((await send('GET', 'Photos(1)/$value')).text).toBe('old')
    expect((await send('PUT', 'Photos(1)/$value', 'x', { ...png, 'If-Match': etag })).status).toBe(204)
    expect((await send('PUT', 'Photos(1)/$value', 'y', { ...png, 'If-Match': etag })).status).toBe(412)
    expect((await send('PUT', 'Photos(1)/$value', 'z', { ...png, 'If-Match': '*' })).status).toBe(204)
    expect((await send('PUT', 'Photos(1)/$value', 'z', { ...png, 'If-None-Match': '*' })).status).toBe(400)
    expect((await send('GET', 'Photos(1)/$value')).text).toBe('z')
  })

  it('MUST respond with 404 without an entity, and with 405 to MERGE, PATCH and POST', async () => {
    expect((await send('PUT', 'Photos(9)/$value', 'x', png)).status).toBe(404)
    for (const method of ['MERGE', 'PATCH', 'POST']) {
      const { status, headers } = await send(method, 'Photos(1)/$value', 'x', png)
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD, PUT, DELETE, OPTIONS'])
    }
  })
})

describe('DELETE', () => {
  beforeEach(() => start())

  it('MUST leave an empty media resource of a media resource, and 204', async () => {
    expect((await send('DELETE', 'Photos(1)/$value', undefined, { 'If-Match': '"other"' })).status).toBe(412)
    expect((await send('DELETE', 'Photos(1)/$value')).status).toBe(204)
    const value = await send('GET', 'Photos(1)/$value')
    expect([value.status, value.text, value.headers['content-type']]).toEqual([
      200,
      '',
      'application/octet-stream',
    ])
    expect(await json('Photos(1)')).toMatchObject({ Title: 'one' })
  })

  it('MUST delete the media resource together with its entity', async () => {
    await send('PUT', "Pages('a')/$value", 'text', png)
    expect((await send('DELETE', "Pages('a')")).status).toBe(204)
    expect((await send('GET', "Pages('a')/$value")).status).toBe(404)
    await send('POST', 'Pages', entry('<d:Name>a</d:Name>'), entryType)
    expect((await send('GET', "Pages('a')/$value")).text).toBe('')
  })
})

describe('Limits of media resources that are sent', () => {
  it('MUST respond with 413 to more than limits.mediaBytes and change nothing, with and without Content-Length', async () => {
    await start({ limits: { mediaBytes: 1000, bodyBytes: 10 } })
    expect((await send('PUT', 'Photos(1)/$value', 'x'.repeat(1000), png)).status).toBe(204)
    const announced = await send('PUT', 'Photos(1)/$value', 'y'.repeat(1001), png)
    expect([announced.status, announced.text]).toEqual([413, expect.stringContaining('at most 1000 bytes')])
    const chunk = `3e9\r\n${'y'.repeat(1001)}\r\n`
    const head = `POST /m/Photos HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`
    expect(await rawResponse(`${head}${chunk}0\r\n\r\n`)).toMatch(/^HTTP\/1.1 413 /)
    expect((await send('GET', 'Photos/$count')).text).toBe('1')
    expect((await send('GET', 'Photos(1)/$value')).text).toBe('x'.repeat(1000))
  })

  it('MUST change nothing when the client disconnects, and not block other requests before that', async () => {
    const failures: unknown[] = []
    await start({ onError: (error) => failures.push(error) })
    for (const [method, target] of [
      ['PUT', 'Photos(1)/$value'],
      ['POST', 'Photos'],
    ] as const) {
      const socket = connect(server.port, '127.0.0.1')
      socket.write(`${method} /m/${target} HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nhalf`)
      await turnEventLoop()
      expect((await send('GET', 'Photos(1)/$value')).text).toBe('old')
      const other = await send('MERGE', "Pages('a')", '{"Text":"t"}', { 'Content-Type': 'application/json' })
      expect(other.status).toBe(204)
      socket.destroy()
      await server.waitForDisconnects()
    }
    expect((await send('GET', 'Photos(1)/$value')).text).toBe('old')
    expect((await send('GET', 'Photos/$count')).text).toBe('1')
    expect(failures).toEqual([])
  })

  it('MUST respond with 405 to every method when the service is read-only', async () => {
    await start({ readOnly: true })
    for (const [method, target] of [
      ['POST', 'Photos'],
      ['PUT', 'Photos(1)/$value'],
      ['DELETE', 'Photos(1)/$value'],
    ] as const) {
      expect((await send(method, target, 'x', png)).status).toBe(405)
    }
  })
})

describe('A media resource in a change set', () => {
  it('MUST be rolled back when another change of the set fails', async () => {
    await start()
    const part = (request: string, body: string): string =>
      `--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n${request} HTTP/1.1\r\n` +
      `Content-Type: image/gif\r\nContent-Length: ${body.length}\r\n\r\n${body}\r\n`
    const inner =
      part('PUT Photos(1)/$value', 'new') + part('POST Photos', 'more') + part('PUT Photos(9)/$value', 'x')
    const body = `--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n${inner}--c--\r\n--b--\r\n`
    const response = await send('POST', '$batch', body, { 'Content-Type': 'multipart/mixed; boundary=b' })
    expect([response.status, response.text]).toEqual([202, expect.stringContaining('HTTP/1.1 404')])
    const value = await send('GET', 'Photos(1)/$value')
    expect([value.text, value.headers['content-type']]).toEqual(['old', 'image/png'])
    expect((await send('GET', 'Photos/$count')).text).toBe('1')
  })
})

describe('A provider without change sets', () => {
  type Photo = { ID: number; Title: string; Width: number }
  const photos = new Map<number, Photo>()
  const set = {
    read: () => [...photos.values()],
    insert(entity: Row) {
      const photo = { ID: 3, Title: String(entity.Title), Width: Number(entity.Width) }
      photos.set(3, photo)
      return photo
    },
    delete: ({ ID }: { ID: number }) => photos.delete(ID),
  }
  const media = { contentType: () => 'text/plain', open: () => undefined }

  async function startWith(photosProvider: Provider<typeof model>['entitySets']['Photos']): Promise<void> {
    const none = { read: () => [] }
    const entitySets = { Photos: photosProvider, Pages: none, Albums: none }
    const service = odataV2(model, { entitySets }, { limits: { mediaBytes: 4 } })
    server = await TestServer.start(express().use('/m', service))
  }

  it('MUST delete an entity whose bytes were not received', async () => {
    const written: string[] = []
    const write = async (_row: unknown, { bytes }: MediaContent): Promise<void> => {
      for await (const chunk of bytes) written.push(Buffer.from(chunk).toString())
    }
    await startWith({ ...set, media: { ...media, write } })
    const head = `POST /m/Photos HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`
    expect(await rawResponse(`${head}5\r\n12345\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1.1 413 /)
    expect([...photos.keys()]).toEqual([])
    expect((await send('POST', 'Photos', '1234', png)).status).toBe(201)
    expect([[...photos.keys()], written]).toEqual([[3], ['1234']])
    photos.clear()
  })

  it('MUST take entries only when it cannot write media resources: 415 to bytes', async () => {
    await startWith({ ...set, media })
    expect((await send('POST', 'Photos', 'x', png)).status).toBe(415)
    expect([...photos.keys()]).toEqual([])
    const properties = '<d:Title>t</d:Title><d:Width m:type="Edm.Int32">3</d:Width>'
    expect((await send('POST', 'Photos', entry(properties), entryType)).status).toBe(201)
    expect((await send('PUT', 'Photos(3)/$value', 'x', png)).status).toBe(405)
  })
})

describe('Changes of media resources without authorization', () => {
  it('MUST be rejected with 403, and have no effect', async () => {
    await start({
      authorize({ kind }) {
        if (kind === 'insert' || kind === 'update') throw new ODataError('Forbidden')
      },
    })
    expect((await send('POST', 'Photos', 'x', png)).status).toBe(403)
    expect((await send('PUT', 'Photos(1)/$value', 'x', png)).status).toBe(403)
    expect((await send('DELETE', 'Photos(1)/$value')).status).toBe(403)
    expect((await send('GET', 'Photos/$count')).text).toBe('1')
    expect((await send('GET', 'Photos(1)/$value')).text).toBe('old')
  })
})
