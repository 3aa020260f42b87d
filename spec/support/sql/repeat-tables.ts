import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { AnyKysely } from '../../../lib/providers/sql/dialect-of.js'
import type { SqlProviderOptions, TableDatabase } from '../../../lib/sql.js'
import { createTables, keepRequests, sqlProvider } from '../../../lib/sql.js'
import type { RepeatableProvider } from '../../contracts/repeat-contract.js'
import { confirm, repeatModel } from '../repeat-model.js'

/** Creates the tables of `repeatModel`, with that of the records, and returns a provider on them. */
export async function repeatableProvider(
  db: AnyKysely,
  database: TableDatabase,
  options: SqlProviderOptions = {},
): Promise<RepeatableProvider> {
  const tables = db as unknown as Kysely<never>
  for (const statement of createTables(repeatModel, database)) await sql.raw(statement).execute(tables)
  await keepRequests(db)
  // A migration can run again.
  await keepRequests(db)
  const provider = sqlProvider(repeatModel, db, { functions: { Confirm: confirm }, ...options } as never)
  return { provider: provider, close: () => tables.destroy() }
}
