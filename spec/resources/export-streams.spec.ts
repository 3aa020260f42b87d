import type { IncomingMessage } from 'node:http'
import { get } from 'node:http'
import { once } from 'node:events'
import express from 'express'
import type { Row } from '../../lib/index.js'
import { odataV2 } from '../../lib/index.js'
import { shopModel, shopProvider } from '../support/export-shop.js'
import { Failures } from '../support/failures.js'
import { TestServer } from '../support/http-exchange.js'
import { until } from '../support/until.js'

const formats = ['csv', 'xlsx'] as const
const BATCH_ROWS = 100
const BATCHES = 5_000

/** Counts the batches of rows that were read, and whether the source was closed. */
const source = { batches: 0, isClosed: false }

/** Rows of 1,000 characters that hardly compress. */
async function* rows(): AsyncGenerator<readonly Row[]> {
  try {
    for (let ID = 0; source.batches < BATCHES;) {
      await Promise.resolve()
      source.batches++
      yield Array.from({ length: BATCH_ROWS }, () => ({ ID: ID++, Name: textOf(ID), Size: {} }))
    }
  } finally {
    source.isClosed = true
  }
}

function textOf(seed: number): string {
  let state = seed * 2_654_435_761
  let text = ''
  while (text.length < 1_000) {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    text += state.toString(36)
  }
  return text
}

let failures: Failures
let server: TestServer
beforeEach(async () => {
  failures = new Failures()
  Object.assign(source, { batches: 0, isClosed: false })
  const { entitySets, functions } = shopProvider()
  const provider = {
    functions,
    entitySets: { ...entitySets, Products: { read: rows, pushdown: { orderBy: () => true } } },
  }
  const service = odataV2(shopModel, provider, { exports: true, onError: failures.onError })
  server = await TestServer.start(express().use('/shop', service))
})
afterEach(() => server.stop())

/** Requests an export without reading it. */
async function open(format: string): Promise<IncomingMessage> {
  const path = `/shop/Products?$format=${format}&$select=ID,Name`
  const sent = get({ host: '127.0.0.1', port: server.port, agent: false, path })
  // A download that is aborted ends with an error.
  sent.on('error', () => undefined)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return response.on('error', () => undefined)
}

/** Resolves when no more rows are read. */
async function readingStops(): Promise<void> {
  let before = -1
  let unchanged = 0
  await until(() => {
    unchanged = source.batches === before ? unchanged + 1 : 0
    before = source.batches
    return unchanged === 20
  })
}

describe.each(formats)('A download as %s', (format) => {
  it('MUST read rows only as fast as the client reads the file', async () => {
    const response = await open(format)
    await readingStops()
    // The buffers of the operating system take some megabytes.
    expect(source.batches).toBeLessThan(BATCHES / 5)
    expect(source.isClosed).toBe(false)
    response.destroy()
  })

  it('MUST close its rows when the client aborts it', async () => {
    const response = await open(format)
    response.destroy()
    await until(() => source.isClosed)
    await server.waitForDisconnects()
    expect(source.batches).toBeLessThan(BATCHES)
    expect(failures.errors).toEqual([])
  })
})
