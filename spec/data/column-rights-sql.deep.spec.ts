import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { prepareStatements } from '../../lib/providers/sql/prepare-statements.js'
import { contractRows } from '../contracts/contract-data.js'
import { fittingFractions, rowsWithFractions } from '../contracts/fraction-digits.js'
import { contractModel } from '../contracts/contract-model.js'
import { describeHiddenColumns } from '../contracts/hidden-columns-contract.js'
import type { ContractData } from '../contracts/provider-contract.js'
import { contractDatabase } from '../support/sql/contract-database.js'
import type { AnyDatabase } from '../support/sql/model-tables.js'
import { PostgresServer } from '../support/sql/postgres-server.js'

const sqlite: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
let server: PostgresServer | undefined

afterAll(async () => {
  await sqlite.destroy()
  await server?.stop()
})

const data = (fractionDigits: number): ContractData => ({
  model: contractModel(),
  rows: rowsWithFractions(contractRows, fittingFractions(fractionDigits)),
})

describeHiddenColumns('SQLite', () => contractDatabase(sqlite, 'sqlite', data(7)), 300)

describeHiddenColumns(
  'PostgreSQL',
  async () => {
    server = PostgresServer.shared()
    return contractDatabase(await server.open(prepareStatements), 'postgres', data(6))
  },
  300,
)
