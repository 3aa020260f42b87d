import { sql } from 'kysely'
import { describeGroupsOf } from '../contracts/group-contract.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'

let db: AnyDatabase | undefined

afterAll(() => db?.destroy())

describeGroupsOf('mysql', async (statements) => {
  db = await openMysql()
  for (const statement of statements) await sql.raw(statement).execute(db)
  return db
})
