import SQLite from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { describeEndedTransactions } from '../../support/sql/ended-transactions.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

describeEndedTransactions(
  'sqlite',
  async () => new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) }),
)

const postgres = PostgresServer.shared()
afterAll(() => postgres.stop())
describeEndedTransactions('postgres', async () => {
  const name = await postgres.newDatabase()
  const setup = postgres.connect(name)
  await sql.raw(`alter database ${name} set deadlock_timeout = '10ms'`).execute(setup)
  return postgres.connect(name)
})
