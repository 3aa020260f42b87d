import SQLite from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import type { AnyKysely } from '../../../lib/providers/sql/dialect-of.js'
import type { SqlProvider, SqlProviderOptions } from '../../../lib/sql.js'
import { cacheStatements, createTables, sqlProvider, trackChanges } from '../../../lib/sql.js'
import { deltaData, deltaModel } from '../delta-model.js'

type Db = Kysely<Record<'Products' | 'Categories', Record<string, unknown>>>

/** Creates the tables of `deltaModel` with its rows, and tracks their changes. */
export async function createDeltaTables(
  db: AnyKysely,
  database: 'sqlite' | 'postgres' | 'mariadb',
): Promise<void> {
  const tables = db as unknown as Db
  for (const statement of createTables(deltaModel, database))
    // MariaDB runs no triggers for the actions of foreign keys.
    await sql
      .raw(database === 'mariadb' ? statement.replace(/ on delete cascade/gi, '') : statement)
      .execute(tables)
  await tables.insertInto('Categories').values(deltaData.Categories).execute()
  await tables.insertInto('Products').values(deltaData.Products).execute()
  await trackChanges(deltaModel, db)
}

/** Opens an SQLite database in memory, or in a file. @param isDirect whether reads bypass Kysely */
export function openSqlite(
  isDirect: boolean,
  file = ':memory:',
): { readonly db: AnyKysely; readonly options: SqlProviderOptions; readonly database: SQLite.Database } {
  const database = new SQLite(file)
  const cached = cacheStatements(database)
  const db = new Kysely<never>({ dialect: new SqliteDialect({ database: isDirect ? cached : database }) })
  return { db, database, options: isDirect ? { sqlite: cached } : {} }
}

/** Returns a provider that tracks the changes of the tables. */
export function deltaProvider(
  db: AnyKysely,
  options: SqlProviderOptions = {},
): SqlProvider<typeof deltaModel, unknown> {
  return sqlProvider(deltaModel, db, {
    functions: { Cheap: () => [] },
    changeTracking: true,
    ...options,
  } as never)
}
