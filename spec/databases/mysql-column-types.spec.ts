import { sql } from 'kysely'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'
import { describeColumnTypes } from '../support/sql/type-table/describe-column-types.js'

let db: AnyDatabase

async function open(): Promise<AnyDatabase> {
  const settings = await openMysql()
  // New connections can store zero dates.
  await sql`set global sql_mode = 'ALLOW_INVALID_DATES'`.execute(settings)
  await settings.destroy()
  db = await openMysql()
  // Older versions of MariaDB create tables in latin1.
  await sql.raw('alter database character set utf8mb4').execute(db)
  return db
}

afterAll(async () => {
  await sql`set global sql_mode = default`.execute(db)
  await db.destroy()
})

describeColumnTypes('mysql', open)
