import type { Kysely } from 'kysely'
import type { DatabaseSchema, RunStatement } from './database-schema.js'
import type { SqlDialect } from './dialect.js'
import { mysql } from './dialects/mysql.js'
import { readMysqlSchema } from './dialects/mysql-schema.js'
import { postgres } from './dialects/postgres.js'
import { readPostgresSchema } from './dialects/postgres-schema.js'
import { sqlite } from './dialects/sqlite.js'
import { readSqliteSchema } from './dialects/sqlite-schema.js'

/** A Kysely instance, whatever it knows of its tables. */
export type AnyKysely = Pick<Kysely<never>, 'destroy' | 'isTransaction'>

/** What is known of a kind of databases. */
export interface KnownDialect {
  readonly dialect: SqlDialect
  readonly readSchema: (run: RunStatement) => Promise<DatabaseSchema>
}

/** By the adapter of Kysely, which every dialect of a database brings. */
const known: Readonly<Record<string, KnownDialect>> = {
  SqliteAdapter: { dialect: sqlite, readSchema: readSqliteSchema },
  MysqlAdapter: { dialect: mysql, readSchema: readMysqlSchema },
  PostgresAdapter: { dialect: postgres, readSchema: readPostgresSchema },
}

/**
 * Which kind of database it is.
 *
 * @throws TypeError when it is none that the library knows
 */
export function dialectOf(db: AnyKysely): KnownDialect {
  const given = db as Partial<Kysely<unknown>> | undefined
  if (typeof given?.getExecutor !== 'function') {
    throw new TypeError('The database must be a Kysely instance: new Kysely({ dialect }).')
  }
  const { adapter } = given.getExecutor()
  // An application may have another copy of Kysely, whose classes are not ours; and dialects are derived.
  for (let prototype: unknown = adapter; prototype !== null; prototype = Object.getPrototypeOf(prototype)) {
    const found = known[(prototype as object).constructor.name]
    if (found !== undefined) return found
  }
  throw new TypeError(
    `sqlProvider: the dialect of '${adapter.constructor.name}' is not known. There are SQLite, PostgreSQL and MySQL.`,
  )
}
