import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Provider } from '../../lib/provider/provider.js'
import { prepareStatements } from '../../lib/providers/sql/dialects/postgres/prepare-statements.js'
import { sqlProvider } from '../../lib/providers/sql/sql-provider.js'
import { contractRows } from '../contracts/contract-data.js'
import { describeDerivedColumns } from '../contracts/derived-columns-contract.js'
import { fittingFractions, rowsWithFractions } from '../contracts/fraction-digits.js'
import { contractModel } from '../contracts/contract-model.js'
import { describeHiddenColumns } from '../contracts/hidden-columns-contract.js'
import type { ContractData } from '../contracts/provider-contract.js'
import { derivedModel, derivedRows } from '../support/services/derived-columns.js'
import { contractDatabase } from '../support/sql/contract-database.js'
import type { AnyDatabase, DatabaseKind } from '../support/sql/model-tables.js'
import { createTables, fillTable } from '../support/sql/model-tables.js'
import { PostgresServer } from '../support/sql/postgres-server.js'

const sqliteDatabases: AnyDatabase[] = []
let server: PostgresServer | undefined

afterAll(async () => {
  for (const one of sqliteDatabases) await one.destroy()
  await server?.stop()
})

function sqlite(): AnyDatabase {
  const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
  sqliteDatabases.push(db)
  return db
}

function postgres(): Promise<AnyDatabase> {
  server ??= PostgresServer.shared()
  return server.open(prepareStatements)
}

const data = (fractionDigits: number): ContractData => ({
  model: contractModel(),
  rows: rowsWithFractions(contractRows, fittingFractions(fractionDigits)),
})

async function derivedDatabase(db: AnyDatabase, kind: DatabaseKind): Promise<Provider> {
  const model = derivedModel()
  await createTables(db, model, kind)
  for (const [name, rows] of Object.entries(derivedRows)) {
    const set = model.defaultContainer.entitySet(name)
    if (set !== undefined) await fillTable(db, set, rows, kind)
  }
  return sqlProvider(model, db)
}

describeHiddenColumns('SQLite', () => contractDatabase(sqlite(), 'sqlite', data(7)), 300)
describeDerivedColumns('SQLite', () => derivedDatabase(sqlite(), 'sqlite'), 150)

describeHiddenColumns('PostgreSQL', async () => contractDatabase(await postgres(), 'postgres', data(6)), 300)
describeDerivedColumns('PostgreSQL', async () => derivedDatabase(await postgres(), 'postgres'), 150)
