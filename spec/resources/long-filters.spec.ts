import express from 'express'
import type { ODataV2Options } from '../../lib/index.js'
import { memoryProvider, odataV2 } from '../../lib/index.js'
import {
  northwindData,
  northwindFunctions,
  northwindModel,
} from '../../sample-app/northwind/northwind-service.js'
import { northwindInSqlite } from '../../sample-app/northwind-sql/northwind-database.js'
import { responsesTo, get, single } from '../support/batch-exchange.js'
import { TestServer } from '../support/http-exchange.js'

const inMemory = {
  provider: memoryProvider(northwindModel, northwindData, { functions: northwindFunctions }),
  close: () => Promise.resolve(),
}

const times = (count: number, text: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => text(index))
const exactly = (count: number, separator: string, text: string): string =>
  times(count, () => text).join(separator)

describe.each([
  ['memory', () => Promise.resolve(inMemory)],
  ['SQLite', () => northwindInSqlite(':memory:')],
])('A filter on data in %s', (_name, open) => {
  let server: TestServer
  let opened: Awaited<ReturnType<typeof open>>

  async function start(options: ODataV2Options = {}): Promise<void> {
    opened = await open()
    server = await TestServer.start(express().use('/n', odataV2(northwindModel, opened.provider, options)))
  }
  afterEach(async () => {
    await server.stop()
    await opened.close()
  })

  async function countOf(filter: string): Promise<[status: number, body: string]> {
    const uri = `Products/$count?$filter=${encodeURIComponent(filter)}`
    const [response] = await responsesTo(server.port, get(uri))
    return [single(response).status, single(response).body]
  }

  it.each([
    ['a selection of 1,000 values', times(1_000, (index) => `ProductID eq ${index + 70}`).join(' or '), '8'],
    ['700 texts', times(700, (index) => `ProductName eq 'No ${index}'`).join(' or '), '0'],
    ['600 ranges', times(600, (n) => `(ProductID ge ${n} and ProductID le ${n})`).join(' or '), '77'],
    ['1,000 exclusions', times(1_000, (index) => `ProductID ne ${index + 70}`).join(' and '), '69'],
    ['2,400 conditions that must hold', exactly(2_400, ' and ', 'true'), '77'],
    ['400 operators in a row', `ProductID eq ${exactly(400, ' add ', '0')} add 7`, '1'],
  ])('MUST be evaluated within a batch: %s', async (_what, filter, count) => {
    await start()
    expect(await countOf(filter)).toEqual([200, count])
  })

  it.each(['add', 'eq'])(
    'MUST be refused with 400 when it nests too many operators: %s',
    async (operator) => {
      await start()
      const operand = operator === 'add' ? '1' : 'true'
      const chain = exactly(1_000, ` ${operator} `, operand)
      const [status, body] = await countOf(operator === 'add' ? `ProductID eq ${chain}` : chain)
      expect(status).toBe(400)
      expect(body).toContain('The expression nests more than 500 operators.')
    },
  )

  it('MUST be refused with 414 within a batch when its URI is longer than batchUrl', async () => {
    await start({ limits: { url: 100, batchUrl: 200 } })
    const long = (length: number): string => get(`Products/$count?x=${'x'.repeat(length - 19)}`)
    const responses = await responsesTo(server.port, long(200), long(201), long(100_000))
    expect(responses.map((response) => single(response).status)).toEqual([200, 414, 414])
  })

  it('MAY be as long within a batch as outside', async () => {
    await start({ limits: { url: 300, batchUrl: 200 } })
    const [response] = await responsesTo(server.port, get(`Products/$count?x=${'x'.repeat(250)}`))
    expect(single(response).status).toBe(200)
  })
})
