import { describeRepeatableRequests } from '../../contracts/repeat-contract.js'
import { openSqlite } from '../../support/sql/delta-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import { repeatableProvider } from '../../support/sql/repeat-tables.js'

describe('On a server', () => {
  const postgres = PostgresServer.shared()
  afterAll(() => postgres.stop())

  describeRepeatableRequests('sqlProvider on PostgreSQL', async () => {
    const name = await postgres.newDatabase()
    return repeatableProvider(postgres.connect(name), 'postgres')
  })
})

describeRepeatableRequests('sqlProvider on SQLite that bypasses Kysely', () => {
  const { db, options } = openSqlite(true)
  return repeatableProvider(db, 'sqlite', options)
})
