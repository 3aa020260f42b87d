import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { statSync } from 'node:fs'
import type * as DuckDb from '@duckdb/node-api'
import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from '@duckdb/node-api'
import type {
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  Driver as KyselyDriver,
  Kysely,
  QueryResult,
} from 'kysely'
import type { DatabaseSource } from '../../open-database/database-source.js'
import type { Driver, DriverOptions } from '../../open-database/driver.js'
import { optionalPackage, purposeOf } from '../../open-database/driver.js'
import { reasonOf } from '../../../../util/thrown-error.js'
import type { DataFile } from './data-files.js'
import { confine, dataFile } from './data-files.js'
import { duckdbSource, parquetSource } from './sources.js'

/** The maximum number of connections: further statements wait. */
const MAX_CONNECTIONS = 4
/** Interruptions of a statement when the database is closed. */
const MAX_INTERRUPTIONS = 50
const INTERRUPTION_INTERVAL_MS = 20
const PROGRESS_INTERVAL_MS = 100
const DEFAULT_MEMORY_LIMIT = '256MB'
const DEFAULT_THREADS = 2

type DuckDbModule = Pick<typeof DuckDb, 'DuckDBInstance' | 'blobValue' | 'DOUBLE'>

/** Opens a database or a file for reading only. */
export function duckdbDriver(
  { format, location }: DatabaseSource,
  { memoryLimit = DEFAULT_MEMORY_LIMIT, threads = DEFAULT_THREADS, onProgress }: DriverOptions,
): Driver {
  return {
    async connect() {
      const { packages } = format
      const module = await optionalPackage(() => import('@duckdb/node-api'), packages, purposeOf(format))
      const file = format === duckdbSource ? undefined : dataFile(location, format === parquetSource)
      // DuckDB would create a missing database.
      statSync(location)
      const instance = await module.DuckDBInstance.create(file === undefined ? location : ':memory:', {
        memory_limit: memoryLimit,
        threads: String(threads),
        temp_directory: join(tmpdir(), `express-odata-v2-${randomUUID()}`),
        autoinstall_known_extensions: 'false',
        autoload_known_extensions: 'false',
        ...(file === undefined ? { access_mode: 'READ_ONLY', enable_external_access: 'false' } : {}),
      })
      try {
        const db = await duckdbKysely(module, instance, file, onProgress)
        return { db }
      } catch (error) {
        instance.closeSync()
        throw error
      }
    },
    describeError: (error) => `'${location}' cannot be opened: ${firstLine(reasonOf(error))}`,
  }
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n')
  return line.endsWith('.') ? line : `${line}.`
}

/** Returns a Kysely instance on an open database. @param file the file that its only table has */
export async function duckdbKysely(
  module: DuckDbModule,
  instance: DuckDBInstance,
  file?: DataFile,
  onProgress?: DriverOptions['onProgress'],
): Promise<Kysely<unknown>> {
  const kysely = await optionalPackage(() => import('kysely'), duckdbSource.packages, purposeOf(duckdbSource))
  const driver = new DuckDBDriver(module, instance, file, onProgress)
  await driver.prepare()
  class DuckDBAdapter extends kysely.PostgresAdapter {}
  const dialect: Dialect = {
    createAdapter: () => new DuckDBAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new kysely.PostgresIntrospector(db),
    createQueryCompiler: () => new kysely.PostgresQueryCompiler(),
  }
  return new kysely.Kysely<unknown>({ dialect })
}

/** Gives connections to one caller after the other. */
class DuckDBDriver implements KyselyDriver {
  private readonly idle: DuckConnection[] = []
  private readonly waiting: ((connection: DuckConnection) => void)[] = []
  private readonly busy = new Set<DuckConnection>()
  /** Connections that are being opened. */
  private opening = 0

  constructor(
    private readonly module: DuckDbModule,
    private readonly instance: DuckDBInstance,
    private readonly file: DataFile | undefined,
    private readonly onProgress: DriverOptions['onProgress'],
  ) {}

  init(): Promise<void> {
    return Promise.resolve()
  }

  /** Creates the table of the file. */
  async prepare(): Promise<void> {
    const { file } = this
    const connection = await this.acquireConnection()
    await connection.run("set global TimeZone = 'UTC'")
    if (this.onProgress !== undefined) {
      // Measures progress without a bar on the standard output.
      await connection.run('set enable_progress_bar = true')
      await connection.run('set enable_progress_bar_print = false')
    }
    if (file !== undefined) {
      await file.open((text) => connection.run(text))
      for (const statement of confine(file)) await connection.run(statement)
    }
    await connection.run('set lock_configuration = true')
    await this.releaseConnection(connection)
  }

  async acquireConnection(): Promise<DuckConnection> {
    const idle = this.idle.pop()
    if (idle === undefined && this.busy.size + this.opening >= MAX_CONNECTIONS)
      return new Promise((resolve) => this.waiting.push(resolve))
    const connection = idle ?? (await this.connect())
    this.busy.add(connection)
    return connection
  }

  releaseConnection(connection: DuckConnection): Promise<void> {
    const next = this.waiting.shift()
    if (next !== undefined) next(connection)
    else {
      this.busy.delete(connection)
      this.idle.push(connection)
    }
    return Promise.resolve()
  }

  private async connect(): Promise<DuckConnection> {
    this.opening++
    try {
      const connection = await this.instance.connect()
      return new DuckConnection(connection, this.module, this.file, this.onProgress)
    } finally {
      this.opening--
    }
  }

  async beginTransaction(connection: DuckConnection): Promise<void> {
    await connection.run('begin transaction')
  }

  async commitTransaction(connection: DuckConnection): Promise<void> {
    await connection.run('commit')
  }

  async rollbackTransaction(connection: DuckConnection): Promise<void> {
    await connection.run('rollback')
  }

  /** Interrupts statements that still run: nothing waits for their rows. */
  async destroy(): Promise<void> {
    for (let attempt = 0; attempt < MAX_INTERRUPTIONS && this.busy.size > 0; attempt++) {
      for (const connection of this.busy) connection.interrupt()
      // An interruption has no effect before the statement has begun.
      await delay(INTERRUPTION_INTERVAL_MS)
    }
    for (const connection of this.idle.splice(0)) connection.close()
    this.instance.closeSync()
  }
}

class DuckConnection implements DatabaseConnection {
  constructor(
    private readonly connection: DuckDBConnection,
    private readonly module: DuckDbModule,
    private readonly file: DataFile | undefined,
    private readonly onProgress: DriverOptions['onProgress'],
  ) {}

  async run(text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
    const { DOUBLE, blobValue } = this.module
    const bound = values.map((value) =>
      value instanceof Uint8Array ? blobValue(value) : (value as DuckDBValue),
    )
    const types = values.map((value) => (typeof value === 'number' ? DOUBLE : undefined))
    const timer = this.onProgress && setInterval(() => this.reportProgress(), PROGRESS_INTERVAL_MS)
    try {
      const reader = await this.connection.runAndReadAll(text, bound, types as (typeof DOUBLE)[])
      return reader.getRowObjectsJS()
    } finally {
      clearInterval(timer)
    }
  }

  private reportProgress(): void {
    const { percentage } = this.connection.progress
    // Negative if DuckDB does not know it.
    if (percentage >= 0) this.onProgress?.(percentage / 100)
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { file } = this
    await file?.refresh((text) => this.run(text))
    try {
      return { rows: (await this.run(sql, parameters)) as Row[] }
    } catch (error) {
      throw file?.errorOf(error) ?? error
    }
  }

  streamQuery(): never {
    throw new Error('The driver of DuckDB has no cursors.')
  }

  interrupt(): void {
    this.connection.interrupt()
  }

  close(): void {
    this.connection.closeSync()
  }
}
