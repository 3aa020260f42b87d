import { once } from 'node:events'
import type { IncomingMessage, RequestListener } from 'node:http'
import { request } from 'node:http'
import compression from 'compression'
import type { RequestHandler } from 'express'
import express from 'express'
import { createServer, defineModel, edm, odataV2, requestListener } from '../../lib/index.js'
import type { Provider, RenderedBatch } from '../../lib/index.js'
import { batchBody, get } from '../support/batch-exchange.js'
import { readAndLeave, TestServer } from '../support/http-exchange.js'
import { until } from '../support/until.js'

const model = defineModel({
  namespace: 'Notes',
  entityTypes: {
    Note: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Body: edm.String() } },
  },
  entityContainer: { entitySets: { Notes: { entityType: 'Note' } } },
})

const perBatch = 50
const rows = Array.from({ length: 4000 }, (_, ID) => ({ ID, Body: String(ID).padEnd(999, 'text ') }))

/** All pieces that were given to the service. */
let given: Buffer[] = []
let disposable: boolean | undefined

/** A provider that writes its entities itself, in batches of some fifty thousand bytes. */
const provider: Provider = {
  entitySets: {
    Notes: {
      read: ({ skip = 0, top = rows.length }) => rows.slice(skip, skip + top),
      render({ top = rows.length }, rendering) {
        let start = 0
        const next = (): RenderedBatch | undefined => {
          const some = rows.slice(start, Math.min(top, start + perBatch))
          start += some.length
          if (some.length === 0) return undefined
          const texts = some.map((_, index) => rendering.write({ rows: some, expansions: [] }, index))
          const bytes = Buffer.from(texts.join(rendering.separator))
          given.push(bytes)
          return { pieces: [bytes], count: some.length, inlineCount: 0, disposable }
        }
        return { next, close: () => undefined }
      },
      pushdown: { filter: () => true, orderBy: () => true, paging: true },
    },
  },
}
const options = { pageSize: 0 }
const service = odataV2(model, provider, options)
const path = '/Notes?$format=json'
const headers = { 'Accept-Encoding': 'identity' }

beforeEach(() => {
  given = []
  disposable = true
})

function expectAll(text: string, top = rows.length): void {
  const { d } = JSON.parse(text) as { d: { results: { ID: number; Body: string }[] } }
  expect(d.results.map(({ ID, Body }) => ({ ID, Body }))).toEqual(rows.slice(0, top))
}

const freed = (): boolean[] => given.map(({ length }) => length === 0)

describe.each<[string, RequestListener | ReturnType<typeof createServer>]>([
  ['behind Express', express().use(service)],
  ['behind Express on its own server', createServer(express().use(service))],
  ['without Express', requestListener(model, provider, options)],
])('Bytes that nobody else looks at, %s,', (_, what) => {
  let server: TestServer
  beforeAll(async () => {
    server = await TestServer.start(what)
  })
  afterAll(() => server.stop())

  it('MUST all be sent, to many at once, and be freed then', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => server.ask(path, { headers })))
    for (const { text } of answers) expectAll(text)
    await until(() => freed().every(Boolean))
    expect(given).toHaveLength((6 * rows.length) / perBatch)
  })

  it('MUST all be sent where some clients leave in the middle', async () => {
    const leaving = Array.from({ length: 5 }, () => readAndLeave(server, path, 200_000))
    const staying = Array.from({ length: 5 }, () => server.ask(path, { headers }))
    await Promise.all(leaving)
    for (const { text } of await Promise.all(staying)) expectAll(text)
  })

  it('MUST all be sent to a client that reads slowly', async () => {
    const slow = request({ host: '127.0.0.1', port: server.port, agent: false, path })
    slow.end()
    const [incoming] = (await once(slow, 'response')) as [IncomingMessage]
    for (let round = 0; round < 3; round++) expectAll((await server.ask(path, { headers })).text)
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    expectAll(Buffer.concat(chunks).toString())
  })

  it('MUST stay when others look at them', async () => {
    disposable = undefined
    expectAll((await server.ask(path, { headers })).text)
    expect(freed()).toEqual(Array.from({ length: rows.length / perBatch }, () => false))
  })

  it('MUST all be part of the answers of a batch', async () => {
    const { status, text } = await server.ask('/$batch', {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
      body: batchBody(get('Notes?$format=json&$top=200'), get('Notes?$format=json&$top=100')),
    })
    expect(status).toBe(202)
    const [first, second] = [...text.matchAll(/^\{"d":.*\}$/gm)].map(([one]) => one)
    expectAll(first ?? '', 200)
    expectAll(second ?? '', 100)
  })
})

describe('Middleware that looks at what is written', () => {
  const keep: RequestHandler = (_req, res, next) => {
    const write = res.write.bind(res) as (...all: unknown[]) => boolean
    res.write = (...all: unknown[]) => {
      given.push(all[0] as Buffer)
      return write(...all)
    }
    next()
  }

  const keepOfConnection: RequestHandler = ({ socket }, _res, next) => {
    const write = socket.write.bind(socket) as (...all: unknown[]) => boolean
    socket.write = (...all: unknown[]) => {
      if (all[0] instanceof Uint8Array) given.push(Buffer.from(all[0].buffer))
      return write(...all)
    }
    next()
  }

  it.each<[string, RequestHandler]>([
    ['keeps it', keep],
    ['keeps what the connection is given', keepOfConnection],
    ['compresses it', compression({ threshold: 0 })],
  ])('MUST still have it when the answer is complete: one that %s', async (_, middleware) => {
    const server = await TestServer.start(express().use(middleware, service))
    const response = await fetch(`http://127.0.0.1:${String(server.port)}${path}`)
    expectAll(await response.text())
    await server.stop()
    expect(given).not.toHaveLength(0)
    expect(freed()).toEqual(given.map(() => false))
  })
})
