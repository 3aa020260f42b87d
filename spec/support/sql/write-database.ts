import type { EdmModel } from '../../../lib/edm/edm-model.js'
import type { SqlProvider, SqlProviderOptions } from '../../../lib/providers/sql/sql-provider.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import type { ContractRows } from '../../contracts/contract-data.js'
import type { AnyDatabase, DatabaseKind, TableOptions } from './model-tables.js'
import { createTables, fillTable } from './model-tables.js'

/** Creates the tables of a model and inserts rows, which are given in the order in which they refer to one another. */
export async function createWriteTables(
  db: AnyDatabase,
  kind: DatabaseKind,
  model: EdmModel,
  rows: ContractRows,
  tables: TableOptions = {},
): Promise<void> {
  await createTables(db, model, kind, tables)
  for (const [name, found] of Object.entries(rows)) {
    const set = model.defaultContainer.entitySet(name)
    if (set !== undefined) await fillTable(db, set, found, kind)
  }
}

/** Returns a provider on new tables. */
export async function writeDatabase(
  db: AnyDatabase,
  kind: DatabaseKind,
  model: EdmModel,
  rows: ContractRows,
  tables: TableOptions = {},
  options: SqlProviderOptions = {},
): Promise<SqlProvider<EdmModel, unknown>> {
  await createWriteTables(db, kind, model, rows, tables)
  const provider = sqlProvider(model, db, options)
  await provider.ready()
  return provider
}
