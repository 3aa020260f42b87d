import type { AnyDatabase } from '../support/sql/model-tables.js'
import { describeFractionKeys } from '../support/sql/fraction-keys.js'
import { openMysql } from '../support/sql/mysql-server.js'

describe('A point in time as a key on MySQL and MariaDB', () => {
  const opened: AnyDatabase[] = []

  afterAll(async () => {
    for (const db of opened) await db.destroy()
  })

  describeFractionKeys(async () => {
    const db = await openMysql()
    opened.push(db)
    return db
  }, [
    ['datetime', '2024-05-06 10:11:12', ['2024-05-06T10:11:12.3', '2024-05-06T10:11:12.0000001']],
    ['datetime(3)', '2024-05-06 10:11:12.123', ['2024-05-06T10:11:12.1231']],
    [
      'datetime(6)',
      '2024-05-06 10:11:12.123456',
      ['2024-05-06T10:11:12.1234561', '2024-05-06T10:11:12.1234556'],
    ],
    ['date', '2024-05-06', ['2024-05-06T00:00:00.1', '2024-05-06T10:00:00']],
  ])
})
