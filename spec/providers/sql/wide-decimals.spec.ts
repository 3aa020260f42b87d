import { introspect } from '../../../lib/sql.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import { SqlServer } from '../../support/sql/databases.js'
import { sql } from 'kysely'

describe('A PostgreSQL column of the type numeric without a precision', () => {
  const postgres = PostgresServer.shared()
  let service: SqlServer

  beforeAll(async () => {
    const db = await postgres.open()
    await sql.raw('create table prices (id integer primary key, price numeric)').execute(db)
    await sql.raw('insert into prices values (1, 2), (2, 1e1000), (3, -1e1000), (4, 1e-1000)').execute(db)
    service = await SqlServer.start(await introspect(db), db)
  })

  afterAll(async () => {
    await service.stop()
    await postgres.stop()
  })

  it.each([
    ['Price gt 1D', [1, 2]],
    ['Price lt 0D', [3]],
    ['Price lt 1D and Price ge 0D', [4]],
    ['round(Price) eq 2D', [1]],
  ])('MUST be compared with Edm.Double, however large the numbers: %s', async (filter, ids) => {
    const { status, json } = await service.send(
      'GET',
      `Prices?$select=Id&$filter=${encodeURIComponent(filter)}`,
    )
    const results = json.results as { Id: number }[] | undefined
    expect([status, results?.map(({ Id }) => Number(Id))]).toEqual([200, ids])
  })
})
