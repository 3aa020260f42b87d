import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { cacheStatements } from '../../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import { describeVersionTags } from '../../support/sql/version-tags.js'

describeVersionTags('sqlite', () => {
  const sqlite = cacheStatements(new SQLite(':memory:'))
  return Promise.resolve({ db: new Kysely({ dialect: new SqliteDialect({ database: sqlite }) }), sqlite })
})

const postgres = PostgresServer.shared()
afterAll(() => postgres.stop())

describeVersionTags('postgres', async () => ({
  db: postgres.connect(await postgres.newDatabase(), { max: 2 }),
}))
