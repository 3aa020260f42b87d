import { describeChangeStatements } from '../support/sql/change-statements.js'
import { statementLog } from '../support/sql/logged-database.js'
import { openMysql } from '../support/sql/mysql-server.js'

describeChangeStatements(
  'mysql',
  async () => {
    const { note, statements } = statementLog()
    const db = await openMysql(note)
    return { db, statements, close: () => db.destroy() }
  },
  {
    'MERGE without ETag': 6,
    'MERGE with the ETag of a number': 6,
    'MERGE with the ETag of a time': 6,
    'MERGE with If-Match: *': 6,
    'PUT with ETag': 6,
    'MERGE with a property that cannot change': 6,
    'DELETE with the ETag of a number': 1,
    'DELETE with the ETag of a time': 1,
    'change set of MERGE, and GET': 7,
    'change set of MERGE with the ETag of a time, and GET': 7,
    'change set of POST, and GET': 2,
    'change set of DELETE, and GET': 2,
    'change set of three MERGE': 12,
    'MERGE of an outdated version': 4,
    'MERGE of an absent entity': 4,
  },
)
