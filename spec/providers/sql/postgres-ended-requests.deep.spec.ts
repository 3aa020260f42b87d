import { Kysely, PostgresDialect, sql } from 'kysely'
import { describeEndedRequests, endedTables } from '../../support/sql/ended-requests.js'
import { openPool } from '../../support/sql/open-pool.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

const CONNECTIONS = 2

describe('Requests that end', () => {
  const postgres = PostgresServer.shared()

  afterAll(() => postgres.stop())

  describeEndedRequests({
    kind: 'postgres',
    async open() {
      const name = await postgres.newDatabase()
      const other = postgres.connect(name, { max: 2 })
      for (const statement of endedTables('postgres')) await sql.raw(statement).execute(other)
      const pool = openPool({ connectionString: postgres.addressOf(name), max: CONNECTIONS })
      const own = new Kysely<Record<string, Record<string, unknown>>>({
        dialect: new PostgresDialect({ pool }),
      })
      return {
        own,
        connections: CONNECTIONS,
        options: { pool },
        other,
        running: async () => {
          const { rows } = await sql<{ n: string }>`select count(*) as n from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and state = 'active'`.execute(
            other,
          )
          return Number(rows[0]?.n)
        },
        close: () => own.destroy(),
      }
    },
  })
})
