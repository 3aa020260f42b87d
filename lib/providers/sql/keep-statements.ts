import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { BoundedCache } from '../../util/bounded-cache.js'

/** A statement of a driver, which may tell whether it is running. */
type DriverStatement = SqliteStatement & { readonly busy?: boolean | undefined }

/** How many statements are kept, if not told. */
const usual = 200

/**
 * Keeps the prepared statements of an SQLite database, for Kysely, which has each statement prepared anew: that takes as
 * long as reading an entity by its key, or longer.
 *
 * @param database of `better-sqlite3`, or what Kysely's `SqliteDialect` takes in its place
 * @param capacity how many statements are kept, those used last. Default: 200
 * @returns what Kysely's `SqliteDialect` is given as its database
 * @throws TypeError when it is no database, or the capacity no positive whole number
 * @example
 * const database = keepStatements(new Database('shop.sqlite'))
 * const db = new Kysely({ dialect: new SqliteDialect({ database }) })
 * app.use('/shop', odataV2(model, sqlProvider(model, db)))
 * @spec MS-ODATA 2.2.1 (abstract data model)
 */
export function keepStatements(database: SqliteDatabase, capacity = usual): SqliteDatabase {
  if (typeof (database as Partial<SqliteDatabase> | undefined)?.prepare !== 'function') {
    throw new TypeError('keepStatements(database): the database must be one of better-sqlite3.')
  }
  if (!Number.isSafeInteger(capacity) || capacity < 1) {
    throw new TypeError('keepStatements(database, capacity): the capacity must be a positive whole number.')
  }
  const kept = new BoundedCache<string, KeptStatement>(capacity)
  return {
    close: () => {
      database.close()
    },
    prepare(text) {
      let statement = kept.get(text)
      if (statement === undefined) {
        statement = new KeptStatement(database, text)
        kept.set(text, statement)
      }
      return statement
    },
  }
}

/** A statement that is used again, but not while it is running. */
class KeptStatement implements SqliteStatement {
  private readonly statement: DriverStatement

  constructor(
    private readonly database: SqliteDatabase,
    private readonly text: string,
  ) {
    this.statement = database.prepare(text)
  }

  get reader(): boolean {
    return this.statement.reader
  }

  all(parameters: readonly unknown[]): unknown[] {
    return this.idle().all(parameters)
  }

  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint } {
    return this.idle().run(parameters)
  }

  /** Whoever takes rows one by one has a statement of his own. */
  iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    return this.database.prepare(this.text).iterate(parameters)
  }

  /** A function of the application may be running that asks the same again. */
  private idle(): SqliteStatement {
    return this.statement.busy === true ? this.database.prepare(this.text) : this.statement
  }
}
