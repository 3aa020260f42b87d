import type { ChangeLog } from './change-log.js'
import { checkActions, NO_SECRET, triggerName } from './change-log.js'
import type { EdmModel } from '../../edm/edm-model.js'
import type { DatabaseSchema, RunStatement } from './database-schema.js'
import type { SqlDatabase } from './sql-database.js'
import type { SqlMapping } from './sql-mapping.js'
import type { TableCatalog } from './table-catalog.js'
import type { InvalidValues } from './invalid-values.js'
import { countOfInvalidKeys } from './invalid-values.js'
import type { PropertyNames } from './build-catalog.js'
import { buildCatalog } from './build-catalog.js'
import type { VersionStatements } from './dialect.js'
import { ODataError } from '../../errors/odata-error.js'
import { fingerprintOf } from '../../util/fingerprint.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import { mapValue } from '../../util/promise-or-value.js'
import type { Waiting } from './running-statement.js'
import { checkKeys } from './shared-keys.js'

/** Options of the provider that affect its rows. */
interface SharedOptions {
  readonly invalidValues?: unknown
  readonly mapping?: unknown
  readonly search?: unknown
}

/** The tables of a model in a database, which are found once. */
export class SqlService {
  private catalog: Promise<TableCatalog> | undefined
  private versions: DataVersions | undefined
  /** The properties that services compute. */
  computed: PropertyNames = new Map()
  /** The properties that services group by and aggregate. */
  private aggregated: PropertyNames = new Map()
  /** A hash of the options that other processes must share, too; undefined if versions are used in this process only. */
  private sharedBy: string | undefined
  private schema: DatabaseSchema | undefined
  /** The entity sets with delta links; undefined without. */
  tracking: SqlTracking | undefined
  /** The tables, after they have been found. */
  known: TableCatalog | undefined

  constructor(
    readonly model: EdmModel,
    readonly database: SqlDatabase,
    private readonly mapping: SqlMapping,
    private readonly readSchema: () => Promise<DatabaseSchema>,
    /** Present if invalid values are read as null. */
    private readonly invalidValues?: InvalidValues,
    private readonly onNotice?: (notice: string) => void,
  ) {}

  /** Returns the tables of the model. After a failure, the next call retries. */
  whenReady(): Promise<TableCatalog> {
    this.catalog ??= this.load()
    return this.catalog
  }

  /** @throws TypeError listing missing tables and columns, if the schema has been read */
  setAggregated(aggregated: PropertyNames): void {
    this.aggregated = new Map([...this.aggregated, ...aggregated])
    if (this.schema !== undefined && aggregated.size > 0) this.catalogOf(this.schema)
  }

  /** @returns undefined if the database cannot detect changes of the tables of the sets */
  dataVersion(entitySets: readonly string[], call: ProviderCall): PromiseOrValue<string | undefined> {
    return mapValue(this.known ?? this.whenReady(), (catalog) => {
      this.versions ??= new DataVersions(catalog, this.database, this.sharedBy, this.onNotice)
      return this.versions.of(entitySets, call)
    })
  }

  /** Makes all further versions the same in all processes with the same options. */
  shareVersions({ invalidValues, mapping, search }: SharedOptions): void {
    this.sharedBy = fingerprintOf({ invalidValues, mapping, search })
    this.versions = undefined
  }

  /** Runs a trivial statement, on the replica too. @throws if the tables were not found, or the database does not respond */
  async checkConnection(call: Waiting): Promise<void> {
    await this.whenReady()
    await this.database.ping(call)
  }

  private async load(): Promise<TableCatalog> {
    try {
      this.schema = await this.readSchema()
      await this.database.check()
      const { dialect } = this.database
      const catalog = this.catalogOf(this.schema)
      const run: RunStatement = (statement) => this.database.readOnce(statement)
      if (dialect.detectFormats !== undefined)
        for (const table of catalog.tables.values()) await dialect.detectFormats(table, run, this.onNotice)
      await this.reportInvalidKeys(catalog)
      for (const table of catalog.tables.values()) await checkKeys(table, this.database, this.onNotice)
      if (this.tracking !== undefined) await checkLog(this.tracking, this.database, catalog)
      this.known = catalog
      return catalog
    } catch (error) {
      this.catalog = undefined
      throw error
    }
  }

  private catalogOf(schema: DatabaseSchema): TableCatalog {
    const { aggregated, computed, database, invalidValues, mapping, model } = this
    return buildCatalog(model, mapping, schema, database.dialect, invalidValues, { aggregated, computed })
  }

  private async reportInvalidKeys({ tables }: TableCatalog): Promise<void> {
    const { invalidValues } = this
    if (invalidValues === undefined) return
    for (const table of tables.values()) {
      const statement = countOfInvalidKeys(table, this.database.dialect)
      const [row] = statement === undefined ? [] : await this.database.readOnce(statement)
      invalidValues.reportRows(table.set.path, Number(row?.n ?? 0))
    }
  }
}

/** The entity sets of a database with delta links. */
interface SqlTracking {
  readonly sets: readonly string[]
  readonly validity: number | undefined
  readonly log: ChangeLog
}

/**
 * Checks that the changes of tracked sets are logged, and starts a new epoch after the database was restored.
 *
 * @throws TypeError naming the sets whose changes are not logged, or for a log without secret
 */
async function checkLog(
  { log, sets }: SqlTracking,
  database: SqlDatabase,
  { tables }: TableCatalog,
): Promise<void> {
  const triggers = new Set((await database.readOnce(log.triggers)).map(({ name }) => name))
  const missing = sets.filter((path) => !triggers.has(triggerName('update', path)))
  if (missing.length > 0)
    throw new TypeError(
      `changeTracking: the changes of ${missing.map((path) => `'${path}'`).join(', ')} are not logged. Call trackChanges(model, db) in a migration.`,
    )
  const [lacksSecret] = await database.readOnce(log.lacksSecret)
  if (lacksSecret !== undefined) throw new TypeError(NO_SECRET)
  await checkActions(
    log,
    sets.flatMap((path) => tables.get(path) ?? []),
    (statement) => database.readOnce(statement),
  )
  const [restored] = log.detectRestore === undefined ? [] : await database.readOnce(log.detectRestore)
  if (restored !== undefined) await database.readOnce(log.renew)
}

/** Versions of the tables that entity sets are read from. */
class DataVersions {
  /** Quoted names by entity set: its table, and the tables of links that start or end in it. */
  private readonly tables = new Map<string, readonly string[]>()
  private untracked: Promise<ReadonlySet<string>> | undefined
  private isUnsupported = false

  constructor(
    catalog: TableCatalog,
    private readonly database: SqlDatabase,
    private readonly sharedBy: string | undefined,
    private readonly onNotice?: (notice: string) => void,
  ) {
    for (const [path, table] of catalog.tables) {
      const links = catalog.linkedTables.filter(({ ends }) => ends.some((end) => end.table === table))
      this.tables.set(path, [table.quoted, ...links.map(({ quoted }) => quoted)])
    }
  }

  /** @returns undefined if the database cannot detect changes, and within change sets, which see uncommitted changes */
  of(entitySets: readonly string[], call: ProviderCall): PromiseOrValue<string | undefined> {
    if (call.changeSet !== undefined) return undefined
    const tables = entitySets.flatMap((path) => this.tables.get(path) ?? [])
    const { versions } = this.database
    return versions === undefined ? this.database.fileVersion(tables) : this.snapshot(tables, versions, call)
  }

  private async snapshot(
    tables: readonly string[],
    versions: VersionStatements,
    call: ProviderCall,
  ): Promise<string | undefined> {
    this.untracked ??= this.readUntracked(versions, call)
    const untracked = await this.untracked
    if (tables.some((name) => untracked.has(name))) return undefined
    if (this.sharedBy !== undefined) return this.readShared(this.sharedBy, versions, call)
    const [row] = await this.database.read(versions.current, call)
    return typeof row?.version === 'string' ? row.version : undefined
  }

  private async readShared(
    sharedBy: string,
    versions: VersionStatements,
    call: ProviderCall,
  ): Promise<string | undefined> {
    if (this.isUnsupported) return undefined
    try {
      const [row] = await this.database.read(versions.shared, call)
      return typeof row?.version === 'string' ? `${sharedBy} ${row.version}` : undefined
    } catch (error) {
      if (error instanceof ODataError || call.signal.aborted) throw error
      this.isUnsupported = true
      this.onNotice?.(`Pages are not cached, because the server cannot identify its data: ${String(error)}`)
      return undefined
    }
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
