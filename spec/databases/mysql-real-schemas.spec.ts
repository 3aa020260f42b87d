import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'
import { describeRealSchemas } from '../support/sql/real-schemas/describe-real-schemas.js'

const opened: AnyDatabase[] = []

afterAll(async () => {
  for (const db of opened) await db.destroy()
})

describeRealSchemas('mysql', async () => {
  const db = await openMysql()
  opened.push(db)
  return db
})
