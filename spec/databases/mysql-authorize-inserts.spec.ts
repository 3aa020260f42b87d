import { sql } from 'kysely'
import { itAuthorizesStoredInserts, noteTables } from '../support/sql/authorize-inserts.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'

const opened: AnyDatabase[] = []
afterAll(async () => {
  for (const db of opened) await db.destroy()
})

describe('Rules about generated values on MySQL and MariaDB', () => {
  itAuthorizesStoredInserts(async () => {
    const db = await openMysql()
    opened.push(db)
    for (const one of noteTables) await sql.raw(one).execute(db)
    return db
  })
})
