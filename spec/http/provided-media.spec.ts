import express from 'express'
import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import type { MediaResource } from '../../lib/index.js'
import { turnEventLoop } from '../support/event-loop.js'
import { Failures } from '../support/failures.js'
import { TestServer } from '../support/http-exchange.js'
import { closed } from '../support/recorded-media.js'
import { exampleServiceWith } from '../support/services/example-service.js'

const digits = '0123456789'
const photo = '/n/Photos(1)/$value'
let media: Record<string, unknown>
let failures: Failures
let server: TestServer

beforeAll(async () => {
  const set = {
    read: () => [{ ID: 1, Title: 'One' }],
    media: { contentType: () => 'image/png', open: () => media as unknown as MediaResource },
  }
  const app = express().use('/n', (req, res, next) => {
    exampleServiceWith('Photos', set, { onError: failures.onError })(req, res, next)
  })
  server = await TestServer.start(app)
})
afterAll(() => server.stop())
beforeEach(() => {
  failures = new Failures()
  media = { contentType: 'text/plain', stream: () => digits, close: () => undefined }
})

describe('The bytes of a media resource', () => {
  it.each([
    ['a string', () => digits],
    ['a Uint8Array', () => new Uint8Array(Buffer.from(digits))],
    ['a Buffer', () => Buffer.from(digits)],
    ['a Readable', () => Readable.from([Buffer.from(digits)])],
    ['a Readable of text', () => Readable.from([digits])],
    ['a web ReadableStream', () => Readable.toWeb(Readable.from([Buffer.from(digits)]))],
  ])('MUST be sent when the provider returns %s', async (_what, stream) => {
    Object.assign(media, { stream, size: 10 })
    const { status, text, headers } = await server.send(photo)
    expect([status, text, headers['content-length']]).toEqual([200, digits, '10'])
    expect(failures.errors).toEqual([])
  })

  it.each([
    ['a promise', () => Promise.resolve(Readable.from([digits])), /not a promise/],
    ['a promise that is rejected', () => Promise.reject(new Error('disk')), /await promises in open\(\)/],
    ['a generator', () => [digits].values(), /Readable\.from/],
    ['a number', () => 5, /not 5/],
    ['nothing', () => undefined, /not undefined/],
    ['null', () => null, /not null/],
    ['a function', () => () => digits, /not a function/],
    [
      'an object with some methods of a stream',
      () => ({ on: () => 1, pipe: () => 1 }),
      /Readable of node:stream/,
    ],
    ['an array', () => [digits], /Uint8Array/],
  ])('MUST be an error when the provider returns %s', async (_what, stream, message) => {
    for (const size of [undefined, 10]) {
      Object.assign(media, { stream, size })
      failures = new Failures()
      const { status, text } = await server.send(photo)
      expect([status, text.includes('stream')]).toEqual([500, false])
      expect(failures.causes).toEqual([expect.any(TypeError)])
      expect(failures.causes).toEqual([
        expect.objectContaining({ message: expect.stringMatching(message) as string }),
      ])
    }
    await turnEventLoop()
  })

  it('MUST be an error when stream() is missing, or throws', async () => {
    media.stream = undefined
    expect((await server.send(photo)).status).toBe(500)
    media.stream = () => {
      throw new Error('disk')
    }
    expect((await server.send(photo)).status).toBe(500)
    expect(failures.errors).toHaveLength(2)
  })

  it('MUST be closed when they are returned as a promise', async () => {
    const stream = new Readable({ read: () => undefined })
    media.stream = () => Promise.resolve(stream)
    await server.send(photo)
    await closed(stream)
    expect(stream.destroyed).toBe(true)
  })

  it('MUST become an error response when they fail before they are read', async () => {
    const cause = new Error('disk')
    media.stream = () => new Readable({ read: () => undefined }).destroy(cause)
    expect((await server.send(photo)).status).toBe(500)
    expect(failures.causes).toEqual([cause])
  })

  it('MUST be an error when a web stream fails, or is being read already', async () => {
    const cause = new Error('disk')
    media.stream = () =>
      new ReadableStream({
        start(controller) {
          controller.error(cause)
        },
      })
    expect((await server.send(photo)).status).toBe(500)
    expect(failures.causes).toEqual([cause])
    const read = new ReadableStream()
    read.getReader()
    media.stream = () => read
    expect((await server.send(photo)).status).toBe(500)
    expect(failures.errors).toHaveLength(2)
  })

  it.each([
    ['less', '012'],
    ['more', digits],
  ])('MUST not be sent for a range when there are %s', async (_what, text) => {
    for (const bytes of [text, Buffer.from(text)]) {
      Object.assign(media, { size: 10, stream: () => bytes })
      const { status, headers } = await server.send(photo, { headers: { Range: 'bytes=2-6' } })
      expect([status, headers['content-range']]).toEqual([500, undefined])
    }
    expect(failures.errors).toHaveLength(2)
  })

  it('MUST be counted in bytes, not in characters', async () => {
    Object.assign(media, { size: 10, stream: () => '€5' })
    const { status, headers, bytes } = await server.send(photo, { headers: { Range: 'bytes=2-5' } })
    expect([status, headers['content-length'], bytes.length]).toEqual([206, '4', 4])
  })
})

describe('The metadata of a media resource from a provider', () => {
  it.each([
    ['size', NaN],
    ['size', -1],
    ['size', 2.5],
    ['size', Infinity],
    ['size', 2 ** 53],
    ['size', null],
    ['size', '10'],
    ['size', 10n],
    ['contentType', 5],
    ['etag', 5],
    ['fileName', {}],
    ['lastModified', '2020-01-01'],
  ])('MUST be an error before the response begins: %s %p', async (name, value) => {
    let isClosed = false
    Object.assign(media, { [name]: value, close: () => (isClosed = true) })
    const { status, headers } = await server.send(photo)
    expect([status, headers['content-type']]).toEqual([500, 'application/xml;charset=utf-8'])
    expect(failures.causes).toEqual([expect.any(TypeError)])
    expect(failures.causes).toEqual([
      expect.objectContaining({ message: expect.stringContaining(name) as string }),
    ])
    expect(isClosed).toBe(true)
  })

  it.each([
    ['contentType', '', 'content-type', 'application/octet-stream'],
    ['contentType', '  ', 'content-type', 'application/octet-stream'],
    ['contentType', undefined, 'content-type', 'application/octet-stream'],
    ['lastModified', new Date(NaN), 'last-modified', undefined],
    ['lastModified', null, 'last-modified', undefined],
    ['fileName', '', 'content-disposition', undefined],
    ['fileName', 'a\ud800b', 'content-disposition', `inline; filename="a?b"; filename*=UTF-8''a%EF%BF%BDb`],
    ['etag', 'v1', 'etag', '"v1"'],
    ['etag', 'W/v1', 'etag', 'W/"v1"'],
    ['etag', '"v1', 'etag', '"v1"'],
    ['etag', '"a"b"', 'etag', '"ab"'],
    ['etag', 'W/"v1"', 'etag', 'W/"v1"'],
    ['etag', '"a\r\nX-Evil: 1"', 'etag', '"a??X-Evil: 1"'],
    ['etag', '', 'etag', undefined],
  ])('MUST be sanitized for a header: %s %p', async (name, value, header, expected) => {
    media[name] = value
    const { status, text, headers } = await server.send(photo)
    expect([status, text, headers[header], headers['x-evil']]).toEqual([200, digits, expected, undefined])
  })

  it('MUST be compared as it is sent', async () => {
    media.etag = 'v1'
    expect((await server.send(photo, { headers: { 'If-None-Match': '"v1"' } })).status).toBe(304)
    Object.assign(media, { etag: undefined, lastModified: new Date(NaN) })
    const headers = { 'If-Modified-Since': 'Thu, 02 Jan 2020 03:04:05 GMT' }
    expect((await server.send(photo, { headers })).status).toBe(200)
  })
})

describe('A media resource that cannot be closed', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('disk')
      },
    ],
    ['rejects', () => Promise.reject(new Error('disk'))],
    ['is missing', undefined],
  ])('MUST not change the response when close() %s', async (_what, close) => {
    Object.assign(media, { close, size: 10, etag: '"v1"' })
    const responses = [
      await server.send(photo, { headers: { 'If-None-Match': '"v1"' } }),
      await server.send(photo, { headers: { Range: 'bytes=10-' } }),
      await server.send(photo, { headers: { 'If-Match': '"v2"' } }),
      await server.send(photo, { method: 'HEAD' }),
    ]
    await turnEventLoop()
    expect(responses.map(({ status }) => status)).toEqual([304, 416, 412, 200])
    expect(failures.errors).toEqual([])
  })
})
