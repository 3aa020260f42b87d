import { once } from 'node:events'
import express from 'express'
import type { FunctionHandler, ODataV2Options, Provider, Row } from '../../lib/index.js'
import { odataV2 } from '../../lib/index.js'
import type { EntitySetProvider } from '../../lib/index.js'
import { addReadByKeys } from '../../lib/provider/value-reads.js'
import {
  batchBody,
  get,
  postBatch,
  responsesIn,
  responsesTo,
  single,
  statusesOf,
  written,
} from '../support/batch-exchange.js'
import { Failures } from '../support/failures.js'
import { TestServer } from '../support/http-exchange.js'
import { manualClock } from '../support/manual-clock.js'
import { exampleModel, exampleProvider } from '../support/services/example-service.js'
import { salesModel, salesOptions, salesProviders } from '../support/services/sales-service.js'

let server: TestServer
let failures: Failures
beforeEach(() => {
  failures = new Failures()
})
afterEach(() => server.stop())

/** A service on memory with one function. @param batchTime in milliseconds */
async function start(
  batchTime: number,
  Total: FunctionHandler,
  sets: Readonly<Record<string, EntitySetProvider>> = {},
  concurrentReads = false,
): Promise<void> {
  const memory = exampleProvider() as Provider
  const provider = {
    ...memory,
    entitySets: { ...memory.entitySets, ...sets },
    functions: { ...memory.functions, Total },
    concurrentReads,
  } as Provider
  const options: ODataV2Options = { limits: { batchTime }, onError: failures.onError }
  server = await TestServer.start(
    express().use('/n', odataV2(exampleModel as never, provider as never, options)),
  )
}

const insert = (ID: number): string => written('POST Categories', JSON.stringify({ ID, Name: `C${ID}` }))
const category = async (ID: number): Promise<number> => (await server.send(`/n/Categories(${ID})`)).status
const limits = (): unknown[] => failures.errors.map(({ details }) => details.limit)

describe('The time for the work on a batch', () => {
  const clock = manualClock()
  const takesASecond = (): number => {
    clock.now += 1_000_000
    return 1
  }

  it('MUST refuse the parts that have not started when it is over', async () => {
    await start(1_500_000, takesASecond)
    const parts = [
      insert(50),
      get('Total'),
      get('Total'),
      get('Total'),
      [insert(51), insert(52)],
      insert(53),
      [],
    ]
    const exchange = await postBatch(server.port, batchBody(...parts))
    expect(statusesOf(responsesIn(exchange))).toEqual([201, 200, 200, 503, 503, 503, []])
    expect(single(responsesIn(exchange)[4]).body).toContain('took more than 1500 seconds')
    expect(await Promise.all([50, 51, 52, 53].map(category))).toEqual([200, 404, 404, 404])
    expect(limits()).toEqual(['batchTime'])
  })

  it('MUST start the first part, and have no limit with 0', async () => {
    await start(1, takesASecond)
    expect(statusesOf(await responsesTo(server.port, get('Total'), get('Total')))).toEqual([200, 503])
    await server.stop()
    await start(0, takesASecond)
    expect(statusesOf(await responsesTo(server.port, get('Total'), get('Total')))).toEqual([200, 200])
  })

  it('MUST include the work on streamed responses, which are completed', async () => {
    const rows = Array.from({ length: 900 }, (_, ID) => ({ ID, Name: 'x', Note: 'y'.repeat(3_000) }))
    async function* batches(): AsyncGenerator<Row[]> {
      for (let index = 0; index < rows.length; index += 100) {
        await Promise.resolve()
        clock.now += 1_000_000
        yield rows.slice(index, index + 100)
      }
    }
    await start(8_500_000, () => 1, { Categories: { read: batches } })
    const responses = await responsesTo(server.port, get('Categories'), get('Total'))
    expect(statusesOf(responses)).toEqual([200, 503])
    expect(single(responses[0]).body).toContain('"ID":899')
  })
})

describe('A part that runs when the time for a batch is over', () => {
  const waitsForAbort: FunctionHandler = async (_parameters, _context, { signal }) => {
    if (!signal.aborted) await once(signal, 'abort')
    throw new Error('aborted')
  }

  it('MUST be aborted, and respond with 503 in its place', async () => {
    await start(5, waitsForAbort)
    const responses = await responsesTo(
      server.port,
      get('Total'),
      [insert(51), insert(52)],
      get('Categories'),
    )
    expect(statusesOf(responses)).toEqual([503, 503, 503])
    expect(await category(51)).toBe(404)
    expect(limits()).toEqual(['batchTime'])
    // Other requests have their own signal.
    expect((await server.send('/n/Categories(1)')).status).toBe(200)
  })

  it('MUST respond with 503 together with all parts that share its call', async () => {
    const calls: (readonly unknown[])[] = []
    const readByKey = addReadByKeys(
      () => ({ ID: 1, Name: 'alone' }),
      async (reads, call) => {
        calls.push(reads.map(({ key }) => key.ID))
        return waitsForAbort({}, undefined, call) as Promise<never>
      },
    )
    const categories = exampleProvider().entitySets.Categories as EntitySetProvider
    await start(5, () => 1, { Categories: { ...categories, readByKey } }, true)
    const keys = Array.from({ length: 22 }, (_, index) => index + 1)
    const parts = [...keys.map((key) => get(`Categories(${key})`)), insert(51)]
    expect(statusesOf(await responsesTo(server.port, ...parts))).toEqual(Array(23).fill(503))
    expect(calls).toEqual([keys.slice(0, 20)])
    expect(new Set(limits())).toEqual(new Set(['batchTime']))
  })

  it('MUST roll back its change set', async () => {
    const memory = exampleProvider() as Provider
    const lines = memory.entitySets.Lines as EntitySetProvider
    const slow: EntitySetProvider = {
      ...lines,
      insert: async (row, call) => {
        await waitsForAbort({}, undefined, call)
        return row
      },
    }
    await start(5, () => 1, { Lines: slow })
    const line = written('POST Lines', JSON.stringify({ Order: 90, No: 1 }))
    const responses = await responsesTo(server.port, [insert(51), line], get('Total'))
    expect(statusesOf(responses)).toEqual([503, 503])
    expect(await category(51)).toBe(404)
    expect(limits()).toEqual(['batchTime'])
  })

  it('MUST end the computation of groups', async () => {
    const sales = Array.from({ length: 30_000 }, (_, index) => ({ Customer: `C${index}`, Amount: '1.00' }))
    const service = odataV2(salesModel, salesProviders.memory(sales), {
      ...salesOptions,
      limits: { batchTime: 1 },
    })
    server = await TestServer.start(express().use('/n', service))
    const feed = get('Sales?$select=Customer,Amount&$orderby=Amount')
    const responses = await responsesTo(server.port, ...Array<string>(100).fill(feed))
    expect(statusesOf(responses)).toEqual(Array(100).fill(503))
  })
})
