import type { Kysely } from 'kysely'
import type { EdmModel } from '../../edm/edm-model.js'
import { didYouMean } from '../../errors/suggestions.js'
import type { ChangeSet } from '../../provider/change-set.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { FunctionHandlers, Provider } from '../../provider/provider.js'
import { hasEntitySetsOf } from '../../provider/own-entity-sets.js'
import type { AnyKysely } from './dialect-of.js'
import { dialectOf } from './dialect-of.js'
import type { SqlDialect } from './dialect.js'
import type { CachedDatabase } from './cache-statements.js'
import { mappingOf } from './introspection/introspected-mapping.js'
import { routeStatements } from './routed-statements.js'
import { SqlDatabase } from './sql-database.js'
import { sqlEntitySet } from './sql-entity-set.js'
import type { SqlMapping } from './sql-mapping.js'
import { mergedMapping } from './sql-mapping.js'
import { SqlService } from './sql-service.js'
import { InvalidValues } from './invalid-values.js'

/** What {@link sqlProvider} can be given beside the database. */
export interface SqlProviderOptions<Context = unknown, Model = EdmModel> {
  /** How things are called in the database, where they are not called as in the model. */
  readonly mapping?: SqlMapping | undefined
  /** Handlers of function imports by their name. A call of a function without handler is answered with 501. */
  readonly functions?: FunctionHandlers<Model, Context> | undefined
  /**
   * A second database to read from, such as a hot standby. What is read within a change set is read where it has been
   * written.
   */
  readonly replica?: AnyKysely | undefined
  /**
   * Milliseconds after which the database stops a statement; the client is answered with 503. It is set on the
   * connections of the pool, for whoever uses them. Only PostgreSQL has it. Default: no limit.
   */
  readonly statementTimeout?: number | undefined
  /**
   * How many feeds at once may be read through a cursor of the database, which is faster where no index has their
   * order, but holds a connection until the client has read all. It must be less than the pool has connections. Only
   * PostgreSQL has it, with `new PostgresDialect({ pool, cursor })`. Default: 0, feeds are read in batches of 1,000
   * rows, between which no connection is held.
   */
  readonly cursors?: number | undefined
  /**
   * The database of `better-sqlite3` that `db` has, as {@link cacheStatements} returned it: what is read outside of
   * transactions is then read from it directly, and so is a single entity inserted, and not through Kysely, which takes
   * longer for that than SQLite does. Kysely's own log does not tell of it. Only for SQLite, and without `replica`.
   * Default: all goes through Kysely.
   */
  readonly sqlite?: CachedDatabase | undefined
  /**
   * Whether the service may cache pages from PostgreSQL. Before and after a page it then reads `pg_current_snapshot()`,
   * which changes with every transaction that writes to the server. Tables with row-level security, views and foreign
   * tables are never cached. Not with `replica`. Default: false
   */
  readonly snapshotVersion?: boolean | undefined
  /**
   * The treatment of SQLite values that are invalid for the type of their property, such as text in an integer column:
   * `'error'` responds with 500; `'null'` reads them as null, also in `$filter` and `$orderby`, and skips rows whose key
   * is null or invalid. Default: `'error'`
   */
  readonly invalidValues?: 'error' | 'null' | undefined
  /** Called once for each of the first invalid values that are served as null, with set, key and property. */
  readonly onNotice?: ((notice: string) => void) | undefined
}

/** A provider on a database. */
export interface SqlProvider<Model, Context> extends Provider<Model, Context> {
  /**
   * Resolved when the tables of the model have been found in the database. Requests wait for it by themselves; an
   * application that awaits it learns before it listens what does not fit.
   *
   * @throws TypeError listing what is missing in the database, and what to change
   */
  ready(): Promise<void>
  /**
   * The connection on which the change set of a call runs, for statements of your own that are to happen with it or
   * not at all, such as a log that a hook keeps. Outside of a change set it is the database. SQLite has one connection
   * only: there statements on the database itself that a hook, `authorize` or a function runs within a change set belong
   * to it too.
   *
   * @param call what a hook, or a handler of a function, has been given
   * @example
   * const log: AfterInsert = async (row, call) => {
   *   await provider.connectionOf<Tables>(call).insertInto('log').values({ text: row.Name }).execute()
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
  'snapshotVersion',
  'invalidValues',
  'onNotice',
]

/**
 * A provider on an SQL database. Conditions, order, paging, counting and navigation are done by the database as far as
 * it gives exactly the same result; the library does the rest.
 *
 * @param model from `defineModel`, `readEdmx` or `introspect`
 * @param db a Kysely instance on SQLite, PostgreSQL, MySQL or MariaDB
 * @param options names that differ in the database, functions, a replica, time-outs
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
      'sqlProvider(model, db): the model must be what defineModel, readEdmx or introspect returned.',
    )
  }
  for (const name of Object.keys(options)) {
    if (sqlProviderOptionNames.includes(name)) continue
    throw new TypeError(
      `sqlProvider: there is no option '${name}'.${didYouMean(name, sqlProviderOptionNames)}`,
    )
  }
  const { dialect, readSchema } = dialectOf(db)
  checkLimits(options, dialect)
  if (options.sqlite !== undefined) checkSqlite(options, dialect)
  if (options.snapshotVersion === true) checkSnapshotVersion(options, dialect)
  const servesNull = areInvalidValuesNull(options, dialect)
  if (dialect.hasOneConnection === true) routeStatements(db as Kysely<unknown>)
  const database = new SqlDatabase(
    dialect,
    // What a plug-in does to names and values is for statements of the application.
    (db as Kysely<unknown>).withoutPlugins(),
    (options.replica as Kysely<unknown> | undefined)?.withoutPlugins(),
    options,
  )
  const service = new SqlService(
    model,
    database,
    mergedMapping(mappingOf(model), options.mapping),
    () => readSchema((statement) => database.readOnce(statement)),
    servesNull ? new InvalidValues(options.onNotice) : undefined,
  )
  // Started at once; whoever needs it is told what is wrong.
  service.whenReady().catch(() => undefined)
  const sets = model.entityContainers.flatMap(({ entitySets }) => entitySets)
  const beginChangeSet = async (): Promise<ChangeSet> => {
    // A change set may hold the only connection: nothing of it may wait for the tables to be read.
    await service.whenReady()
    return database.beginChangeSet()
  }
  const dataVersion: Provider['dataVersion'] = function (this: unknown, names, call) {
    return hasEntitySetsOf(this, provider, names) ? service.dataVersion(names, call) : undefined
  }
  const provider: SqlProvider<EdmModel, Context> = {
    entitySets: Object.fromEntries(sets.map((set) => [set.path, sqlEntitySet(service, set, beginChangeSet)])),
    functions: options.functions,
    beginChangeSet,
    ...(options.sqlite === undefined
      ? {}
      : { readSnapshot: <T>(work: () => T): T => database.readSnapshot(work) }),
    ...(options.sqlite === undefined && options.snapshotVersion !== true ? {} : { dataVersion }),
    ready: async () => {
      await service.whenReady()
    },
    connectionOf: <Tables>({ changeSet }: Pick<ProviderCall, 'changeSet'>) =>
      database.connectionFor(changeSet) as Kysely<Tables>,
  }
  // The rows are those of the model: the tables have been compared with it.
  return provider
}

/** @throws TypeError for what is no number, and for what a database cannot do */
function checkLimits(options: SqlProviderOptions<never>, { name, sessions }: SqlDialect): void {
  for (const option of ['statementTimeout', 'cursors'] as const) {
    const value = options[option]
    if (value === undefined) continue
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new TypeError(`sqlProvider: ${option} must be a whole number that is not negative.`)
    }
    if (sessions === undefined) throw new TypeError(`sqlProvider: there is no ${option} in ${name}.`)
  }
}

/** @throws TypeError where a snapshot says nothing about what is read */
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

/** @throws TypeError for other values, and where columns hold only values of their type */
function areInvalidValuesNull(
  { invalidValues = 'error' }: SqlProviderOptions<never>,
  { name, isValidValue }: SqlDialect,
): boolean {
  if (!['error', 'null'].includes(invalidValues)) {
    throw new TypeError("sqlProvider: invalidValues must be 'error' or 'null'.")
  }
  if (invalidValues === 'null' && isValidValue === undefined) {
    throw new TypeError(
      `sqlProvider: 'invalidValues' requires SQLite; ${name} cannot hold invalid values. Remove the option.`,
    )
  }
  return invalidValues === 'null'
}

/** @throws TypeError where nothing could be read from it */
function checkSqlite({ replica }: SqlProviderOptions<never>, { name }: SqlDialect): void {
  if (name !== 'sqlite') throw new TypeError(`sqlProvider: there is no option 'sqlite' in ${name}.`)
  if (replica !== undefined) {
    throw new TypeError(
      'sqlProvider: with a replica nothing is read from the database of sqlite. Leave one of them out.',
    )
  }
}
