import { statementLog } from '../support/sql/logged-database.js'
import { openMysql } from '../support/sql/mysql-server.js'
import { describeStatementSizes } from '../support/sql/statement-sizes.js'

describeStatementSizes('mysql', async () => {
  const { note, statements } = statementLog()
  const db = await openMysql(note)
  return { db, statements, close: () => db.destroy() }
})
