import { describeProvider } from '../../contracts/provider-contract.js'
import { contractDatabase } from '../../support/sql/contract-database.js'
import { newDuckDb } from '../../support/sql/duckdb.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'

let db: AnyDatabase | undefined

afterAll(() => db?.destroy())

describeProvider(
  'sqlProvider on DuckDB',
  async (data) => {
    db = await newDuckDb()
    return contractDatabase(db, 'duckdb', data)
  },
  { fractionDigits: 6 },
)
