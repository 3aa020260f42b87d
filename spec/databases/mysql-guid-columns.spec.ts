import type { AnyDatabase } from '../support/sql/model-tables.js'
import { describeGuidColumns } from '../support/sql/guid-columns.js'
import { openMysql } from '../support/sql/mysql-server.js'

describe('Guids in columns of text on MySQL and MariaDB', () => {
  const opened: AnyDatabase[] = []

  afterAll(async () => {
    for (const db of opened) await db.destroy()
  })

  const open = async (): Promise<AnyDatabase> => {
    const db = await openMysql()
    opened.push(db)
    return db
  }
  describeGuidColumns(open, ['char(36)', 'varchar(40) character set latin1'], true)
  describeGuidColumns(open, ['char(36) character set ascii collate ascii_bin'], false)
})
