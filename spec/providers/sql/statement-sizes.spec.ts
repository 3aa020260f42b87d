import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { loggedDatabase, statementLog } from '../../support/sql/logged-database.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'
import { describeStatementSizes } from '../../support/sql/statement-sizes.js'

describeStatementSizes('sqlite', () => {
  const { note, statements } = statementLog()
  const dialect = new SqliteDialect({ database: new SQLite(':memory:') })
  const db = new Kysely<Record<string, Record<string, unknown>>>({ dialect, log: note })
  return Promise.resolve({ db, statements, close: () => db.destroy() })
})

describeStatementSizes('postgres', async () => {
  const server = await PostgresServer.start()
  const { db, statements } = loggedDatabase(server.addressOf(await server.newDatabase()))
  const close = async (): Promise<void> => {
    await db.destroy()
    await server.stop()
  }
  return { db, statements, close }
})
