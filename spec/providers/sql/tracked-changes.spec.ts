import { memoryProvider } from '../../../lib/index.js'
import { describeChanges } from '../../contracts/change-contract.js'
import { deltaData, deltaModel } from '../../support/delta-model.js'
import { createDeltaTables, deltaProvider, openSqlite } from '../../support/sql/delta-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

const functions = { Cheap: () => [] }

describeChanges('memory', () =>
  Promise.resolve({
    provider: memoryProvider(deltaModel, deltaData, { functions, changeTracking: true }),
    close: () => Promise.resolve(),
  }),
)

describe.each([true, false])('Direct reads %p', (isDirect) => {
  describeChanges('SQLite', async () => {
    const { db, options } = openSqlite(isDirect)
    await createDeltaTables(db, 'sqlite')
    return { provider: deltaProvider(db, options), close: () => db.destroy() }
  })
})

describe('A server', () => {
  const server = PostgresServer.shared()
  afterAll(() => server.stop())

  describeChanges('PostgreSQL', async () => {
    const db = await server.open()
    await createDeltaTables(db, 'postgres')
    return { provider: deltaProvider(db), close: () => Promise.resolve() }
  })
})
