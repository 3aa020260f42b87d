import type { EdmModel } from '../../../edm/edm-model.js'
import { didYouMean } from '../../../errors/suggestions.js'
import type { AnyKysely } from '../dialect-of.js'
import type { IntrospectOptions } from '../introspection/introspect.js'
import { introspect, introspectOptionNames } from '../introspection/introspect.js'
import type { SqlProvider, SqlProviderOptions } from '../sql-provider.js'
import { sqlProvider, sqlProviderOptionNames } from '../sql-provider.js'
import { parseDatabaseSource } from './database-source.js'
import type { Driver } from './driver.js'
import type { PGliteDatabase } from '../dialects/postgres/pglite-driver.js'
import { isPGlite, pgliteDriver } from '../dialects/postgres/pglite-driver.js'
import { databases } from '../dialects/databases.js'
import { MissingPackageError } from './driver.js'
import type { SqliteDriverName } from '../dialects/sqlite/driver.js'

/**
 * Options of {@link openDatabase}: those of {@link sqlProvider} and {@link introspect}, and how the database is opened.
 *
 * @example
 * const options: OpenDatabaseOptions = { schemas: ['shop'], statementTimeout: 10_000 }
 * const database = await openDatabase('postgres://localhost/shop', options)
 */
export interface OpenDatabaseOptions<Definition = unknown, Context = unknown>
  extends SqlProviderOptions<Context, EdmModel<Definition>>, IntrospectOptions {
  /** The model of the service. Default: that of the tables, from {@link introspect}. */
  readonly model?: EdmModel<Definition> | undefined
  /** SQLite: opens the file for reading only. Default: false */
  readonly readOnly?: boolean | undefined
  /** SQLite: the driver. Default: `better-sqlite3` where it is installed, else `node:sqlite` of Node 22.16 and later. */
  readonly driver?: SqliteDriverName | undefined
  /**
   * PostgreSQL: prepares repeated statements, see {@link prepareStatements}. Set to false behind a pooler that gives
   * each transaction another session. Default: true, without `statementComments`
   */
  readonly prepareStatements?: boolean | undefined
  /**
   * DuckDB and data files: the memory that statements and copies of CSV and JSON files use, with its unit. What does not
   * fit is stored in temporary files. Default: `'256MB'`
   */
  readonly memoryLimit?: string | undefined
  /** DuckDB and data files: the number of threads. Default: 2 */
  readonly threads?: number | undefined
  /**
   * DuckDB and data files: called while the database is opened, with the finished part of the current statement,
   * between 0 and 1, such as that which reads a file or checks a key. Default: progress is not reported
   */
  readonly onProgress?: ((done: number) => void) | undefined
}

/**
 * A database as {@link openDatabase} returns it: both arguments of `odataV2`.
 *
 * @example
 * const database: OpenedDatabase = await openDatabase('shop.sqlite')
 * app.use('/shop', odataV2(database.model, database.provider))
 * process.once('SIGTERM', () => void database.close())
 */
export interface OpenedDatabase<Definition = unknown, Context = unknown> {
  /** The model: the option `model`, or that of the tables. */
  readonly model: EdmModel<Definition>
  /** The provider of the database. */
  readonly provider: SqlProvider<EdmModel<Definition>, Context>
  /** Closes the connections. An instance that was passed in stays open. */
  readonly close: () => Promise<void>
}

const ownOptionNames = [
  'model',
  'readOnly',
  'driver',
  'prepareStatements',
  'memoryLimit',
  'threads',
  'onProgress',
]

/**
 * Opens a database and returns a model of its tables and a provider for them. The packages of the database are loaded
 * when it is opened: `kysely`, and `better-sqlite3`, `pg`, `mysql2`, `@electric-sql/pglite` or
 * `@duckdb/node-api`.
 *
 * @param source `postgres://` or `mysql://` URL, `pglite:` and a directory, name of an SQLite, DuckDB, Parquet, CSV or JSON
 * file, `parquet:` and a directory of Parquet files, or an instance of Kysely or PGlite
 * @param options of the provider and of the model
 * @returns the arguments of `odataV2` or `requestListener`, and `close()`
 * @throws Error when a package is not installed, or the database cannot be opened
 * @throws TypeError for misspelt options, and when model and tables do not fit, naming all differences
 * @example
 * const shop = await openDatabase('postgres://shop:secret@localhost/shop')
 * app.use('/shop', odataV2(shop.model, shop.provider))
 * @spec MS-ODATA 2.2.1 (abstract data model)
 */
export async function openDatabase<Definition = unknown, Context = unknown>(
  source: string | AnyKysely | PGliteDatabase,
  options: OpenDatabaseOptions<Definition, Context> = {},
): Promise<OpenedDatabase<Definition, Context>> {
  checkOptions(options)
  if (typeof source !== 'string' && !isPGlite(source)) {
    return { ...(await serve(source, options)), close: () => Promise.resolve() }
  }
  let isOpening = true
  const onProgress =
    options.onProgress &&
    ((done: number): void => {
      if (isOpening) options.onProgress?.(done)
    })
  const driver = driverOf(source, { ...options, onProgress })
  try {
    const { db, ...connected } = await driver.connect()
    try {
      return { ...(await serve(db, { ...connected, ...options })), close: () => db.destroy() }
    } catch (error) {
      await db.destroy()
      throw error
    }
  } catch (error) {
    // These messages are complete.
    if (error instanceof TypeError || error instanceof MissingPackageError) throw error
    throw new Error(driver.describeError(error), { cause: error })
  } finally {
    isOpening = false
  }
}

/**
 * Connects to a database, and closes the connection after some work.
 *
 * @throws Error when a package is not installed, or the database cannot be opened
 */
export async function useDatabase<Result>(
  source: string,
  work: (db: AnyKysely) => Promise<Result>,
): Promise<Result> {
  const driver = driverOf(source, { readOnly: true })
  try {
    const { db } = await driver.connect()
    try {
      return await work(db)
    } finally {
      await db.destroy()
    }
  } catch (error) {
    if (error instanceof TypeError || error instanceof MissingPackageError) throw error
    throw new Error(driver.describeError(error), { cause: error })
  }
}

async function serve<Definition, Context>(
  db: AnyKysely,
  options: OpenDatabaseOptions<Definition, Context>,
): Promise<Omit<OpenedDatabase<Definition, Context>, 'close'>> {
  // Without a model there is no literal that Definition could be inferred from.
  const model =
    options.model ?? ((await introspect(db, only(options, introspectOptionNames))) as EdmModel<Definition>)
  const provider = sqlProvider<Definition, Context>(model, db, only(options, sqlProviderOptionNames))
  await provider.ready()
  return { model, provider }
}

function driverOf(
  source: string | PGliteDatabase,
  {
    readOnly = false,
    driver,
    statementComments,
    prepareStatements = statementComments !== true,
    cursors = 0,
    memoryLimit,
    threads,
    onProgress,
  }: OpenDatabaseOptions<unknown, never>,
): Driver {
  if (typeof source !== 'string') return pgliteDriver(source)
  const parsed = parseDatabaseSource(source)
  return databases[parsed.kind].driverOf(parsed, {
    readOnly,
    driver,
    prepareStatements,
    cursors,
    memoryLimit,
    threads,
    onProgress,
  })
}

/** Returns the options with some names. */
function only<Options extends object>(options: Options, names: readonly string[]): Partial<Options> {
  const entries = Object.entries(options).filter(([name]) => names.includes(name))
  return Object.fromEntries(entries) as Partial<Options>
}

/** Options of {@link introspect} alone: `onNotice` is also one of {@link sqlProvider}. */
const modelOptionNames = introspectOptionNames.filter((name) => !sqlProviderOptionNames.includes(name))

/** @throws TypeError for misspelt options, and for those of a model that is given */
function checkOptions(options: OpenDatabaseOptions<unknown, never>): void {
  const known = [...ownOptionNames, ...introspectOptionNames, ...sqlProviderOptionNames]
  for (const name of Object.keys(options)) {
    if (!known.includes(name))
      throw new TypeError(`openDatabase: there is no option '${name}'.${didYouMean(name, known)}`)
    if (modelOptionNames.includes(name) && options.model !== undefined)
      throw new TypeError(`openDatabase: '${name}' has no effect with 'model'. Remove one of them.`)
  }
  if (options.statementComments === true && options.prepareStatements === true)
    throw new TypeError(
      "openDatabase: 'prepareStatements' has no effect with 'statementComments'. Remove one of them.",
    )
  const { driver } = options
  if (driver !== undefined && driver !== 'better-sqlite3' && driver !== 'node:sqlite')
    throw new TypeError("openDatabase: driver must be 'better-sqlite3' or 'node:sqlite'.")
  const { memoryLimit, threads } = options
  if (memoryLimit !== undefined && !/^\d+(?:\.\d+)? ?[KMGT]i?B$/i.test(memoryLimit))
    throw new TypeError("openDatabase: memoryLimit must be a number with a unit, such as '256MB'.")
  if (threads !== undefined && (!Number.isSafeInteger(threads) || threads < 1))
    throw new TypeError('openDatabase: threads must be a whole number greater than 0.')
}
