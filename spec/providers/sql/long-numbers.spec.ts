import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { memoryProvider } from '../../../lib/index.js'
import type { Provider } from '../../../lib/index.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import express from 'express'
import { TestServer } from '../../support/http-exchange.js'
import { describeDatabases } from '../../support/sql/databases.js'

const model = defineModel({
  namespace: 'S',
  entityTypes: {
    Thing: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Large: edm.Int64(),
        Price: edm.Decimal(),
        Weight: edm.Double(),
      },
    },
    Coin: { key: ['Value'], properties: { Value: edm.Decimal({ nullable: false }) } },
  },
  entityContainer: { entitySets: { Things: { entityType: 'Thing' }, Coins: { entityType: 'Coin' } } },
}) as EdmModel

const rows = {
  Things: [{ ID: 2, Large: '4611686018427387904', Price: '1.5', Weight: 1 }],
  Coins: [{ Value: '1' }],
}

/** Rules for long numbers in requests, whatever evaluates them. */
function describeLongNumbers(name: string, open: () => Promise<Provider>): void {
  describe(`Long numbers of a request in ${name}`, () => {
    let server: TestServer
    beforeAll(async () => {
      const service = odataV2(model, await open(), { limits: { url: 65_536 }, onError: () => undefined })
      server = await TestServer.start(express().use('/s', service))
    })
    afterAll(() => server.stop())

    const read = async (path: string): Promise<{ readonly status: number; readonly text: string }> => {
      const { status, text } = await server.send(`/s/${encodeURI(path)}`, {
        headers: { Accept: 'application/json' },
      })
      return { status, text }
    }

    const digits = '1'.repeat(8000)
    it.each([
      ['Price eq a fraction', `Things?$filter=Price eq 1.${digits}M`],
      ['ID eq a fraction', `Things?$filter=ID eq 1.${digits}M`],
      ['Price lt an integer', `Things?$filter=Price lt ${digits}`],
      ['Price lt a fraction without suffix', `Things?$filter=Price lt 1.${digits}`],
      ['floor', `Things?$filter=floor(1.${digits}M) eq ID`],
      ['arithmetic', `Things?$filter=Price mul 1.${digits}M gt 0`],
      ['a key', `Coins(1.${digits}M)`],
      ['a position', `Coins?$skiptoken=1.${digits}M`],
      ['Large eq an integer', `Things?$filter=Large eq ${digits}L`],
    ])('MUST NOT have more than 1000 characters: %s', async (_what, path) => {
      expect((await read(path)).status).toBe(400)
    })

    it('MUST be refused with the maximum length', async () => {
      for (const path of [`Things?$filter=Price eq 1.${digits}M`, `Coins(1.${digits}M)`]) {
        const { text } = await read(path)
        expect(text).toContain('A number must not have more than 1000 characters')
      }
    })

    it.each([
      [`Price lt ${'9'.repeat(999)}M`, 1],
      [`Price gt 1.${'4'.repeat(990)}M`, 1],
      [`ID eq 2.${'0'.repeat(990)}M`, 1],
      [`ID eq 2.${'0'.repeat(990)}1M`, 0],
      [`Weight lt 1.${'1'.repeat(990)}D`, 1],
      [`Large mul Large mul Large gt 0`, 1],
    ])('MUST have a result up to that length: %#', async (filter, count) => {
      const { status, text } = await read(`Things/$count?$filter=${filter}`)
      expect([status, text]).toEqual([200, String(count)])
    })

    it.each([
      ['integers', 'Large mul Large mul Large mul Large gt 0'],
      ['many integers', `Large${' mul Large'.repeat(400)} gt 0`],
      ['decimals', `Price${' mul 1e400'.repeat(400)} gt 0`],
      ['fractions', `Price${' mul 1e-400'.repeat(400)} gt 0`],
    ])('MUST NOT be products of more digits than the limit: %s', async (_what, filter) => {
      const { status, text } = await read(`Things?$filter=${filter}`)
      expect([status, text]).toEqual([400, expect.stringContaining('more than 60 digits')])
    })
  })
}

describeLongNumbers('memory', () => Promise.resolve(memoryProvider(model, rows)))

describeDatabases(({ kind, open }) => {
  describeLongNumbers(kind, async () => {
    const number = kind === 'postgres' ? 'numeric' : 'text'
    const db = await open([
      `create table "Things" ("ID" integer primary key, "Large" bigint, "Price" ${number}, "Weight" double precision)`,
      `create table "Coins" ("Value" ${number} primary key)`,
      `insert into "Things" values (2, 4611686018427387904, '1.5', 1)`,
      `insert into "Coins" values ('1')`,
    ])
    const provider = sqlProvider(model, db)
    await provider.ready()
    return provider
  })
})
