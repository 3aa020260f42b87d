import { sql } from 'kysely'
import { describeKilledRequests } from '../support/sql/killed-repeatable.js'
import { openMysql } from '../support/sql/mysql-server.js'

describeKilledRequests('mysql', async () => {
  const db = await openMysql()
  const { rows } = await sql<{ name: string }>`select database() as name`.execute(db)
  const address = new URL(String(process.env.MARIADB_URL))
  address.pathname = `/${String(rows[0]?.name)}`
  return { address: address.href, db }
})
