import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Provider } from '../../lib/provider/provider.js'
import { prepareStatements } from '../../lib/providers/sql/prepare-statements.js'
import { sqlProvider } from '../../lib/providers/sql/sql-provider.js'
import { contractRows } from '../contracts/contract-data.js'
import { fittingFractions, rowsWithFractions } from '../contracts/fraction-digits.js'
import { contractModel } from '../contracts/contract-model.js'
import { describeDerivedColumns } from '../contracts/derived-columns-contract.js'
import { describeHiddenColumns } from '../contracts/hidden-columns-contract.js'
import type { Row } from '../../lib/evaluation/row.js'
import type { ContractData } from '../contracts/provider-contract.js'
import { contractDatabase } from '../support/sql/contract-database.js'
import { derivedModel, derivedRows } from '../support/services/derived-columns.js'
import type { AnyDatabase, DatabaseKind } from '../support/sql/model-tables.js'
import { createTables, fillTable } from '../support/sql/model-tables.js'
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
    server ??= PostgresServer.shared()
    return contractDatabase(await server.open(prepareStatements), 'postgres', data(6))
  },
  300,
)

/** The rows that other properties are derived from, in tables. */
async function derivedDatabase(db: AnyDatabase, kind: DatabaseKind): Promise<Provider> {
  const model = derivedModel()
  await createTables(db, model, kind)
  for (const set of model.defaultContainer.entitySets)
    await fillTable(db, set, (derivedRows as Record<string, readonly Row[]>)[set.name] ?? [], kind)
  const provider = sqlProvider(model, db)
  await provider.ready()
  return provider as Provider
}

describeDerivedColumns('SQLite', () => derivedDatabase(sqlite, 'sqlite'), 100)

describeDerivedColumns(
  'PostgreSQL',
  async () => {
    server ??= PostgresServer.shared()
    return derivedDatabase(await server.open(prepareStatements), 'postgres')
  },
  100,
)
