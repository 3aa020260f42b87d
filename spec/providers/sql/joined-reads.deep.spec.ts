import { sql } from 'kysely'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { ContractServices } from '../../contracts/contract-service.js'
import { batchBody, get, postBatch, responsesIn, single } from '../../support/batch-exchange.js'
import { fc, runs, seed } from '../../support/random.js'
import { alikeModel } from '../../support/sql/alike-model.js'
import { alikeRequest } from '../../support/sql/alike-requests.js'
import { alikeRows } from '../../support/sql/alike-rows.js'
import { alikeDatabase } from '../../support/sql/alike-services.js'
import { loggedDatabase } from '../../support/sql/logged-database.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

describe('Reads of a batch on PostgreSQL', () => {
  const server = PostgresServer.shared()
  let services: ContractServices
  let db: AnyDatabase
  let statements: () => string[]

  beforeAll(async () => {
    services = await ContractServices.start()
    ;({ db, statements } = loggedDatabase(server.addressOf(await server.newDatabase())))
    const [rows] = fc.sample(alikeRows('postgres'), { numRuns: 1, seed })
    if (rows === undefined) throw new Error('There are no rows.')
    await alikeDatabase(db, 'postgres', rows)
    const provider = sqlProvider(alikeModel(), db)
    await provider.ready()
    services.mount('shop', provider, { pageSize: 5 }, alikeModel())
  })

  afterAll(async () => {
    await services.close()
    await db.destroy()
    await server.stop()
  })

  const responses = async (...uris: readonly string[]): Promise<unknown[]> => {
    const body = batchBody(...uris.map((uri) => get(uri)))
    const exchange = await postBatch(services.port, body, {}, '/shop/$batch')
    return responsesIn(exchange).map((response) => {
      const { status, headers, body: text } = single(response)
      return { status, headers, text }
    })
  }

  const statuses = async (...uris: readonly string[]): Promise<unknown[]> =>
    (await responses(...uris)).map((response) => (response as { status: number }).status)

  it('MUST have the same responses as alone', async () => {
    const invalid = fc.constantFrom('Products(99)', 'Products?$filter=Nope', 'Products(1)', 'Categories(1)')
    const request = fc.oneof(
      { weight: 6, arbitrary: alikeRequest.map((path) => path.slice(1)) },
      { weight: 2, arbitrary: invalid },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 2, maxLength: 8 }), async (uris) => {
        const expected: unknown[] = []
        for (const uri of uris) expected.push(...(await responses(uri)))
        expect(await responses(...uris)).toEqual(expected)
      }),
      { numRuns: runs(200), seed },
    )
  })

  it('MUST NOT fail because another one fails in the database', async () => {
    const uris = ['Products/$count?$filter=ID%20gt%200', 'Manuals', 'Categories?$top=2']
    await sql`alter table "Manuals" rename to "Moved"`.execute(db)
    try {
      statements()
      expect(await statuses(...uris)).toEqual([200, 500, 200])
      expect(statements()[0]?.split('; ')).toHaveLength(3)
    } finally {
      await sql`alter table "Moved" rename to "Manuals"`.execute(db)
    }
    expect(await statuses(...uris)).toEqual([200, 200, 200])
  })
})
