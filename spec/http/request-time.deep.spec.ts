import { once } from 'node:events'
import { createServer as createNodeServer } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import express from 'express'
import type { EntitySetProvider, Limits, Provider, Row } from '../../lib/index.js'
import { createServer, memoryProvider, odataV2, ODataError, requestListener } from '../../lib/index.js'
import { batchBody, written } from '../support/batch-exchange.js'
import { turnEventLoop } from '../support/event-loop.js'
import { Failures, gate } from '../support/failures.js'
import { TestServer } from '../support/http-exchange.js'
import { RawClient } from '../support/raw-client.js'
import { photoData, photoModel } from '../support/services/photo-service.js'
import { scaleTimers } from '../support/scale-timers.js'
import { until } from '../support/until.js'

const requestTime = 50
const hosts = ['Express', 'createServer', 'node:http'] as const
type Host = (typeof hosts)[number]
type Changed = Partial<Record<'Photos' | 'Counters', (own: EntitySetProvider) => object>>

/** The one started last, and those started before. */
let server: TestServer
const servers: TestServer[] = []
let failures: Failures
let signals: AbortSignal[]

/** The memory provider with other members for some of its entity sets. */
function memoryWith(changed: Changed): Provider {
  const { entitySets, ...rest } = memoryProvider(photoModel, photoData()) as unknown as Provider
  const sets = Object.entries(entitySets).map(([name, own]) => {
    const members = changed[name as 'Photos' | 'Counters']?.(own)
    return [name, members === undefined ? own : { ...own, ...members }] as const
  })
  return { ...rest, entitySets: Object.fromEntries(sets) }
}

async function start(changed: Changed, host: Host = 'Express', limits: Partial<Limits> = {}): Promise<void> {
  failures = new Failures()
  signals = []
  const provider = memoryWith(changed) as never
  const { onError } = failures
  const options = { onError, pageSize: 0, limits: { requestTime, ...limits } }
  if (host === 'node:http') {
    const listener = requestListener(photoModel, provider, { ...options, mountPath: '/p' })
    server = await TestServer.start(createNodeServer(listener))
  } else {
    const app = express().use('/p', odataV2(photoModel, provider, options))
    server = await TestServer.start(host === 'Express' ? app : createServer(app))
  }
  servers.push(server)
}

afterEach(async () => {
  for (const started of servers.splice(0)) await started.stop()
})

const never = (): Promise<never> => new Promise(() => undefined)
const noted = (call: { readonly signal: AbortSignal }): void => {
  signals.push(call.signal)
}
const isUp = async (): Promise<void> => {
  expect((await server.send('/p/Counters/$count')).text).toBe('1')
}
const reportedCodes = (): string[] => failures.errors.map(({ code }) => code)

describe('A provider that never responds', () => {
  it.each(hosts)('MUST be aborted with 503 and an error document: %s', async (host) => {
    const read: EntitySetProvider['read'] = (_query, call) => {
      noted(call)
      return never()
    }
    await start({ Photos: () => ({ read, readByKey: undefined }) }, host)
    const response = await server.send('/p/Photos?$format=json')
    expect(response.status).toBe(503)
    expect(JSON.parse(response.text)).toEqual({
      error: {
        code: 'ServiceUnavailable',
        message: {
          lang: expect.any(String) as string,
          value: 'The service could not respond within 0.05 seconds.',
        },
      },
    })
    const [signal] = signals
    expect(signal?.aborted).toBe(true)
    expect(signal?.reason).toBeInstanceOf(ODataError)
    expect(reportedCodes()).toEqual(['ServiceUnavailable'])
    expect(failures.errors[0]?.details).toEqual({ limit: 'requestTime' })
    await isUp()
  })

  it('MUST not close the connection of a request that was received completely', async () => {
    await start({ Photos: () => ({ read: never, readByKey: undefined }) })
    const client = await RawClient.connect(server.port)
    await client.write(
      'GET /p/Photos HTTP/1.1\r\nHost: h\r\n\r\nGET /p/Counters/$count HTTP/1.1\r\nHost: h\r\n\r\n',
    )
    expect(await client.responses(2)).toEqual([503, 200])
    await client.leave()
  })

  it.each([
    ['rows', 'GET', '/p/Photos', { read: never }],
    [
      'an iterable that hangs',
      'GET',
      '/p/Photos',
      { read: () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }) },
    ],
    ['an entity', 'GET', '/p/Photos(1)', { readByKey: never }],
    ['a count', 'GET', '/p/Photos/$count', { count: never, pushdown: { filter: () => true } }],
    ['a media resource', 'GET', '/p/Photos(1)/$value', { media: { open: never, contentType: () => 'a/b' } }],
    ['a change', 'DELETE', '/p/Photos(1)', { delete: never }],
  ])('MUST be aborted when %s is requested', async (_what, method, target, members) => {
    await start({ Photos: () => members })
    expect(
      (await server.send(target, { method, headers: method === 'DELETE' ? { 'If-Match': '*' } : {} })).status,
    ).toBe(503)
    expect(reportedCodes()).toEqual(['ServiceUnavailable'])
  })

  it('MUST be aborted when the option context never resolves', async () => {
    failures = new Failures()
    const service = odataV2(photoModel, memoryWith({}) as never, {
      context: never,
      limits: { requestTime },
      onError: failures.onError,
    })
    server = await TestServer.start(express().use('/p', service))
    servers.push(server)
    expect((await server.send('/p/Photos')).status).toBe(503)
  })

  it('MUST abort its whole batch', async () => {
    await start({ Photos: () => ({ read: never, readByKey: never }) })
    const response = await server.send('/p/$batch', {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
      body: `--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nGET Photos(1) HTTP/1.1\r\n\r\n\r\n--b--`,
    })
    expect(response.status).toBe(503)
    expect(reportedCodes()).toEqual(['ServiceUnavailable'])
  })

  it('MUST have all time there is where the limit is 0', async () => {
    const requested = gate()
    const allowed = gate()
    const read = async (): Promise<Row[]> => {
      requested.open()
      await allowed.opened
      return []
    }
    await start({ Photos: () => ({ read }) }, 'Express', { requestTime: 0 })
    const response = server.send('/p/Photos')
    await requested.opened
    await start({ Photos: () => ({ read: never, readByKey: undefined }) })
    expect((await server.send('/p/Photos')).status).toBe(503)
    allowed.open()
    expect((await response).status).toBe(200)
  })
})

describe('Errors after a request was aborted', () => {
  const late = async (what: () => unknown, media = false): Promise<void> => {
    const allowed = gate()
    const response = async (): Promise<unknown> => {
      await allowed.opened
      return what()
    }
    const members = media
      ? { media: { contentType: () => 'a/b', open: response } }
      : { read: response, readByKey: undefined }
    await start({ Photos: () => members })
    expect((await server.send(media ? '/p/Photos(1)/$value' : '/p/Photos')).status).toBe(503)
    allowed.open()
    await turnEventLoop()
    expect(reportedCodes()).toEqual(['ServiceUnavailable'])
    await isUp()
  }

  it('MUST be ignored: rows', () => late(() => [{ ID: 1, Title: 'late' }]))
  it('MUST be ignored: an error', () =>
    late(() => {
      throw new Error('late')
    }))
  it('MUST be ignored: garbage', () => late(() => 42))

  it('MUST be closed: an iterable', async () => {
    let closed = 0
    const rows = {
      [Symbol.asyncIterator]: () => ({
        next: never,
        return: () => {
          closed++
          return Promise.resolve({ done: true, value: undefined })
        },
      }),
    }
    await late(() => rows)
    expect(closed).toBe(1)
  })

  it('MUST be closed: the bytes of a media resource', async () => {
    const stream = new Readable({ read: () => undefined })
    await late(() => ({ contentType: 'a/b', stream: () => stream, close: () => stream.destroy() }), true)
    expect(stream.destroyed).toBe(true)
  })
})

describe('A change set whose provider never responds', () => {
  // The change set is rolled back a second after its request was aborted.
  scaleTimers(0.05)

  it.each([
    ['of one request', 'POST', '/p/Counters(1)/$links/Photos', 'application/json', '{"uri":"Photos(1)"}'],
    [
      'of a batch',
      'POST',
      '/p/$batch',
      'multipart/mixed; boundary=b',
      batchBody([
        written('POST Counters', '{"ID":2,"Value":0,"Version":1}', { 'Content-Type': 'application/json' }),
        written('POST Counters(1)/$links/Photos', '{"uri":"Photos(1)"}', {
          'Content-Type': 'application/json',
        }),
      ]),
    ],
  ])('MUST be rolled back, and never be executed later: %s', async (_what, method, target, type, body) => {
    const linked = gate()
    const link = async (): Promise<void> => {
      await linked.opened
    }
    await start({ Counters: () => ({ link }) })
    const response = await server.send(target, { method, headers: { 'Content-Type': type }, body })
    expect(response.status).toBe(503)
    // Other requests wait for the change set: their responses show that it has ended.
    await until(async () => (await server.send('/p/Counters/$count')).status !== 503)
    expect((await server.send('/p/Counters/$count')).text).toBe('1')
    linked.open()
    await turnEventLoop()
    expect((await server.send('/p/Counters/$count')).text).toBe('1')
  })
})

describe('A client that is slow', () => {
  it.each([
    ['JSON', 'POST /p/Counters', 'Content-Type: application/json\r\n', '{"ID":2,'],
    ['a batch', 'POST /p/$batch', 'Content-Type: multipart/mixed; boundary=b\r\n', '--b\r\n'],
    ['a media resource', 'PUT /p/Photos(1)/$value', '', 'half'],
  ])('MUST receive 408 when its body is not sent: %s', async (_what, line, headers, body) => {
    await start({})
    const client = await RawClient.connect(server.port)
    await client.write(`${line} HTTP/1.1\r\nHost: h\r\n${headers}Content-Length: 100\r\n\r\n${body}`)
    const text = await client.end()
    expect(text).toMatch(/^HTTP\/1\.1 408 /)
    expect(text).toContain('Connection: close')
    expect(text).toContain('The body was not received within 0.05 seconds.')
    expect(failures.errors).toEqual([])
    await isUp()
    expect((await server.send('/p/Photos(1)/$value')).text).toBe('old')
  })

  it('MUST not have its partial body treated as complete when the rest arrives too late', async () => {
    await start({})
    const client = await RawClient.connect(server.port)
    await client.write('PUT /p/Photos(1)/$value HTTP/1.1\r\nHost: h\r\nContent-Length: 8\r\n\r\nhalf')
    await client.responses(1)
    await client.write('rest')
    await client.end()
    expect(client.statuses).toEqual([408])
    expect((await server.send('/p/Photos(1)/$value')).text).toBe('old')
  })

  it.each(['rows', 'bytes'] as const)('MUST lose its connection when it does not read: %s', async (what) => {
    const ended = gate()
    async function* rows(): AsyncGenerator<readonly Row[]> {
      try {
        for (let ID = 0; ; ID++) yield await Promise.resolve([{ ID, Title: 'x'.repeat(10_000) }])
      } finally {
        ended.open()
      }
    }
    const bytes = new Readable({
      read() {
        this.push(Buffer.alloc(65_536))
      },
      destroy(_error, done) {
        ended.open()
        done(null)
      },
    })
    const media = {
      contentType: () => 'a/b',
      open: () => ({ contentType: 'a/b', stream: () => bytes, close: () => undefined }),
    }
    await start({ Photos: () => (what === 'rows' ? { read: rows } : { media }) })
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.pause()
    socket.write(`GET ${what === 'rows' ? '/p/Photos' : '/p/Photos(1)/$value'} HTTP/1.1\r\nHost: h\r\n\r\n`)
    await ended.opened
    await turnEventLoop()
    expect(failures.errors).toEqual([])
    socket.destroy()
    await isUp()
  })
})

describe('A response that has begun', () => {
  async function* hanging(): AsyncGenerator<readonly Row[]> {
    yield Array.from({ length: 5_000 }, (_, ID) => ({ ID, Title: 'x'.repeat(100) }))
    await never()
  }

  it('MUST be aborted when the provider hangs, and onError be called', async () => {
    await start({ Photos: () => ({ read: hanging }) })
    await expect(server.send('/p/Photos')).rejects.toThrow()
    expect(reportedCodes()).toEqual(['ServiceUnavailable'])
    await isUp()
  })

  it('MUST go on for as long as it makes progress', async () => {
    async function* slow(): AsyncGenerator<readonly Row[]> {
      for (let batch = 0; batch < 12; batch++) {
        // Together longer than the limit, each much shorter. The event loop is as late for these as for the limit.
        await delay(15)
        yield Array.from({ length: 1_000 }, (_, ID) => ({ ID: batch * 1_000 + ID, Title: 'x'.repeat(100) }))
      }
    }
    await start({ Photos: () => ({ read: slow }) }, 'Express', { requestTime: 100 })
    const { status, text } = await server.send('/p/Photos?$format=json')
    expect([status, (JSON.parse(text) as { d: { results: unknown[] } }).d.results.length]).toEqual([
      200, 12_000,
    ])
  })
})

describe('The watch over time', () => {
  it('MUST leave no timer after the last response', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    await start({ Photos: () => ({ read: never }) })
    const before = timers()
    expect((await server.send('/p/Photos')).status).toBe(503)
    // Idle connections have timers too, for some seconds.
    await until(() => timers() <= before)
  })
})
