import { describeProvider } from '../contracts/provider-contract.js'
import { contractDatabase } from '../support/sql/contract-database.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { openMysql } from '../support/sql/mysql-server.js'

let db: AnyDatabase | undefined

afterAll(() => db?.destroy())

describeProvider(
  'sqlProvider on MySQL',
  async (data) => {
    db = await openMysql()
    return contractDatabase(db, 'mysql', data)
  },
  { without: ['media'], fractionDigits: 6 },
)
