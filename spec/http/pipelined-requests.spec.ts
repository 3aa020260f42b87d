import express from 'express'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { EntitySetProvider, Row } from '../../lib/index.js'
import { turnEventLoop } from '../support/event-loop.js'
import { Failures, gate } from '../support/failures.js'
import { TestServer } from '../support/http-exchange.js'
import { closed } from '../support/recorded-media.js'
import { hundredRows } from '../support/recorded-rows.js'
import { exampleServiceWith } from '../support/services/example-service.js'
import { until } from '../support/until.js'

const megabytes = 5
const streams: Readable[] = []
const signals: AbortSignal[] = []
let failures: Failures
let feeds = { begun: 0, ended: 0 }
let feedLength: number
let beforeBatch: () => Promise<unknown>

const photos: EntitySetProvider = {
  read: () => [{ ID: 1, Title: 'One' }],
  media: {
    contentType: () => 'image/png',
    open: (_row, { signal }) => {
      signals.push(signal)
      return {
        contentType: 'image/png',
        size: megabytes * 2 ** 20,
        stream: bigStream,
        close: () => undefined,
      }
    },
  },
}

function bigStream(): Readable {
  const stream = Readable.from(Array.from({ length: megabytes }, () => Buffer.alloc(2 ** 20, 'x')))
  streams.push(stream)
  return stream
}

const categories: EntitySetProvider = {
  read: (_query, { signal }) => {
    signals.push(signal)
    return slowRows()
  },
  pushdown: { filter: () => true, orderBy: () => true },
}

async function* slowRows(): AsyncGenerator<readonly Row[]> {
  feeds.begun++
  try {
    for (let index = 0; index < feedLength; index++) {
      await beforeBatch()
      yield hundredRows(index)
    }
  } finally {
    feeds.ended++
  }
}

let server: TestServer
const warnings: Error[] = []
const warn = (warning: Error): void => {
  warnings.push(warning)
}

beforeAll(async () => {
  const onError = (...failure: Parameters<Failures['onError']>): void => {
    failures.onError(...failure)
  }
  const options = { onError, pageSize: 0 }
  const app = express()
  app.use('/photos', exampleServiceWith('Photos', photos, options))
  app.use('/categories', exampleServiceWith('Categories', categories, options))
  server = await TestServer.start(app)
  process.on('warning', warn)
})
afterAll(async () => {
  process.off('warning', warn)
  await server.stop()
})
beforeEach(() => {
  failures = new Failures()
  streams.length = 0
  signals.length = 0
  warnings.length = 0
  feeds = { begun: 0, ended: 0 }
  feedLength = 100
  beforeBatch = () => turnEventLoop(1)
})

/** Sends a request many times over one connection, without waiting for the responses. */
function pipeline(target: string, count: number): Socket {
  const socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(`GET ${target} HTTP/1.1\r\nHost: h\r\n\r\n`.repeat(count))
  return socket
}

/** Reads only the start of the first response. */
async function readLittle(socket: Socket): Promise<void> {
  await once(socket, 'data')
  socket.pause()
  await turnEventLoop()
}

async function leave(socket: Socket): Promise<void> {
  socket.destroy()
  await gone(socket)
  await server.waitForDisconnects()
}

/** `once` would reject for a connection that is reset. */
function gone(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => {
      resolve()
    })
  })
}

/**
 * Reads all responses. The last request has to close the connection: servers may drop half-closed
 * connections.
 */
async function converse(requests: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1')
  socket.write(requests)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

const photo = '/photos/Photos(1)/$value'
const feed = '/categories/Categories?$format=json'

describe('Of pipelined requests whose client goes away', () => {
  it('every stream MUST be destroyed, and every signal aborted', async () => {
    const socket = pipeline(photo, 50)
    await readLittle(socket)
    await leave(socket)
    expect(streams.length).toBeGreaterThan(0)
    await Promise.all(streams.map(closed))
    expect(streams.filter((stream) => !stream.destroyed)).toEqual([])
    expect(signals.filter((signal) => !signal.aborted)).toEqual([])
    expect(failures.errors).toEqual([])
  })

  it('every source MUST be given back, and every signal aborted', async () => {
    const socket = pipeline(feed, 50)
    await readLittle(socket)
    await leave(socket)
    expect(feeds.begun).toBeGreaterThan(0)
    expect(feeds.ended).toBe(feeds.begun)
    expect(signals.filter((signal) => !signal.aborted)).toEqual([])
    expect(failures.errors).toEqual([])
  })

  it('MUST close every source when the first response has not begun', async () => {
    const [entered, allowed] = [gate(), gate()]
    beforeBatch = () => {
      entered.open()
      return allowed.opened
    }
    const socket = pipeline(feed, 50)
    await entered.opened
    await leave(socket)
    expect(signals.filter((signal) => !signal.aborted)).toEqual([])
    allowed.open()
    await until(() => feeds.ended === feeds.begun)
    await turnEventLoop()
    expect(feeds).toEqual({ begun: 1, ended: 1 })
  })

  it('MUST NOT start a request after the one that is being processed', async () => {
    const socket = pipeline(photo, 500)
    await readLittle(socket)
    expect(streams).toHaveLength(1)
    await leave(socket)
    expect(streams).toHaveLength(1)
  })

  it('there MUST not be warnings of too many listeners', async () => {
    const socket = pipeline(photo, 500)
    await readLittle(socket)
    await leave(socket)
    expect(warnings).toEqual([])
  })
})

describe('Pipelined requests', () => {
  it('MUST all receive responses, in order', async () => {
    feedLength = 1
    const targets = Array.from({ length: 50 }, (_, index) =>
      index % 2 === 0 ? feed : `/photos/Nothing${index}`,
    )
    const requests = targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: h\r\n\r\n`)
    const last = `GET ${feed} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`
    const raw = await converse(requests.join('') + last)
    const statuses = [...raw.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    expect(statuses).toEqual([...targets.map((target) => (target === feed ? '200' : '404')), '200'])
    expect([...raw.matchAll(/'Nothing(\d+)'/g)].map(([, index]) => Number(index))).toEqual(
      targets.flatMap((target, index) => (target === feed ? [] : [index])),
    )
    expect(feeds).toEqual({ begun: 26, ended: 26 })
    expect(signals.filter((signal) => signal.aborted)).toEqual([])
  })

  it('MUST all receive responses when they have bodies', async () => {
    const body = '{"x":1}'
    const request = `POST /photos/Nothing HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const last = 'GET /photos/Nothing HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'
    const raw = await converse(request.repeat(20) + last)
    expect(raw.match(/HTTP\/1\.1 404/g)).toHaveLength(21)
  })

  it('MUST close the connection when more requests wait than any client needs', async () => {
    const allowed = gate()
    beforeBatch = () => allowed.opened
    const socket = pipeline(feed, 5000)
    await gone(socket)
    await server.waitForDisconnects()
    allowed.open()
    await until(() => feeds.ended === feeds.begun)
    await turnEventLoop()
    expect(feeds).toEqual({ begun: 1, ended: 1 })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect((await server.send('/photos/Photos/$count')).text).toBe('1')
  })
})
