import { sql } from 'kysely'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'
import { sendBack, storedTypes } from '../support/sql/stored-values.js'

let db: AnyDatabase

beforeEach(async () => {
  db = await openMysql()
  // Older versions of MariaDB create tables in latin1.
  await sql.raw('alter database character set utf8mb4').execute(db)
})

afterEach(() => db.destroy())

describe('A value of MySQL or MariaDB', () => {
  it.each(storedTypes.mysql)(
    'MUST stay as it is stored in %s, an Edm.%s, if it is sent back',
    async (...type) => {
      const result = await sendBack(db, 'mysql', type)
      expect(result.type).toBe(`Edm.${type[1]}`)
      expect(result.after).toEqual(result.before)
    },
  )
})
