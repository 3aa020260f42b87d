import type { Kysely } from 'kysely'
import type { EdmModel } from '../../edm/edm-model.js'
import { entitySetsOf } from '../../edm/edm-model.js'
import type { EntitySetName } from '../../edm/infer.js'
import { didYouMean } from '../../errors/suggestions.js'
import type { ChangeSet } from '../../provider/change-set.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import { lazyEntitySets } from '../../provider/lazy-entity-sets.js'
import type { FunctionHandlers, Provider } from '../../provider/provider.js'
import { checkedTracking } from '../../provider/change-tracking.js'
import { hasEntitySetsOf } from '../../provider/provider.js'
import type { AnyKysely } from './dialect-of.js'
import type { KnownDialect } from './dialects/known-dialect.js'
import { dialectOf } from './dialect-of.js'
import type { SqlDialect } from './dialect.js'
import type { CachedDatabase } from './dialects/sqlite/cache-statements.js'
import type { DriverPool } from './cancellation/driver-pool.js'
import { mappingOf } from './introspection/introspected-mapping.js'
import { sqlRequestRecords } from './request-records.js'
import { routeStatements } from './routed-statements.js'
import type { DatabaseSession } from './database-session.js'
import { sessionStatementOf } from './database-session.js'
import { SqlDatabase } from './sql-database.js'
import { sqlEntitySet } from './sql-entity-set.js'
import type { SqlMapping } from './sql-mapping.js'
import { mergeMappings } from './sql-mapping.js'
import type { SqlSearches } from './search-keys.js'
import { checkSearches } from './search-keys.js'
import type { SyncConnection } from './sync-connection.js'
import { SqlService } from './sql-service.js'
import { InvalidValues } from './invalid-values.js'

/**
 * Options of {@link sqlProvider}.
 *
 * @example
 * const options: SqlProviderOptions = { statementTimeout: 10_000, functions: { Cheapest: () => ({ ID: 8 }) } }
 * const provider = sqlProvider(model, db, options)
 */
export interface SqlProviderOptions<Context = unknown, Model = EdmModel> {
  /** Names of tables and columns that differ from the names in the model. Default: those of {@link introspect}, or none. */
  readonly mapping?: SqlMapping | undefined
  /** Handlers of all function imports of the model, by name. Default: none. */
  readonly functions?: FunctionHandlers<Model, Context> | undefined
  /**
   * A second database to read from, such as a hot standby. Change sets read from the primary database. Default: `db`.
   */
  readonly replica?: AnyKysely | undefined
  /**
   * Milliseconds after which the database cancels a statement; the service responds with 503. It is set on the
   * connections of the pool, and so applies to statements of the application too. Only for PostgreSQL. Default: no limit.
   */
  readonly statementTimeout?: number | undefined
  /**
   * Maximum number of feeds that are read through cursors at the same time. A cursor is faster where no index has the
   * order of the feed, but holds a connection until the client has read everything: use fewer than the pool has
   * connections. Only for PostgreSQL, with `new PostgresDialect({ pool, cursor })`. Default: 0, feeds are read in batches
   * of 1,000 rows or more, and hold no connection between them.
   */
  readonly cursors?: number | undefined
  /**
   * The SQLite database of `db`, as {@link cacheStatements} returned it. Reads outside of transactions and inserts of
   * single entities then bypass Kysely, which takes longer for them than SQLite, and do not appear in its log. Only for
   * SQLite, and without `replica`. Default: all statements go through Kysely.
   */
  readonly sqlite?: CachedDatabase | undefined
  /**
   * The pool of `db`, of `pg` or `mysql2`. Statements of aborted requests are then cancelled over connections of their
   * own, up to four at a time, with the settings of the pool, even while it has no free connection. Default: the pool of
   * `openDatabase`; else they are cancelled over a connection of `db` as soon as one is free.
   */
  readonly pool?: DriverPool | undefined
  /**
   * If true, pages from PostgreSQL can be cached. The version of the data is `pg_current_snapshot()`, read before and
   * after each page, which changes with every transaction that writes to the server. Tables with row-level security,
   * views and foreign tables are never cached. Cannot be combined with `replica`. Default: false.
   */
  readonly snapshotVersion?: boolean | undefined
  /**
   * If true, statements end with a comment that contains the ids of their request, in the format of sqlcommenter. Requires
   * the option `requestIds` of the service, and PostgreSQL, MySQL or MariaDB. Each statement is then new to the database:
   * {@link prepareStatements} has no effect. A statement that reads keys for several requests of a batch has the ids of
   * the first. Default: false.
   */
  readonly statementComments?: boolean | undefined
  /**
   * The treatment of stored values that are invalid for the type of their property, such as text in an integer column
   * of SQLite, `infinity` in PostgreSQL and `0000-00-00` in MySQL: `'error'` responds with 500; `'null'` reads them as
   * null, also in `$filter` and `$orderby`, and skips rows whose key is null or invalid. Default: `'error'`.
   */
  readonly invalidValues?: 'error' | 'null' | undefined
  /**
   * Evaluates the query option `search` of the service by full-text indexes: `keys` returns a subquery for the keys of the
   * matching entities. Requires entity sets with one key property. Default: the service searches.
   *
   * @example
   * // A table of FTS5 on SQLite. Quotes make a term a phrase.
   * import { sql } from 'kysely'
   * const quoted = (term: string) => `"${term.replaceAll('"', '""')}"`
   * const provider = sqlProvider(model, db, {
   *   search: {
   *     Products: {
   *       properties: ['Name', 'Description'],
   *       keys: ({ terms }) =>
   *         sql`select rowid from product_words where product_words match ${terms.map(quoted).join(' ')}`,
   *     },
   *   },
   * })
   */
  readonly search?: SqlSearches<Model> | undefined
  /**
   * Serves delta links of entity sets whose changes {@link trackChanges} logs. Not for DuckDB, and not with `replica`. Default: none.
   */
  readonly changeTracking?: boolean | SqlChangeTracking<Model> | undefined
  /**
   * Returns the role and the settings of the statements of a caller, for row-level security in the database. They hold
   * for one transaction, which runs one statement, or one change set. Called for each of them. Only for PostgreSQL, and
   * without `changeTracking` and `snapshotVersion`. Default: all statements run as the user of the connection.
   *
   * @example
   * const provider = sqlProvider(model, db, {
   *   session: (user: { tenant: string }) => ({ role: 'shop_user', settings: { 'app.tenant': user.tenant } }),
   * })
   */
  readonly session?: ((context: Context) => DatabaseSession) | undefined
  /**
   * Called once for each of the first invalid values that are served as null, with set, key and property, and for keys
   * that were not completely checked. Default: not called.
   */
  readonly onNotice?: ((notice: string) => void) | undefined
}

/**
 * Options of change tracking on a database.
 *
 * @example const changeTracking: SqlChangeTracking<typeof model> = { sets: ['Products'], validity: 86_400 }
 */
export interface SqlChangeTracking<Model = EdmModel> {
  /** The entity sets with delta links. Default: all. */
  readonly sets?: readonly EntitySetName<Model>[] | undefined
  /** Seconds for which delta links can be followed, announced in `$metadata`. Default: not announced. */
  readonly validity?: number | undefined
}

/**
 * A provider on a database.
 *
 * @example
 * const provider: SqlProvider<typeof model, unknown> = sqlProvider(model, db)
 * await provider.ready()
 */
export interface SqlProvider<Model, Context> extends Provider<Model, Context> {
  /**
   * Resolves when the tables of the model have been found in the database. Requests wait for it; await it before the
   * server listens to report tables that do not fit the model.
   *
   * @throws TypeError listing missing tables and columns, with suggestions
   */
  ready(): Promise<void>
  /**
   * Returns the connection of the change set of a call, for statements of your own in its transaction, such as an audit
   * log that a hook writes. Outside of a change set it is the database. On SQLite, which has one connection only, all
   * statements that a hook, `authorize` or a function runs within a change set belong to its transaction.
   *
   * @param call the argument of a hook or of the handler of a function
   * @example
   * const provider = sqlProvider(model, db)
   * const log = async (text: string, call: HookCall) => {
   *   await provider.connectionOf<{ log: { text: string } }>(call).insertInto('log').values({ text }).execute()
   * }
   */
  connectionOf<Tables>(call: Pick<ProviderCall, 'changeSet'>): Kysely<Tables>
}

export const sqlProviderOptionNames = [
  'mapping',
  'functions',
  'replica',
  'statementTimeout',
  'cursors',
  'sqlite',
  'pool',
  'snapshotVersion',
  'statementComments',
  'invalidValues',
  'search',
  'changeTracking',
  'session',
  'onNotice',
]

/**
 * Creates a provider on an SQL database. The database evaluates filters, order, paging, counts and navigation as far as
 * the result is exactly the same; the service does the rest.
 *
 * @param model from `defineModel`, `readEdmx` or `introspect`
 * @param db a Kysely instance on SQLite, PostgreSQL, MySQL or MariaDB
 * @param options mapping of names, functions, replica, timeouts
 * @returns a provider that reads and changes the tables, with transactions as change sets
 * @throws TypeError for misspelt options
 * @example
 * const db = new Kysely({ dialect: new SqliteDialect({ database: new Database('shop.sqlite') }) })
 * const provider = sqlProvider(model, db, { mapping: { entitySets: { Products: { table: 'product' } } } })
 * await provider.ready()
 * app.use('/shop', odataV2(model, provider))
 * @spec MS-ODATA 2.2.1 (abstract data model)
 */
export function sqlProvider<Definition, Context = unknown>(
  model: EdmModel<Definition>,
  db: AnyKysely,
  options: SqlProviderOptions<Context, EdmModel<NoInfer<Definition>>> = {},
): SqlProvider<EdmModel<Definition>, Context> {
  if ((model as Partial<EdmModel> | undefined)?.kind !== 'EdmModel') {
    throw new TypeError(
      'sqlProvider(model, db): the model must be the result of defineModel, readEdmx or introspect.',
    )
  }
  for (const name of Object.keys(options)) {
    if (sqlProviderOptionNames.includes(name)) continue
    throw new TypeError(
      `sqlProvider: there is no option '${name}'.${didYouMean(name, sqlProviderOptionNames)}`,
    )
  }
  if (model.generateEtags === true)
    throw new TypeError(
      "sqlProvider: generateEtags requires the memory provider. Declare concurrencyMode: 'Fixed' of a column instead.",
    )
  checkSearches(options.search, model)
  return createProvider(model, db, dialectOf(db), options)
}

/** Creates a provider on a database of a known dialect. It has no methods for changes if the dialect has no `writes`. */
export function createProvider<Definition, Context>(
  model: EdmModel<Definition>,
  db: AnyKysely,
  { dialect, readSchema }: KnownDialect,
  options: SqlProviderOptions<Context, EdmModel<NoInfer<Definition>>>,
): SqlProvider<EdmModel<Definition>, Context> {
  checkLimits(options, dialect)
  const sync = syncConnection(options, dialect)
  if (options.snapshotVersion === true) checkSnapshotVersion(options, dialect)
  checkStatementComments(options, dialect)
  const servesNull = areInvalidValuesNull(options)
  if (dialect.hasOneConnection === true || dialect.singleConnectionClass !== undefined)
    routeStatements(db as Kysely<unknown>)
  const database = new SqlDatabase(
    dialect,
    // Plugins change names and values of the application's statements only.
    (db as Kysely<unknown>).withoutPlugins(),
    (options.replica as Kysely<unknown> | undefined)?.withoutPlugins(),
    { ...options, sync, session: sessionStatementOf(options, dialect) },
  )
  const service = new SqlService(
    model,
    database,
    mergeMappings(mappingOf(model), options.mapping),
    () => readSchema((statement) => database.readOnce(statement)),
    servesNull ? new InvalidValues(options.onNotice) : undefined,
    options.onNotice,
  )
  service.tracking = trackingOf(options, model, dialect)
  // Every call that waits for it throws its error.
  service.whenReady().catch(() => undefined)
  const searches: SqlSearches | undefined = options.search
  const beginChangeSet = async (call: ProviderCall, willQueue?: boolean): Promise<ChangeSet> => {
    // A change set may hold the only connection: the schema must be read before.
    await service.whenReady()
    return database.beginChangeSet(call, willQueue)
  }
  const dataVersion: Provider['dataVersion'] = function (this: unknown, names, call) {
    const isOwn = this === provider || hasEntitySetsOf(this, provider, names)
    return isOwn ? service.dataVersion(names, call) : undefined
  }
  const setAggregated: Provider['setAggregated'] = function (this: unknown, properties) {
    const own = [...properties].filter(
      ([name]) => this === provider || hasEntitySetsOf(this, provider, [name]),
    )
    service.setAggregated(new Map(own))
  }
  const entitySets = lazyEntitySets(model, (set) =>
    sqlEntitySet(service, set, beginChangeSet, searches?.[set.path]),
  )
  // A service looks for change tracking when it starts.
  for (const path of service.tracking?.sets ?? []) void entitySets[path]
  const provider: SqlProvider<EdmModel, Context> = {
    entitySets,
    functions: options.functions,
    ...(dialect.writes === undefined ? {} : { beginChangeSet, requestRecords: sqlRequestRecords(database) }),
    ...(sync === undefined ? {} : { readSnapshot: <T>(work: () => T): T => database.readSnapshot(work) }),
    ...(dialect.hasOneConnection === true ? {} : { concurrentReads: true }),
    ...(sync === undefined && options.snapshotVersion !== true ? {} : { dataVersion }),
    setComputed: (computed) => {
      service.computed = new Map([...service.computed, ...computed])
    },
    ...(options.snapshotVersion === true
      ? {
          shareDataVersion: () => {
            service.shareVersions(options)
          },
        }
      : {}),
    setAggregated,
    check: (call) => service.checkConnection(call),
    ready: async () => {
      await service.whenReady()
    },
    connectionOf: <Tables>(call: Pick<ProviderCall, 'changeSet'>) =>
      database.connectionFor(call) as Kysely<Tables>,
  }
  // The tables have been compared with the model, so that the rows have its types.
  return provider
}

/** @throws TypeError for an invalid option, and for a database without a log of changes */
function trackingOf(
  { changeTracking, replica }: SqlProviderOptions<never>,
  model: EdmModel,
  { changeLog, name }: SqlDialect,
): SqlService['tracking'] {
  const sets = entitySetsOf(model).map(({ path }) => path)
  const tracking = checkedTracking('sqlProvider', changeTracking, sets)
  if (tracking === undefined) return undefined
  if (changeLog === undefined)
    throw new TypeError(`sqlProvider: 'changeTracking' is not supported on ${name}. Remove the option.`)
  // A standby does not know which transactions of the primary database are running.
  if (replica !== undefined)
    throw new TypeError(
      "sqlProvider: 'changeTracking' cannot be used with 'replica', which may be behind the primary database.",
    )
  return { sets: tracking.sets, validity: tracking.validity, log: changeLog }
}

/** @throws TypeError for invalid numbers, and for options that the database does not support */
function checkLimits(options: SqlProviderOptions<never>, { name, options: supported }: SqlDialect): void {
  for (const option of ['statementTimeout', 'cursors'] as const) {
    const value = options[option]
    if (value === undefined) continue
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new TypeError(`sqlProvider: ${option} must be a whole number that is not negative.`)
    }
    if (!supported.includes(option))
      throw new TypeError(`sqlProvider: ${option} is not supported on ${name}. Remove the option.`)
  }
}

/** @throws TypeError if a snapshot is not a version of the data that is read */
function checkSnapshotVersion({ replica }: SqlProviderOptions<never>, { name, versions }: SqlDialect): void {
  if (versions === undefined) {
    throw new TypeError(`sqlProvider: 'snapshotVersion' requires PostgreSQL, not ${name}. Remove the option.`)
  }
  if (replica !== undefined) {
    throw new TypeError(
      "sqlProvider: 'snapshotVersion' cannot be used with 'replica', which may be behind the primary database.",
    )
  }
}

/** @throws TypeError for other values, and for a database within the process, which has no log of statements */
function checkStatementComments({ statementComments }: SqlProviderOptions<never>, dialect: SqlDialect): void {
  if (statementComments === undefined || statementComments === false) return
  if ((statementComments as unknown) !== true)
    throw new TypeError('sqlProvider: statementComments must be true or false.')
  if (dialect.connectSync !== undefined)
    throw new TypeError(
      `sqlProvider: 'statementComments' is not supported on ${dialect.name}. Remove the option.`,
    )
}

/** @throws TypeError for other values */
function areInvalidValuesNull({ invalidValues = 'error' }: SqlProviderOptions<never>): boolean {
  if (!['error', 'null'].includes(invalidValues)) {
    throw new TypeError("sqlProvider: invalidValues must be 'error' or 'null'.")
  }
  return invalidValues === 'null'
}

/** @throws TypeError if nothing would be read from it */
function syncConnection(
  { replica, sqlite }: SqlProviderOptions<never>,
  dialect: SqlDialect,
): SyncConnection | undefined {
  if (sqlite === undefined) return undefined
  if (dialect.connectSync === undefined)
    throw new TypeError(`sqlProvider: 'sqlite' is not supported on ${dialect.name}. Remove the option.`)
  if (replica !== undefined) {
    throw new TypeError("sqlProvider: 'sqlite' cannot be used with 'replica'. Remove one of them.")
  }
  return dialect.connectSync(sqlite)
}
