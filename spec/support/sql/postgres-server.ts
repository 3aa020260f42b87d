import type { ChildProcessByStdio } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { PostgresPool } from 'kysely'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import type { AnyDatabase } from './model-tables.js'

/** A real PostgreSQL server of its own, on a free port and in a directory that goes away with it. */
export class PostgresServer {
  private databases = 0
  private readonly opened: AnyDatabase[] = []

  private constructor(
    private readonly process: ChildProcessByStdio<Writable, Readable, null>,
    private readonly port: number,
    private readonly directory: string,
  ) {}

  /** @param settings parameters of the server: `['-c', 'max_connections=200']` */
  static async start(settings: readonly string[] = ['-c', 'fsync=off']): Promise<PostgresServer> {
    return PostgresServer.run('postgres-process.mjs', settings)
  }

  /** A hot standby of this server, which is to be stopped before it. */
  standby(): Promise<PostgresServer> {
    return PostgresServer.run('postgres-standby.mjs', [String(this.port), this.directory])
  }

  private static async run(script: string, parameters: readonly string[]): Promise<PostgresServer> {
    const child = spawn(process.execPath, [join(__dirname, script), ...parameters], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const [line] = (await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(() => {
        throw new Error('PostgreSQL did not start.')
      }),
    ])) as [Buffer]
    const { port, directory } = JSON.parse(line.toString()) as { port: number; directory: string }
    return new PostgresServer(child, port, directory)
  }

  /** The address of a database of this server. */
  addressOf(database: string): string {
    return `postgres://tester:tester@127.0.0.1:${String(this.port)}/${database}`
  }

  /** The name of a new, empty database. */
  async newDatabase(): Promise<string> {
    const name = `test${String(++this.databases)}`
    const main = this.connect('postgres')
    await sql.raw(`create database ${name}`).execute(main)
    return name
  }

  /** A new, empty database. @param use makes another pool of the one that is connected to it */
  async open(use?: (pool: pg.Pool) => PostgresPool): Promise<AnyDatabase> {
    return this.connect(await this.newDatabase(), {}, use)
  }

  /** Connections to a database. They are closed with the server. */
  connect(
    database: string,
    options: pg.PoolConfig = {},
    use: (pool: pg.Pool) => PostgresPool = (pool) => pool,
  ): AnyDatabase {
    const pool = new pg.Pool({ connectionString: this.addressOf(database), max: 10, ...options })
    // Connections end with the server, which is no failure of a test.
    pool.on('error', () => undefined)
    pool.on('connect', (client) => client.on('error', () => undefined))
    const db: AnyDatabase = new Kysely({ dialect: new PostgresDialect({ pool: use(pool), cursor: Cursor }) })
    this.opened.push(db)
    return db
  }

  async stop(): Promise<void> {
    for (const db of this.opened) await db.destroy()
    if (this.process.exitCode !== null || this.process.signalCode !== null) return
    const exit = once(this.process, 'exit')
    this.process.stdin.end()
    await exit
  }
}
