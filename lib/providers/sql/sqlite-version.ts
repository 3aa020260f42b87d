import { sqlite } from './dialects/sqlite.js'
import type { CachedDatabase } from './cache-statements.js'

/**
 * Changes with each row that this connection changes, each commit of another connection and each change of the schema.
 * `untracked` counts temporary tables and attached files, whose changes it does not cover.
 */
const versionQuery = `select total_changes(), d.data_version, s.schema_version,
    (select count(*) from sqlite_temp_master where type in ('table', 'view')) +
      (select count(*) from pragma_database_list where name not in ('main', 'temp')) as untracked
  from pragma_data_version as d, pragma_schema_version as s`

/** Views and virtual tables have no pages of their own: their rows may change without a change in the file. */
const computedTablesQuery = `select name from sqlite_master
  where type in ('table', 'view') and coalesce(rootpage, 0) = 0`

/** The version of the data in an SQLite file, as a connection sees it. */
export class SqliteVersion {
  private schemaVersion: unknown
  /** Quoted names of views and virtual tables in lower case. */
  private computedTables: ReadonlySet<string> = new Set()

  constructor(private readonly database: CachedDatabase) {}

  /**
   * Returns a token that changes whenever rows of the tables may have changed.
   *
   * @param tables quoted names
   * @returns undefined if SQLite cannot tell whether their rows have changed
   * @throws the error of the driver if the database cannot be read
   */
  of(tables: readonly string[]): string | undefined {
    const [totalChanges, dataVersion, schemaVersion, untracked] = this.readVersion()
    if (totalChanges === undefined || Number(untracked) !== 0) return undefined
    if (schemaVersion !== this.schemaVersion) this.readComputedTables(schemaVersion)
    const { computedTables } = this
    if (computedTables.size > 0 && tables.some((name) => computedTables.has(name.toLowerCase())))
      return undefined
    return [totalChanges, dataVersion, schemaVersion].join(' ')
  }

  private readVersion(): readonly unknown[] {
    try {
      return this.database.all(versionQuery, []).values[0] ?? []
    } catch (error) {
      // An SQLite without these pragmas. Other errors, such as a locked file, concern the page as well.
      const { code = 'SQLITE_ERROR' } = error as { readonly code?: unknown }
      if (code === 'SQLITE_ERROR') return []
      throw error
    }
  }

  private readComputedTables(schemaVersion: unknown): void {
    const { values } = this.database.all(computedTablesQuery, [])
    this.computedTables = new Set(values.map(([name]) => sqlite.quote(String(name)).toLowerCase()))
    // Last, so that a failed read is repeated.
    this.schemaVersion = schemaVersion
  }
}
