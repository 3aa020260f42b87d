import type { ChildProcessByStdio } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
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
  ) {}

  /** @param settings parameters of the server: `['-c', 'max_connections=200']` */
  static async start(settings: readonly string[] = ['-c', 'fsync=off']): Promise<PostgresServer> {
    const script = join(__dirname, 'postgres-process.mjs')
    const child = spawn(process.execPath, [script, ...settings], { stdio: ['pipe', 'pipe', 'inherit'] })
    const [line] = (await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(() => {
        throw new Error('PostgreSQL did not start.')
      }),
    ])) as [Buffer]
    const { port } = JSON.parse(line.toString()) as { port: number }
    return new PostgresServer(child, port)
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

  /** A new, empty database. */
  async open(): Promise<AnyDatabase> {
    return this.connect(await this.newDatabase())
  }

  /** Connections to a database. They are closed with the server. */
  connect(database: string, options: pg.PoolConfig = {}): AnyDatabase {
    const pool = new pg.Pool({ connectionString: this.addressOf(database), max: 10, ...options })
    // Connections end with the server, which is no failure of a test.
    pool.on('error', () => undefined)
    const db: AnyDatabase = new Kysely({ dialect: new PostgresDialect({ pool, cursor: Cursor }) })
    this.opened.push(db)
    return db
  }

  async stop(): Promise<void> {
    for (const db of this.opened) await db.destroy()
    const exit = once(this.process, 'exit')
    this.process.stdin.end()
    await exit
  }
}
