import { describeKeyBatches } from '../support/sql/key-batches.js'
import { statementLog } from '../support/sql/logged-database.js'
import { openMysql } from '../support/sql/mysql-server.js'

describe('Reads by key on MySQL or MariaDB', () => {
  describeKeyBatches(async () => {
    const { note, statements } = statementLog()
    return { db: await openMysql(note), statements }
  }, 'mysql')
})
