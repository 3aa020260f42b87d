import type { Kysely } from 'kysely'
import type { DatabaseSchema, RunStatement } from './database-schema.js'
import type { SqlDialect } from './dialect.js'
import { mysql } from './dialects/mysql/mysql.js'
import { readMysqlSchema } from './dialects/mysql/read-schema.js'
import { postgres } from './dialects/postgres/postgres.js'
import { readPostgresSchema } from './dialects/postgres/read-schema.js'
import { sqlite } from './dialects/sqlite/sqlite.js'
import { readSqliteSchema } from './dialects/sqlite/read-schema.js'

/** A Kysely instance with any types of tables. */
export type AnyKysely = Pick<Kysely<never>, 'destroy' | 'isTransaction'>

export interface KnownDialect {
  readonly dialect: SqlDialect
  readonly readSchema: (run: RunStatement) => Promise<DatabaseSchema>
}

/** The dialects by the class name of Kysely's adapter. */
const dialects: Readonly<Record<string, KnownDialect>> = {
  SqliteAdapter: { dialect: sqlite, readSchema: readSqliteSchema },
  MysqlAdapter: { dialect: mysql, readSchema: readMysqlSchema },
  PostgresAdapter: { dialect: postgres, readSchema: readPostgresSchema },
}

/** Returns the dialect of a database. @throws TypeError for unsupported databases */
export function dialectOf(db: AnyKysely): KnownDialect {
  const given = db as Partial<Kysely<unknown>> | undefined
  if (typeof given?.getExecutor !== 'function') {
    throw new TypeError('The database must be a Kysely instance: new Kysely({ dialect }).')
  }
  const { adapter } = given.getExecutor()
  // The application may have another copy of Kysely, and adapters may be subclasses.
  for (let prototype: unknown = adapter; prototype !== null; prototype = Object.getPrototypeOf(prototype)) {
    const found = dialects[(prototype as object).constructor.name]
    if (found !== undefined) return found
  }
  throw new TypeError(
    `sqlProvider: the dialect of '${adapter.constructor.name}' is not supported. Supported are SQLite, PostgreSQL and MySQL.`,
  )
}
