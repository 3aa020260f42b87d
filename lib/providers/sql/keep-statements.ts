import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { BoundedCache } from '../../util/bounded-cache.js'
import { MAX_CACHED_STATEMENT_LENGTH } from './sql-text.js'
import type { DriverRow } from './row-reader.js'

/** How many statements are kept, if not told. */
const usual = 200

/** A database of SQLite whose prepared statements are kept. */
export interface KeptDatabase extends SqliteDatabase {
  /** Whether a transaction is open; undefined when the driver does not tell. */
  readonly inTransaction: boolean | undefined
  /** Whether a statement of this text is kept. */
  keeps(text: string): boolean
  /** What a statement finds, read at once. */
  found(text: string, parameters: readonly unknown[]): FoundRows
  /** The first row of that: no further one is looked for. */
  foundFirst(text: string, parameters: readonly unknown[]): FoundRows
}

/** Rows as arrays of values, which nobody changes. */
export interface FoundRows {
  readonly names: readonly string[]
  readonly values: readonly (readonly unknown[])[]
}

/** A statement of `better-sqlite3`, which gives rows as arrays when it is told to. */
interface ArrayStatement extends SqliteStatement {
  raw(): ArrayStatement
  columns(): readonly { readonly name: string }[]
  all(parameters: readonly unknown[]): unknown[][]
  get(parameters: readonly unknown[]): unknown[] | undefined
}

/**
 * Keeps the prepared statements of an SQLite database, for Kysely, which has each statement prepared anew: that takes as
 * long as reading an entity by its key, or longer.
 *
 * @param database of `better-sqlite3`, or what Kysely's `SqliteDialect` takes in its place
 * @param capacity how many statements are kept, those used last. Default: 200
 * @returns what Kysely's `SqliteDialect` is given as its database, and `sqlProvider` as its option `sqlite`
 * @throws TypeError when it is no database, or the capacity no positive whole number
 * @example
 * const database = keepStatements(new Database('shop.sqlite'))
 * const db = new Kysely({ dialect: new SqliteDialect({ database }) })
 * app.use('/shop', odataV2(model, sqlProvider(model, db, { sqlite: database })))
 * @spec MS-ODATA 2.2.1 (abstract data model)
 */
export function keepStatements(database: SqliteDatabase, capacity = usual): KeptDatabase {
  if (typeof (database as Partial<SqliteDatabase> | undefined)?.prepare !== 'function') {
    throw new TypeError('keepStatements(database): the database must be one of better-sqlite3.')
  }
  if (!Number.isSafeInteger(capacity) || capacity < 1) {
    throw new TypeError('keepStatements(database, capacity): the capacity must be a positive whole number.')
  }
  const kept = new BoundedCache<string, KeptStatement>(capacity)
  const prepare = (text: string): KeptStatement => {
    let statement = kept.get(text)
    if (statement === undefined) {
      statement = new KeptStatement(database, text)
      if (text.length <= MAX_CACHED_STATEMENT_LENGTH) kept.set(text, statement)
    }
    return statement
  }
  return {
    get inTransaction() {
      return (database as Partial<KeptDatabase>).inTransaction
    },
    keeps: (text) => kept.get(text) !== undefined,
    close: () => {
      database.close()
    },
    prepare,
    found: (text, parameters) => prepare(text).finder.all(parameters),
    foundFirst: (text, parameters) => prepare(text).finder.first(parameters),
  }
}

/** A statement that is used again. It is never running when it is: no other one begins before it is over. */
class KeptStatement implements SqliteStatement {
  private readonly statement: SqliteStatement
  private known: Finder | undefined

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
    return this.statement.all(parameters)
  }

  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint } {
    return this.statement.run(parameters)
  }

  /** Kysely wants objects of the statement itself: rows have one of their own. */
  get finder(): Finder {
    return (this.known ??= finderOf(this.database.prepare(this.text)))
  }

  /** Whoever takes rows one by one has a statement of his own. */
  iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    return this.database.prepare(this.text).iterate(parameters)
  }
}

/** Reads rows of a statement. */
interface Finder {
  all(parameters: readonly unknown[]): FoundRows
  first(parameters: readonly unknown[]): FoundRows
}

/** Arrays where the driver gives them: the objects that it makes itself cost more than reading them. */
function finderOf(statement: SqliteStatement): Finder {
  if (!isArrayStatement(statement)) {
    const all = (parameters: readonly unknown[]): FoundRows =>
      foundIn(statement.all(parameters) as DriverRow[])
    return { all, first: all }
  }
  const arrays = statement.raw()
  const names = arrays.columns().map(({ name }) => name)
  const none: FoundRows = { names, values: [] }
  return {
    all: (parameters) => ({ names, values: arrays.all(parameters) }),
    first(parameters) {
      const row = arrays.get(parameters)
      return row === undefined ? none : { names, values: [row] }
    },
  }
}

function foundIn(rows: readonly DriverRow[]): FoundRows {
  return { names: Object.keys(rows[0] ?? {}), values: rows.map((row) => Object.values(row)) }
}

function isArrayStatement(statement: object): statement is ArrayStatement {
  const { raw, columns, get } = statement as Partial<ArrayStatement>
  return [raw, columns, get].every((method) => typeof method === 'function')
}
