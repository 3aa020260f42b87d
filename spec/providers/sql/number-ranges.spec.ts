import express from 'express'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { odataV2 } from '../../../lib/odata-v2.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { TestServer } from '../../support/http-exchange.js'
import { describeDatabases } from '../../support/sql/databases.js'

const model = defineModel({
  namespace: 'S',
  entityTypes: {
    Thing: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Small: edm.Byte(),
        Short: edm.Int16(),
        Whole: edm.Int32(),
      },
    },
  },
  entityContainer: { entitySets: { Things: { entityType: 'Thing' } } },
}) as EdmModel

describeDatabases(({ kind, open }) => {
  it('MUST refuse whole numbers that are out of the range of their type', async () => {
    // A column of PostgreSQL that could hold larger numbers than Edm.Int32 is refused at start-up.
    const wide = kind === 'sqlite' ? ', (4, 0, 0, 3000000000), (3000000000, 0, 0, 0)' : ''
    const db = await open([
      'create table "Things" ("ID" integer primary key, "Small" integer, "Short" integer, "Whole" integer)',
      `insert into "Things" values (1, 255, -32768, 2147483647), (2, 256, 0, 0), (3, 0, 32768, 0)${wide}`,
    ])
    const provider = sqlProvider(model, db)
    await provider.ready()
    const causes: string[] = []
    const onError = ({ cause }: { cause?: unknown }): void => {
      causes.push(cause instanceof Error ? cause.message : String(cause))
    }
    const server = await TestServer.start(express().use('/s', odataV2(model, provider, { onError })))
    const read = async (filter: string): Promise<number> =>
      (await server.send(`/s/Things?$format=json&$filter=${encodeURIComponent(filter)}`)).status
    expect(await read('ID eq 1')).toBe(200)
    for (const filter of ['ID eq 2', 'ID eq 3', ...(kind === 'sqlite' ? ['ID eq 4', 'ID gt 4'] : [])]) {
      expect([filter, await read(filter)]).toEqual([filter, 500])
    }
    const expected = [
      /^Things\(2\), property 'Small': .* '256', not Edm\.Byte\./,
      /^Things\(3\), property 'Short': .* '32768', not Edm\.Int16\./,
      /^Things\(4\), property 'Whole': .* '3000000000', not Edm\.Int32\./,
      /^Things, property 'ID': .* '3000000000', not Edm\.Int32\./,
    ]
    for (const [index, cause] of causes.entries()) expect(cause).toMatch(expected[index] ?? '')
    await server.stop()
  })
})
