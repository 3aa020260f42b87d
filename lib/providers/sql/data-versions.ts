import type { ProviderCall } from '../../provider/provider-call.js'
import type { MaybePromise } from '../../util/maybe-promise.js'
import type { VersionStatements } from './dialect.js'
import type { SqlDatabase } from './sql-database.js'
import type { TableCatalog } from './table-catalog.js'

/** Versions of the tables that entity sets are read from. */
export class DataVersions {
  /** Quoted names by entity set: its table, and the tables of links that start or end in it. */
  private readonly tables = new Map<string, readonly string[]>()
  private untracked: Promise<ReadonlySet<string>> | undefined

  constructor(
    catalog: TableCatalog,
    private readonly database: SqlDatabase,
  ) {
    for (const [path, table] of catalog.tables) {
      const links = catalog.linkedTables.filter(({ ends }) => ends.some((end) => end.table === table))
      this.tables.set(path, [table.quoted, ...links.map(({ quoted }) => quoted)])
    }
  }

  /** @returns undefined if the database does not tell, and within change sets, which see uncommitted changes */
  of(entitySets: readonly string[], call: ProviderCall): MaybePromise<string | undefined> {
    if (call.changeSet !== undefined) return undefined
    const tables = entitySets.flatMap((path) => this.tables.get(path) ?? [])
    const { versions } = this.database
    return versions === undefined
      ? this.database.directVersion(tables)
      : this.snapshot(tables, versions, call)
  }

  private async snapshot(
    tables: readonly string[],
    versions: VersionStatements,
    call: ProviderCall,
  ): Promise<string | undefined> {
    this.untracked ??= this.readUntracked(versions, call)
    const untracked = await this.untracked
    if (tables.some((name) => untracked.has(name))) return undefined
    const [row] = await this.database.read(versions.current, call)
    return typeof row?.version === 'string' ? row.version : undefined
  }

  private async readUntracked(versions: VersionStatements, call: ProviderCall): Promise<ReadonlySet<string>> {
    try {
      const all = [...new Set([...this.tables.values()].flat())]
      const rows = await this.database.read(versions.untracked(all), call)
      return new Set(rows.map(({ name }) => String(name)))
    } catch (error) {
      this.untracked = undefined
      throw error
    }
  }
}
