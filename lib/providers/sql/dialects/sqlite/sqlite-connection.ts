import { randomUUID } from 'node:crypto'
import type { CachedDatabase } from './cache-statements.js'
import { doubleQuoted } from '../shared/shared-sql.js'
import type { RowArrays } from '../../driver-rows.js'
import type { SyncConnection } from '../../sync-connection.js'
import type { Statement } from '../../sql-text.js'

/** Runs statements on the SQLite connection of Kysely synchronously, without its queue. */
export class SqliteConnection implements SyncConnection {
  private isSameDatabase = false
  private isInSnapshot = false
  private readonly version: SqliteVersion

  /** @throws TypeError for databases that were not returned by `cacheStatements` */
  constructor(private readonly database: CachedDatabase) {
    if (typeof (database as Partial<CachedDatabase> | undefined)?.has !== 'function') {
      throw new TypeError('sqlProvider: sqlite must be the result of cacheStatements(database).')
    }
    if (typeof database.inTransaction !== 'boolean') {
      throw new TypeError(
        "sqlProvider: the database of 'sqlite' must have the property 'inTransaction', as that of better-sqlite3 has.",
      )
    }
    this.version = new SqliteVersion(database)
  }

  get canRead(): boolean {
    return this.isSameDatabase && (this.isInSnapshot || this.database.inTransaction === false)
  }

  readSnapshot<T>(work: () => T): T {
    if (this.isInSnapshot || !this.canRead || !this.beginRead()) return work()
    this.isInSnapshot = true
    try {
      return work()
    } finally {
      this.isInSnapshot = false
      // Some errors end a transaction.
      if (this.database.inTransaction === true) this.endRead()
    }
  }

  change(statement: Statement, use: (rows: RowArrays) => boolean, isAlone = false): boolean {
    if (!this.isSameDatabase || this.isInSnapshot || this.database.inTransaction !== false) return false
    if (isAlone) {
      const rows = this.changeAlone(statement)
      return rows !== undefined && use(rows)
    }
    let failure: { readonly error: unknown } | undefined
    let isChanged = false
    try {
      this.run('begin immediate')
      const rows = this.read(statement)
      try {
        isChanged = use(rows)
      } catch (error) {
        failure = { error }
      }
      this.run(isChanged ? 'commit' : 'rollback')
    } catch {
      isChanged = false
      // Some errors end a transaction.
      if (this.database.inTransaction) this.run('rollback')
    }
    if (failure !== undefined) throw failure.error
    return isChanged
  }

  /** Returns undefined when the database has rejected the statement. */
  private changeAlone(statement: Statement): RowArrays | undefined {
    try {
      return this.read(statement)
    } catch {
      return undefined
    }
  }

  read({ text, parameters }: Statement): RowArrays {
    return this.database.all(text, parameters)
  }

  dataVersion(tables: readonly string[]): string | undefined {
    if (this.isInSnapshot) return this.version.of(tables)
    if (!this.beginRead()) return undefined
    try {
      // In the transaction, which locks the file only once.
      return this.version.of(tables)
    } finally {
      // Some errors end a transaction.
      if (this.database.inTransaction === true) this.endRead()
    }
  }

  define(name: string, convert: (value: unknown) => unknown): boolean {
    return this.database.define(name, convert)
  }

  async check(run: (text: string) => Promise<unknown>): Promise<void> {
    const text = `select '${randomUUID()}'`
    await run(text)
    if (!this.database.has(text)) {
      throw new TypeError(
        'sqlProvider: sqlite is another database than that of db. Write: new SqliteDialect({ database: sqlite }).',
      )
    }
    this.isSameDatabase = true
  }

  /**
   * Begins a transaction for reading. Fails while the application iterates over the rows of a statement that changes them:
   * a savepoint is rejected then, whereas `begin` may succeed and could not be ended.
   */
  private beginRead(): boolean {
    try {
      this.run('savepoint odata_reads')
      return true
    } catch {
      return false
    }
  }

  private endRead(): void {
    this.run('release odata_reads')
  }

  private run(text: string): void {
    this.database.prepare(text).run([])
  }
}

/**
 * `total_changes` changes with each row that this connection changes. Temporary tables are not covered, and hide tables of
 * the file.
 */
const changesQuery = `select total_changes(), exists (select 1 from sqlite_temp_master where type in ('table', 'view'))`

/** Views and virtual tables have no pages of their own: their rows may change without a change in the file. */
const storedTablesQuery = `select name from main.sqlite_master where type = 'table' and rootpage > 0`

/** The version of the data in an SQLite file, as a connection sees it. */
class SqliteVersion {
  private schemaVersion: unknown
  /** Quoted names in lower case of the tables whose rows are in the file. */
  private storedTables: ReadonlySet<string> = new Set()

  constructor(private readonly database: CachedDatabase) {}

  /**
   * Returns a token that changes whenever rows of the tables may have changed.
   *
   * @param tables quoted names
   * @returns undefined if SQLite cannot tell whether their rows have changed
   * @throws the error of the driver if the database cannot be read
   */
  of(tables: readonly string[]): string | undefined {
    const { database } = this
    try {
      // The table-valued functions of pragmas would compile the pragma again for each call.
      const [[totalChanges, hasTemporary] = []] = database.all(changesQuery, []).values
      // Changes with each commit of another connection.
      const [[dataVersion] = []] = database.all('pragma data_version', []).values
      const [[schemaVersion] = []] = database.all('pragma schema_version', []).values
      if (Number(hasTemporary) !== 0 || dataVersion === undefined || schemaVersion === undefined)
        return undefined
      if (schemaVersion !== this.schemaVersion) this.readStoredTables(schemaVersion)
      for (const name of tables) if (!this.storedTables.has(name.toLowerCase())) return undefined
      return [totalChanges, dataVersion, schemaVersion].join(' ')
    } catch (error) {
      // An SQLite without these pragmas. Other errors, such as a locked file, concern the page as well.
      const { code = 'SQLITE_ERROR' } = error as { readonly code?: unknown }
      if (code === 'SQLITE_ERROR') return undefined
      throw error
    }
  }

  private readStoredTables(schemaVersion: unknown): void {
    const { values } = this.database.all(storedTablesQuery, [])
    this.storedTables = new Set(values.map(([name]) => doubleQuoted(String(name)).toLowerCase()))
    // Last, so that a failed read is repeated.
    this.schemaVersion = schemaVersion
  }
}
