import { randomUUID } from 'node:crypto'
import type { FoundRows, CachedDatabase } from './cache-statements.js'
import type { CellArrays, DriverRow } from './row-reader.js'
import { SqliteVersion } from './sqlite-version.js'
import type { Statement } from './sql-text.js'

/**
 * Reads from the database of SQLite that Kysely has, past its queue: for what takes a few microseconds, promises and
 * turns in a queue would take several times as long. Nothing runs on the connection meanwhile, as nothing else runs in
 * the process.
 */
export class DirectReads {
  private isSame = false
  private isInSnapshot = false
  private readonly version: SqliteVersion

  /** @throws TypeError when it is nothing that can be read from in this way */
  constructor(private readonly database: CachedDatabase) {
    if (typeof (database as Partial<CachedDatabase> | undefined)?.has !== 'function') {
      throw new TypeError('sqlProvider: sqlite must be what cacheStatements(database) returned.')
    }
    if (typeof database.inTransaction !== 'boolean') {
      throw new TypeError(
        'sqlProvider: the database of sqlite must tell whether it is inTransaction, as that of better-sqlite3 does.',
      )
    }
    this.version = new SqliteVersion(database)
  }

  /**
   * Whether what is read is what everybody may see. Whoever reads while a transaction of this connection is open, reads
   * what may never be committed: then the queue is the place, where the transaction comes first.
   */
  get arePossible(): boolean {
    return this.isSame && (this.isInSnapshot || this.database.inTransaction === false)
  }

  /**
   * Runs synchronous work that reads several times, in one transaction: locking and unlocking the file for each read
   * takes as long as the read itself. Nothing else uses the connection meanwhile.
   */
  readSnapshot<T>(work: () => T): T {
    if (this.isInSnapshot || !this.arePossible || !this.begins()) return work()
    this.isInSnapshot = true
    try {
      return work()
    } finally {
      this.isInSnapshot = false
      // Some errors end a transaction by themselves.
      if (this.database.inTransaction === true) this.ends()
    }
  }

  /**
   * Runs a statement that changes rows in a transaction that ends before this returns.
   *
   * @param use receives the rows that the statement returns; false rolls back
   * @returns false when nothing was changed, also when the database has refused the statement
   * @throws what `use` throws, after the rollback
   */
  change(statement: Statement, use: (rows: readonly DriverRow[]) => boolean): boolean {
    if (!this.isSame || this.isInSnapshot || this.database.inTransaction !== false) return false
    let failure: { readonly error: unknown } | undefined
    const isUsed = (rows: readonly DriverRow[]): boolean => {
      try {
        return use(rows)
      } catch (error) {
        failure = { error }
        return false
      }
    }
    let isChanged = false
    try {
      this.run('begin immediate')
      const isToStay = isUsed(this.rows(statement))
      this.run(isToStay ? 'commit' : 'rollback')
      isChanged = isToStay
    } catch {
      // Some errors end a transaction by themselves.
      if (this.database.inTransaction) this.run('rollback')
    }
    if (failure !== undefined) throw failure.error
    return isChanged
  }

  /**
   * Begins a transaction for reading. None is begun while somebody takes rows one by one of a statement that changes
   * them: a savepoint is refused then, where `begin` may succeed and could not be ended.
   */
  private begins(): boolean {
    try {
      this.run('savepoint odata_reads')
      return true
    } catch {
      return false
    }
  }

  private ends(): void {
    this.run('release odata_reads')
  }

  private run(text: string): void {
    this.database.prepare(text).run([])
  }

  /** @throws what the driver throws */
  rows({ text, parameters }: Statement): readonly DriverRow[] {
    return rowsOf(this.database.all(text, parameters))
  }

  /** Returns the rows of a statement as arrays of cells. @throws what the driver throws */
  cells({ text, parameters }: Statement): CellArrays {
    return { cells: this.database.all(text, parameters).values }
  }

  /** The first of them, which is the only one that anybody wants. @throws what the driver throws */
  firstRow({ text, parameters }: Statement): readonly DriverRow[] {
    return rowsOf(this.database.get(text, parameters))
  }

  /**
   * Returns a token that changes whenever rows of the tables may have changed.
   *
   * @param tables quoted names
   * @returns undefined if SQLite cannot tell, and while uncommitted changes are visible
   * @throws the error of the driver
   */
  dataVersion(tables: readonly string[]): string | undefined {
    return this.isCommitted() ? this.version.of(tables) : undefined
  }

  /** A statement of the application that changes rows and gives them one by one may still be taken back. */
  private isCommitted(): boolean {
    if (this.isInSnapshot) return true
    if (!this.begins()) return false
    this.ends()
    return true
  }

  /**
   * Looks where a statement arrives that Kysely runs.
   *
   * @throws TypeError when Kysely has another database
   */
  async check(run: (text: string) => Promise<unknown>): Promise<void> {
    const text = `select '${randomUUID()}'`
    await run(text)
    if (!this.database.has(text)) {
      throw new TypeError(
        'sqlProvider: sqlite is another database than that of db. Write: new SqliteDialect({ database: sqlite }).',
      )
    }
    this.isSame = true
  }
}

/** Whoever has rows may change them: each time they are new ones. */
function rowsOf({ names, values }: FoundRows): readonly DriverRow[] {
  return values.map((row) => rowOf(names, row))
}

function rowOf(names: readonly string[], values: readonly unknown[]): DriverRow {
  const row: DriverRow = {}
  for (let index = 0; index < names.length; index++) row[names[index] ?? ''] = values[index]
  return row
}
