import SQLite from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { describeEndedRequests, endedTables } from '../../support/sql/ended-requests.js'

describeEndedRequests({
  kind: 'sqlite',
  async open() {
    const own = new Kysely<Record<string, Record<string, unknown>>>({
      dialect: new SqliteDialect({ database: new SQLite(':memory:') }),
    })
    for (const statement of endedTables('sqlite')) await sql.raw(statement).execute(own)
    return { own, connections: 1, other: own, close: () => own.destroy() }
  },
})
