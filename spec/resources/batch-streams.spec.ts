import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import express from 'express'
import type { EntitySetProvider } from '../../lib/index.js'
import { MAX_BUFFERED_BYTES } from '../../lib/resources/part-response.js'
import {
  responsesIn,
  responsesTo,
  batchBody,
  get,
  postBatch,
  single,
  written,
} from '../support/batch-exchange.js'
import { turnEventLoop } from '../support/event-loop.js'
import { Failures, gate } from '../support/failures.js'
import { TestServer } from '../support/http-exchange.js'
import { exampleServiceWith } from '../support/services/example-service.js'
import { until } from '../support/until.js'

const failures = new Failures()
let server: TestServer
afterEach(() => server.stop())

/** A service whose photo has the bytes of a stream. @param size as announced; undefined for none */
async function startMedia(stream: () => Readable, size?: number): Promise<void> {
  const contentType = 'application/octet-stream'
  const open = () => ({ contentType, size, stream, close: () => undefined })
  const media = { contentType: () => contentType, open }
  await start('Photos', { read: () => [{ ID: 1 }], media })
}

async function start(
  set: 'Photos' | 'Categories',
  parts: Partial<EntitySetProvider> & object,
): Promise<void> {
  failures.errors.length = 0
  const service = exampleServiceWith(set, parts as EntitySetProvider, {
    pageSize: 0,
    onError: failures.onError,
  })
  server = await TestServer.start(express().use('/n', service))
}

const photo = written('GET Photos(1)/$value')
const chunk = Buffer.alloc(65_536, 'x')

/** Creates a stream with the given number of chunks, and counts those that have been read. */
function countedStream(chunks: number): { readonly stream: Readable; readonly count: () => number } {
  let count = 0
  const stream = new Readable({
    read() {
      this.push(count++ < chunks ? chunk : null)
    },
  })
  return { stream, count: () => count }
}

/** Waits until a stream is closed, whether or not with an error. */
async function closed(stream: Readable): Promise<void> {
  if (!stream.closed) await new Promise((resolve) => stream.once('close', resolve))
}

/** Sends a batch and does not read the response. */
function sendBatch(...parts: readonly string[]): Socket {
  const body = batchBody(...parts)
  const socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(
    'POST /n/$batch HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: multipart/mixed; boundary=b\r\n' +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  )
  return socket
}

describe('A long media resource within a batch', () => {
  const chunks = 800

  it('MUST be read only as fast as the client takes it', async () => {
    const { stream, count } = countedStream(chunks)
    await startMedia(() => stream, chunks * chunk.length)
    const socket = sendBatch(photo)
    await until(() => count() > 0)
    // Until the buffers of the operating system are full.
    for (let before = 0; before !== count();) {
      before = count()
      await turnEventLoop(100)
    }
    expect(count()).toBeLessThan(chunks / 2)
    let bytes = 0
    socket.on('data', (data: Buffer) => (bytes += data.length))
    socket.resume()
    await once(socket, 'end')
    expect(bytes).toBeGreaterThan(chunks * chunk.length)
  })

  it.each([
    ['with its length', 40 * chunk.length],
    ['without a length when none is known', undefined],
  ])('MUST be sent %s, followed by the other parts', async (_how, size) => {
    await startMedia(() => countedStream(40).stream, size)
    const [media, after] = responsesIn(await postBatch(server.port, batchBody(photo, get('Total'))))
    expect(single(media).headers['content-length']).toBe(size?.toString())
    expect(single(media).body).toBe('x'.repeat(40 * chunk.length))
    expect(single(after).status).toBe(200)
  })

  it.each([['less'], ['more']])('MUST break the response off when it has %s than announced', async (what) => {
    await startMedia(() => countedStream(40).stream, 40 * chunk.length + (what === 'less' ? 1 : -1))
    await expect(postBatch(server.port, batchBody(photo, get('Total')))).rejects.toThrow(/aborted|hang up/)
    expect(failures.errors).toHaveLength(1)
  })

  it('MUST abort the response when it fails after its beginning', async () => {
    const cause = new Error('the disk is gone')
    const { stream } = countedStream(Infinity)
    await startMedia(() => stream)
    const socket = sendBatch(photo)
    let bytes = 0
    socket.on('data', (data: Buffer) => {
      bytes += data.length
      if (bytes > 4 * MAX_BUFFERED_BYTES) stream.destroy(cause)
    })
    socket.resume()
    await once(socket, 'close')
    expect(failures.causes).toEqual([cause])
  })

  it('MUST be an error response when it fails at its beginning', async () => {
    const cause = new Error('the disk is gone')
    await startMedia(
      () =>
        new Readable({
          read: (): never => {
            throw cause
          },
        }),
    )
    const [media, after] = await responsesTo(server.port, photo, get('Total'))
    expect([single(media).status, single(after).status]).toEqual([500, 200])
    expect(failures.causes).toEqual([cause])
  })
})

describe('When the client of a batch leaves', () => {
  it('a media resource MUST be closed though it gives nothing', async () => {
    const opened = gate()
    const stream = new Readable({ read: () => opened.open() })
    await startMedia(() => stream)
    const socket = sendBatch(photo)
    await opened.opened
    socket.destroy()
    await closed(stream)
    expect(failures.errors).toEqual([])
  })

  it('a media resource MUST be closed while it is sent', async () => {
    const { stream, count } = countedStream(Infinity)
    await startMedia(() => stream)
    const socket = sendBatch(photo)
    await until(() => count() > MAX_BUFFERED_BYTES / chunk.length)
    socket.destroy()
    await closed(stream)
    expect(failures.errors).toEqual([])
  })

  it('a media resource MUST be closed that is opened only then', async () => {
    const [entered, left] = [gate(), gate()]
    const stream = new Readable({ read: () => undefined })
    const media = {
      contentType: () => 'image/png',
      async open() {
        entered.open()
        await left.opened
        return { contentType: 'image/png', stream: () => stream, close: () => undefined }
      },
    }
    await start('Photos', { read: () => [{ ID: 1 }], media })
    const socket = sendBatch(photo)
    await entered.opened
    socket.destroy()
    await server.waitForDisconnects()
    left.open()
    await closed(stream)
    expect(failures.errors).toEqual([])
  })
})

describe('A long feed within a batch', () => {
  it('MUST be sent while it is rendered, with the bytes that it has alone', async () => {
    const rows = Array.from({ length: 3_000 }, (_, ID) => ({ ID, Name: 'ä'.repeat(400) }))
    await start('Categories', { read: () => rows })
    const exchange = await postBatch(server.port, batchBody(get('Categories'), get('Categories(2999)')))
    const [feed, entry] = responsesIn(exchange)
    const alone = await server.send('/n/Categories', { headers: { Accept: 'application/json' } })
    expect(Buffer.from(single(feed).body, 'latin1').equals(alone.bytes)).toBe(true)
    // There is no length without the whole document.
    expect(single(feed).headers).not.toHaveProperty('content-length')
    expect(single(entry).status).toBe(200)
  })
})
