import { existsSync } from 'node:fs'
import type { CompiledQuery, DatabaseConnection, Dialect, Driver as KyselyDriver, QueryResult } from 'kysely'
import { pgliteSource } from './sources.js'
import type { Driver } from '../../open-database/driver.js'
import { optionalPackage, purposeOf } from '../../open-database/driver.js'
import { reasonOf } from '../../../../util/thrown-error.js'

/**
 * An instance of PGlite, the embedded PostgreSQL, for {@link openDatabase}.
 *
 * @example
 * async function openEmbedded(pglite: PGliteDatabase) {
 *   return openDatabase(pglite)
 * }
 */
export interface PGliteDatabase {
  /** Resolves when the database accepts statements. */
  readonly waitReady: Promise<void>
  /** Runs one statement. */
  query<Row>(text: string, parameters?: unknown[]): Promise<{ rows: Row[]; affectedRows?: number }>
  /** Closes the database. */
  close(): Promise<void>
}

const { packages } = pgliteSource
const purpose = purposeOf(pgliteSource)

export function isPGlite(source: object): source is PGliteDatabase {
  return 'waitReady' in source && 'query' in source
}

/** @param source a directory, or an instance, which stays open */
export function pgliteDriver(source: string | PGliteDatabase): Driver {
  return {
    async connect() {
      const kysely = await optionalPackage(() => import('kysely'), packages, purpose)
      const database = typeof source === 'string' ? await open(source) : source
      await database.waitReady
      const close = typeof source === 'string' ? () => database.close() : () => Promise.resolve()
      const dialect: Dialect = {
        createAdapter: () => new kysely.PostgresAdapter(),
        createDriver: () => new PGliteDriver(database, close),
        createIntrospector: (db) => new kysely.PostgresIntrospector(db),
        createQueryCompiler: () => new kysely.PostgresQueryCompiler(),
      }
      return { db: new kysely.Kysely({ dialect }) }
    },
    describeError: (error) =>
      `The PGlite database${typeof source === 'string' ? ` '${source}'` : ''} cannot be opened: ${reasonOf(error)}.`,
  }
}

async function open(directory: string): Promise<PGliteDatabase> {
  if (!existsSync(directory)) throw new Error('there is no such directory')
  const { PGlite } = await optionalPackage(() => import('@electric-sql/pglite'), packages, purpose)
  return PGlite.create(directory)
}

/** Gives the only connection to one caller after the other. */
class PGliteDriver implements KyselyDriver {
  private readonly connection: PGliteConnection
  private readonly waiting: (() => void)[] = []
  private isTaken = false

  constructor(
    database: PGliteDatabase,
    readonly destroy: () => Promise<void>,
  ) {
    this.connection = new PGliteConnection(database)
  }

  init(): Promise<void> {
    return Promise.resolve()
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.isTaken) await new Promise<void>((resolve) => this.waiting.push(resolve))
    this.isTaken = true
    return this.connection
  }

  releaseConnection(): Promise<void> {
    const next = this.waiting.shift()
    if (next === undefined) this.isTaken = false
    else next()
    return Promise.resolve()
  }

  beginTransaction(): Promise<void> {
    return this.connection.run('begin')
  }

  commitTransaction(): Promise<void> {
    return this.connection.run('commit')
  }

  rollbackTransaction(): Promise<void> {
    return this.connection.run('rollback')
  }
}

class PGliteConnection implements DatabaseConnection {
  constructor(private readonly database: PGliteDatabase) {}

  async run(text: string): Promise<void> {
    await this.database.query(text)
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, affectedRows } = await this.database.query<Row>(sql, [...parameters])
    return affectedRows === undefined ? { rows } : { rows, numAffectedRows: BigInt(affectedRows) }
  }

  streamQuery(): never {
    throw new Error('PGlite has no cursors.')
  }
}
