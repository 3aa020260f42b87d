import express from 'express'
import { Readable } from 'node:stream'
import { Failures, gate } from '../support/failures.js'
import { turnEventLoop } from '../support/event-loop.js'
import { sendAndDisconnect, readAndLeave, TestServer } from '../support/http-exchange.js'
import { closed, endless, failing, RecordedMedia } from '../support/recorded-media.js'
import { exampleServiceWith } from '../support/services/example-service.js'
import { until } from '../support/until.js'

const photo = '/n/Photos(1)/$value'
const plain = { contentType: 'text/plain' }
let media: RecordedMedia
let failures: Failures
let server: TestServer

beforeAll(async () => {
  const app = express().use('/n', (req, res, next) => {
    exampleServiceWith('Photos', media.provider, { onError: failures.onError })(req, res, next)
  })
  server = await TestServer.start(app)
})
afterAll(() => server.stop())
beforeEach(() => {
  failures = new Failures()
})

describe('A stream whose client goes away', () => {
  it('MUST be destroyed in the middle', async () => {
    media = new RecordedMedia(plain, endless)
    const { status, bytes } = await readAndLeave(server, photo, 200_000)
    expect([status, bytes >= 200_000]).toEqual([200, true])
    await closed(media.streams[0])
    expect(media.streams[0]?.destroyed).toBe(true)
    await server.waitForDisconnects()
    expect(failures.errors).toEqual([])
  })

  it('MUST be destroyed also while it has no data', async () => {
    const waiting = new Readable({ read: () => undefined })
    waiting.push('start')
    media = new RecordedMedia(plain, () => waiting)
    await readAndLeave(server, photo, 5)
    await closed(waiting)
    await server.waitForDisconnects()
    expect(failures.errors).toEqual([])
  })

  it('MUST be closed when the client disconnects before it is opened', async () => {
    const [entered, allowed] = [gate(), gate()]
    media = new RecordedMedia(plain, endless, () => {
      entered.open()
      return allowed.opened
    })
    await sendAndDisconnect(server, photo, entered.opened)
    await server.waitForDisconnects()
    allowed.open()
    await until(() => media.calls.length > 1)
    await closed(media.streams[0])
    await turnEventLoop()
    expect(media.calls).toEqual(['open', expect.stringMatching(/stream|close/)])
    expect(failures.errors).toEqual([])
  })

  it('MUST not be read faster than the client does', async () => {
    let given = 0
    const stream = new Readable({
      read() {
        given += 65_536
        this.push(Buffer.alloc(65_536))
      },
    })
    media = new RecordedMedia(plain, () => stream)
    await readAndLeave(server, photo, 1)
    expect(given).toBeLessThan(16_000_000)
    await closed(stream)
  })
})

describe('A stream that fails', () => {
  it('MUST NOT look complete, and the application MUST receive the cause', async () => {
    const cause = new Error('disk')
    media = new RecordedMedia(plain, () => failing(300_000, cause))
    await expect(server.send(photo)).rejects.toThrow(/aborted|hang up|ECONNRESET/)
    await failures.reached(1)
    expect(failures.errors).toMatchObject([{ status: 500, cause }])
  })

  it('MUST not look complete where its length was announced', async () => {
    const cause = new Error('disk')
    media = new RecordedMedia({ ...plain, size: 1_000_000 }, () => failing(300_000, cause))
    await expect(server.send(photo)).rejects.toThrow(/aborted|hang up|ECONNRESET/)
    await failures.reached(1)
    expect(failures.causes).toEqual([cause])
  })

  it('MUST become an error response when it fails before its first byte', async () => {
    const cause = new Error('disk')
    media = new RecordedMedia({ ...plain, size: 5 }, () => failing(0, cause))
    const { status, headers, text } = await server.send(photo)
    expect([status, headers['content-type']]).toEqual([500, 'application/xml;charset=utf-8'])
    expect(text).not.toContain('disk')
    expect(failures.causes).toEqual([cause])
  })

  it.each([
    ['an object', () => Readable.from([{ not: 'bytes' }])],
    [
      'a stream that is closed',
      () => {
        const stream = new Readable({ read: () => undefined })
        stream.destroy()
        return stream
      },
    ],
    [
      'a stream that closes without an end',
      () => {
        const stream = new Readable({ read: () => undefined })
        setImmediate(() => stream.destroy())
        return stream
      },
    ],
  ])('MUST receive an error when the provider returns %s', async (_what, make) => {
    media = new RecordedMedia(plain, make)
    expect((await server.send(photo)).status).toBe(500)
    expect(failures.errors).toHaveLength(1)
  })

  it('MUST receive an error when it cannot be opened', async () => {
    const cause = new Error('disk')
    media = new RecordedMedia(plain, endless, () => Promise.reject(cause))
    const { status, text } = await server.send(photo)
    expect(status).toBe(500)
    expect(text).not.toContain('disk')
    expect(failures.causes).toEqual([cause])
  })

  it('MUST end with a closed connection when there is less than was announced', async () => {
    media = new RecordedMedia({ ...plain, size: 10 }, () => Readable.from([Buffer.from('01234')]))
    await expect(server.send(photo)).rejects.toThrow(/aborted|hang up|ECONNRESET/)
    await failures.reached(1)
  })

  it('MUST close the connection when there is more than was announced', async () => {
    media = new RecordedMedia({ ...plain, size: 5 }, () =>
      Readable.from([Buffer.from('01234'), Buffer.from('56789')]),
    )
    const raw = await server.askRaw(
      `GET ${photo} HTTP/1.1\r\nHost: h\r\n\r\nGET /n/Categories/$count HTTP/1.1\r\nHost: h\r\n\r\n`,
    )
    expect(raw.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
    await failures.reached(1)
  })

  it('MUST be announced with the length that bytes in memory really have', async () => {
    media = new RecordedMedia({ ...plain, size: 10 }, () => Buffer.from('01234'))
    const { text, headers } = await server.send(photo)
    expect([text, headers['content-length']]).toEqual(['01234', '5'])
  })

  it('MUST be empty when there is nothing', async () => {
    media = new RecordedMedia({ ...plain, size: 0 }, () => Readable.from([]))
    const { status, headers, text } = await server.send(photo)
    expect([status, headers['content-length'], text]).toEqual([200, '0', ''])
  })

  it('MUST leave the server as it was', async () => {
    media = new RecordedMedia(plain, () => failing(1_000, new Error('disk')))
    await expect(server.send(photo)).rejects.toThrow()
    expect((await server.send('/n/Categories/$count')).text).toBe('4')
  })
})
