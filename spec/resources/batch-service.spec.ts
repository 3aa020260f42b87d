import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import express from 'express'
import type { EdmModel, ODataV2Options, Provider, Row } from '../../lib/index.js'
import { ODataError, odataV2 } from '../../lib/index.js'
import {
  responsesIn,
  responsesTo,
  batchBody,
  get,
  postBatch,
  single,
  statusesOf,
  written,
} from '../support/batch-exchange.js'
import { turnEventLoop } from '../support/event-loop.js'
import { Failures, gate } from '../support/failures.js'
import { TestServer } from '../support/http-exchange.js'
import {
  exampleModel,
  exampleProvider,
  exampleService,
  exampleServiceWith,
} from '../support/services/example-service.js'
import { manualClock } from '../support/manual-clock.js'
import { scaleTimers } from '../support/scale-timers.js'
import { until } from '../support/until.js'
import { withHandlers } from '../support/with-handlers.js'

let server: TestServer
afterEach(() => server.stop())

async function start(service: express.Router): Promise<void> {
  server = await TestServer.start(express().use('/n', service))
}

function serviceWith(parts: Partial<Provider>, options: ODataV2Options = {}): express.Router {
  const provider = { ...(exampleProvider() as Provider), ...parts }
  return odataV2(exampleModel as EdmModel, withHandlers(provider, exampleModel), options)
}

const insert = (ID: number): string => written('POST Categories', JSON.stringify({ ID, Name: `C${ID}` }))

describe('The limits of a batch', () => {
  // A refused connection is closed after a second of silence.
  scaleTimers(0.05)

  it.each([
    ['batchParts', [get('Total'), get('Total'), get('Total')], 400],
    ['changeSetRequests', [[insert(50), insert(51), insert(52)]], 400],
    ['batchRequests', [get('Total'), [insert(50), insert(51)]], 400],
    ['batchBytes', [insert(50)], 413],
  ])('MUST refuse all of it: %s', async (limit, parts, status) => {
    await start(exampleService({ readOnly: false, limits: { [limit]: 2 } }))
    const exchange = await postBatch(server.port, batchBody(...parts))
    expect(exchange.status).toBe(status)
    expect(exchange.text).toContain(`the limit '${limit}' of this service`)
    expect((await server.send('/n/Categories(50)')).status).toBe(404)
  })

  it('MUST respond with 413 while the client is still sending, and close the connection', async () => {
    await start(exampleService({ limits: { batchBytes: 1000 } }))
    const socket = connect(server.port, '127.0.0.1')
    socket.write(
      'POST /n/$batch HTTP/1.1\r\nHost: h\r\nContent-Type: multipart/mixed; boundary=b\r\n' +
        `Content-Length: 100000000\r\n\r\n${'x'.repeat(2000)}`,
    )
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
    await once(socket, 'close')
    expect(text).toMatch(/^HTTP\/1\.1 413 /)
    expect(text).toContain('\r\nConnection: close\r\n')
  })

  it('MUST apply to the parts too', async () => {
    await start(exampleService({ limits: { url: 50, batchUrl: 100 } }))
    const responses = await responsesTo(server.port, get(`Categories?x=${'x'.repeat(100)}`), get('Total'))
    expect(statusesOf(responses)).toEqual([414, 200])
  })
})

describe('The caller of a batch', () => {
  it('MUST be resolved once, and be the context of every part', async () => {
    let requested = 0
    const seen = new Set<unknown>()
    await start(
      exampleService({
        readOnly: false,
        context: async () => Promise.resolve(`caller ${++requested}`),
        authorize: (_operation, context) => {
          seen.add(context)
        },
      }),
    )
    const responses = await responsesTo(server.port, get('Categories'), insert(50), [insert(51), insert(52)])
    expect(statusesOf(responses)).toEqual([200, 201, [201, 201]])
    expect([requested, [...seen]]).toEqual([1, ['caller 1']])
  })

  it('MUST be refused part by part', async () => {
    const details = { wwwAuthenticate: 'Basic realm="x"' }
    await start(
      exampleService({
        readOnly: false,
        authorize: (operation) => {
          if (operation.kind === 'delete') throw new ODataError('Forbidden')
          if (operation.kind === 'insert') throw new ODataError('Unauthorized', { details })
          return operation.entitySet === 'Products' ? 'ID eq 1' : undefined
        },
      }),
    )
    const responses = await responsesTo(
      server.port,
      get('Products/$count'),
      get('Products(2)'),
      insert(50),
      [written('MERGE Categories(1)', '{"Note":"x"}'), written('DELETE Categories(4)')],
      get('Categories(1)/Note/$value'),
    )
    expect(statusesOf(responses)).toEqual([200, 404, 401, 403, 404])
    expect(single(responses[0]).body).toBe('1')
    expect(single(responses[2]).headers['www-authenticate']).toBe('Basic realm="x"')
  })

  it('MUST be rejected part by part when the client is not authenticated', async () => {
    let requested = 0
    const context = (): never => {
      requested++
      throw new ODataError('Unauthorized')
    }
    await start(exampleService({ readOnly: false, context }))
    const responses = await responsesTo(
      server.port,
      written('GET $metadata'),
      get('Categories'),
      [insert(50)],
      insert(51),
    )
    expect([statusesOf(responses), requested]).toEqual([[200, 401, 401, 401], 1])
  })
})

describe('Parts of a batch that fail', () => {
  const category = { ID: 1, Name: 'a' }

  it('MUST be reported to the application, and abort the response if it has begun', async () => {
    const failures = new Failures()
    const cause = new Error('connection lost')
    async function* read(): AsyncGenerator<Row[]> {
      yield await Promise.resolve(Array<Row>(500).fill(category))
      throw cause
    }
    await start(exampleServiceWith('Categories', { read }, { pageSize: 0, onError: failures.onError }))
    const responses = await responsesTo(server.port, get('Categories'), get('Total'), get('Categories'))
    expect(statusesOf(responses)).toEqual([500, 200, 500])
    expect(single(responses[0]).body).not.toContain('connection')
    expect(failures.causes).toEqual([cause, cause])
  })

  it.each([
    ['shorter', '0123'],
    ['longer', '0123456789'],
  ])('MUST be errors for media that are %s than announced', async (_what, bytes) => {
    const failures = new Failures()
    const media = {
      contentType: () => 'text/plain',
      open: () => ({
        contentType: 'text/plain',
        size: 8,
        stream: () => Readable.from([Buffer.from(bytes)]),
        close: () => undefined,
      }),
    }
    const set = { read: () => [{ ID: 1 }], media }
    await start(exampleServiceWith('Photos', set, { onError: failures.onError }))
    const responses = await responsesTo(server.port, written('GET Photos(1)/$value'), get('Total'))
    expect(statusesOf(responses)).toEqual([500, 200])
    expect(failures.errors).toHaveLength(1)
  })
})

describe('A client that leaves', () => {
  /** Sends a batch whose function waits, and goes away while it does. */
  async function leave(): Promise<{ readonly called: number[] }> {
    const entered = gate()
    const wait = gate()
    const called: number[] = []
    const functions = {
      Raise: async ({ pct }: Readonly<Record<string, unknown>>) => {
        called.push(Number(pct))
        entered.open()
        await wait.opened
      },
    }
    await start(serviceWith({ functions }))
    const body = batchBody(
      insert(49),
      [insert(50), written('POST Raise?pct=1d'), insert(51), written('POST Raise?pct=2d')],
      written('DELETE Categories(4)'),
      written('POST Raise?pct=3d'),
    )
    const socket = connect(server.port, '127.0.0.1')
    socket.write(
      'POST /n/$batch HTTP/1.1\r\nHost: h\r\nContent-Type: multipart/mixed; boundary=b\r\n' +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    )
    await entered.opened
    socket.destroy()
    await server.waitForDisconnects()
    wait.open()
    await turnEventLoop()
    return { called }
  }

  it('MUST stop processing, and roll back the pending change set', async () => {
    const { called } = await leave()
    expect(called).toEqual([1])
    const statuses: number[] = []
    for (const key of [49, 50, 51, 4]) statuses.push((await server.send(`/n/Categories(${key})`)).status)
    expect(statuses).toEqual([200, 404, 404, 200])
  })

  it('MUST not keep others from changing data', async () => {
    await leave()
    const responses = await responsesTo(server.port, insert(60), [insert(50), insert(51)])
    expect(statusesOf(responses)).toEqual([201, [201, 201]])
  })
})

describe('Several batches at the same time', () => {
  it('MUST NOT mix their change sets, and all get a response', async () => {
    const functions = {
      Raise: async ({ pct }: Readonly<Record<string, unknown>>) => {
        await turnEventLoop(3)
        if (pct === 0) throw new ODataError('Conflict')
      },
    }
    await start(serviceWith({ functions }))
    const batches = Array.from({ length: 12 }, (_, index) => {
      const key = 100 + index * 10
      return responsesTo(
        server.port,
        insert(key),
        [insert(key + 1), written(`POST Raise?pct=${index % 3}d`), insert(key + 2)],
        get(`Categories/$count?$filter=ID ge ${key} and ID lt ${key + 10}`.replaceAll(' ', '%20')),
        insert(key + 3),
      )
    })
    for (const [index, responses] of (await Promise.all(batches)).entries()) {
      const fails = index % 3 === 0
      expect(statusesOf(responses)).toEqual([201, fails ? 409 : [201, 204, 201], 200, 201])
      expect(single(responses[2]).body).toBe(fails ? '1' : '3')
    }
    expect((await server.send('/n/Categories/$count?$filter=ID%20ge%20100')).text).toBe('40')
  })
})

describe('A long batch', () => {
  const clock = manualClock()

  it('MUST NOT block other requests', async () => {
    const begun = gate()
    let reads = 0
    const read = (): Row[] => {
      begun.open()
      reads++
      clock.now += 3
      return []
    }
    const seen: number[] = []
    const provider = exampleProvider() as Provider
    const entitySets = { ...provider.entitySets, Categories: { read } }
    const functions = { Total: () => seen.push(reads) }
    await start(serviceWith({ entitySets, functions }, { limits: { batchParts: 500 } }))
    const body = batchBody(...Array<string>(500).fill(get('Categories')))
    const long = postBatch(server.port, body)
    await begun.opened
    await server.send('/n/Total')
    await long
    expect(reads).toBe(500)
    expect(seen[0]).toBeLessThan(500)
  })
})

describe('The responses of a batch', () => {
  it('MUST be created while the client reads them, not buffered', async () => {
    let reads = 0
    const rows = Array.from({ length: 1000 }, (_, ID) => ({
      ID,
      Name: 'x'.repeat(40),
      Note: 'y'.repeat(200),
    }))
    const read = (): Row[] => {
      reads++
      return rows
    }
    await start(exampleServiceWith('Categories', { read }, { limits: { batchParts: 200 } }))
    const body = batchBody(...Array<string>(200).fill(get('Categories')))
    const socket = connect(server.port, '127.0.0.1')
    socket.pause()
    socket.write(
      'POST /n/$batch HTTP/1.1\r\nHost: h\r\nConnection: close\r\n' +
        'Content-Type: multipart/mixed; boundary=b\r\n' +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    )
    await until(() => reads > 0)
    // Until the buffers of the operating system are full.
    for (let before = 0; before !== reads;) {
      before = reads
      await turnEventLoop(100)
    }
    expect(reads).toBeLessThan(60)
    let parts = 0
    socket.on(
      'data',
      (chunk: Buffer) => (parts += chunk.toString('latin1').split('HTTP/1.1 200 OK').length - 1),
    )
    socket.resume()
    await once(socket, 'end')
    expect(reads).toBe(200)
    expect(parts).toBeGreaterThan(190)
  })

  it('MUST be the same however long they are', async () => {
    const rows = Array.from({ length: 3000 }, (_, ID) => ({ ID, Name: 'ä'.repeat(20) }))
    await start(exampleServiceWith('Categories', { read: () => rows }, { pageSize: 0 }))
    const exchange = await postBatch(server.port, batchBody(get('Categories'), get('Categories(2999)')))
    const [feed, entry] = responsesIn(exchange)
    const alone = await server.send('/n/Categories', { headers: { Accept: 'application/json' } })
    expect(Buffer.from(single(feed).body, 'latin1').equals(alone.bytes)).toBe(true)
    expect(single(entry).status).toBe(200)
  })
})
