import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { BoundedCache } from '../../../../util/bounded-cache.js'
import type { RowArrays } from '../../driver-rows.js'
import { MAX_CACHED_STATEMENT_LENGTH } from '../../sql-text.js'

const DEFAULT_CAPACITY = 200

/**
 * An SQLite database that caches its prepared statements.
 *
 * @example
 * const sqlite: CachedDatabase = cacheStatements(new Database('shop.sqlite'))
 * const db = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) })
 * app.use('/shop', odataV2(model, sqlProvider(model, db, { sqlite })))
 */
export interface CachedDatabase extends SqliteDatabase {
  /** True if a transaction is open; undefined if the driver does not tell. */
  readonly inTransaction: boolean | undefined
  /** Returns true if a statement with this text is cached. */
  has(text: string): boolean
  /** Returns all rows of a statement. */
  all(text: string, parameters: readonly unknown[]): RowArrays
  /**
   * Registers a deterministic function of one argument for statements.
   *
   * @returns false if the driver does not support that, or not now
   */
  define(name: string, convert: (value: unknown) => unknown): boolean
}

/** A database on which functions for statements can be registered, such as those of the supported drivers. */
interface FunctionDatabase {
  function(
    name: string,
    options: { readonly deterministic: true },
    convert: (value: unknown) => unknown,
  ): unknown
}

/** A statement of `better-sqlite3`, which returns rows as arrays after `raw()`. */
interface ArrayStatement extends SqliteStatement {
  raw(): ArrayStatement
  columns(): readonly { readonly name: string }[]
  all(parameters: readonly unknown[]): unknown[][]
}

/**
 * Caches the prepared statements of an SQLite database. Kysely prepares each statement again, which takes as long as
 * reading an entity by its key, or longer.
 *
 * @param database of `better-sqlite3`, or another one that Kysely's `SqliteDialect` accepts
 * @param capacity number of statements; the least recently used one is evicted. Default: 200
 * @returns the database for Kysely's `SqliteDialect` and for the option `sqlite` of `sqlProvider`
 * @throws TypeError for other databases, and if the capacity is not a positive whole number
 * @example
 * const database = cacheStatements(new Database('shop.sqlite'))
 * const db = new Kysely({ dialect: new SqliteDialect({ database }) })
 * app.use('/shop', odataV2(model, sqlProvider(model, db, { sqlite: database })))
 * @spec MS-ODATA 2.2.1 (abstract data model)
 */
export function cacheStatements(database: SqliteDatabase, capacity = DEFAULT_CAPACITY): CachedDatabase {
  if (typeof (database as Partial<SqliteDatabase> | undefined)?.prepare !== 'function') {
    throw new TypeError('cacheStatements(database): the database must be a Database of better-sqlite3.')
  }
  if (!Number.isSafeInteger(capacity) || capacity < 1) {
    throw new TypeError('cacheStatements(database, capacity): the capacity must be a positive whole number.')
  }
  const statements = new BoundedCache<string, CachedStatement>(capacity)
  const prepare = (text: string): CachedStatement => {
    let statement = statements.get(text)
    if (statement === undefined) {
      statement = new CachedStatement(database, text)
      if (text.length <= MAX_CACHED_STATEMENT_LENGTH) statements.set(text, statement)
    }
    return statement
  }
  return {
    get inTransaction() {
      return (database as Partial<CachedDatabase>).inTransaction
    },
    has: (text) => statements.get(text) !== undefined,
    close: () => {
      database.close()
    },
    prepare,
    all: (text, parameters) => prepare(text).fetchArrays(parameters),
    define(name, convert) {
      if (typeof (database as Partial<FunctionDatabase>).function !== 'function') return false
      try {
        ;(database as unknown as FunctionDatabase).function(name, { deterministic: true }, convert)
        return true
      } catch {
        // The application is iterating over rows of this connection.
        return false
      }
    },
  }
}

/** A prepared statement that is reused. It never runs twice at the same time: each run ends before the next one. */
class CachedStatement implements SqliteStatement {
  /** Reads objects, for Kysely. */
  private prepared: SqliteStatement | undefined
  private fetcher: RowFetcher | undefined

  constructor(
    private readonly database: SqliteDatabase,
    private readonly text: string,
  ) {}

  get reader(): boolean {
    return (this.prepared ?? this.prepare()).reader
  }

  all(parameters: readonly unknown[]): unknown[] {
    return (this.prepared ?? this.prepare()).all(parameters)
  }

  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint } {
    return (this.prepared ?? this.prepare()).run(parameters)
  }

  /** Uses a statement of its own, since Kysely reads objects from the other one. */
  fetchArrays(parameters: readonly unknown[]): RowArrays {
    this.fetcher ??= createFetcher(this.database.prepare(this.text))
    return this.fetcher(parameters)
  }

  /** Uses a statement of its own, which may run while others do. */
  iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    return this.database.prepare(this.text).iterate(parameters)
  }

  private prepare(): SqliteStatement {
    return (this.prepared = this.database.prepare(this.text))
  }
}

/** Reads all rows of a statement. */
type RowFetcher = (parameters: readonly unknown[]) => RowArrays

/** Reads arrays if the driver supports them: creating its objects costs more than reading the rows. */
function createFetcher(statement: SqliteStatement): RowFetcher {
  if (!isArrayStatement(statement)) {
    return (parameters) => {
      const rows = statement.all(parameters) as Record<string, unknown>[]
      return { names: Object.keys(rows[0] ?? {}), values: rows.map((row) => Object.values(row)) }
    }
  }
  const arrays = statement.raw()
  const names = arrays.columns().map(({ name }) => name)
  return (parameters) => ({ names, values: arrays.all(parameters) })
}

function isArrayStatement(statement: object): statement is ArrayStatement {
  const { raw, columns } = statement as Partial<ArrayStatement>
  return typeof raw === 'function' && typeof columns === 'function'
}
