import { describeWriteContract } from '../../contracts/write-contract.js'
import type { TableOptions } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import { writeDatabase } from '../../support/sql/write-database.js'

let server: PostgresServer | undefined

beforeAll(async () => {
  server = await PostgresServer.start()
}, 60_000)

afterAll(() => server?.stop())

const variants: readonly (readonly [string, TableOptions])[] = [
  ['sqlProvider on PostgreSQL', {}],
  ['sqlProvider on PostgreSQL with foreign keys', { foreignKeys: true, generatedKeys: true }],
]

for (const [name, options] of variants) {
  describeWriteContract(name, {
    create: async (model, rows) => {
      if (server === undefined) throw new Error('There is no server.')
      const db = await server.open()
      const provider = await writeDatabase(db, 'postgres', model, rows, options)
      // Each topic has a database of its own: the connections of all would be too many for the server.
      return { provider, dispose: () => db.destroy() }
    },
    fractionDigits: 6,
    numRuns: 4,
  })
}
