import { Kysely, MysqlDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import { describeEndedRequests, endedTables } from '../support/sql/ended-requests.js'
import { openMysql } from '../support/sql/mysql-server.js'

const CONNECTIONS = 2

describeEndedRequests({
  kind: 'mysql',
  async open() {
    const other = await openMysql()
    for (const statement of endedTables('mysql')) await sql.raw(statement).execute(other)
    const { rows: names } = await sql<{ name: string }>`select database() as name`.execute(other)
    const address = new URL(String(process.env.MARIADB_URL))
    address.pathname = `/${String(names[0]?.name)}`
    const pool = createPool({ uri: address.href, connectionLimit: CONNECTIONS })
    const own = new Kysely<Record<string, Record<string, unknown>>>({ dialect: new MysqlDialect({ pool }) })
    return {
      own,
      connections: CONNECTIONS,
      options: { pool },
      other,
      running: async () => {
        const { rows } = await sql<{ n: bigint }>`select count(*) as n from information_schema.processlist
          where db = database() and id <> connection_id() and command = 'Query'`.execute(other)
        return Number(rows[0]?.n)
      },
      close: async () => {
        await own.destroy()
        await other.destroy()
      },
    }
  },
})
