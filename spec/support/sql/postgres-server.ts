import type { ChildProcessByStdio } from 'node:child_process'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { PostgresPool } from 'kysely'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import type { AnyDatabase } from './model-tables.js'
import { cert, key } from './tls-certificate.js'
import { openPool } from './open-pool.js'

/** Where a server runs. */
interface Place {
  readonly port: number
  /** The folder that has its data in `data`. */
  readonly directory: string
}

/** A real PostgreSQL server. */
export class PostgresServer {
  private readonly databases: string[] = []
  private readonly opened: AnyDatabase[] = []

  /**
   * @param process undefined for the server that all specs share
   * @param place undefined until the shared server is needed, and has started
   */
  private constructor(
    private readonly process: ChildProcessByStdio<Writable, Readable, null> | undefined,
    private place: Place | undefined,
  ) {}

  /** Returns the server that all specs of a run share. It starts when the first of them creates a database. */
  static shared(): PostgresServer {
    return new PostgresServer(undefined, undefined)
  }

  /**
   * Starts a server of its own, for specs that stop it, kill it or change its settings.
   *
   * @param settings parameters of the server: `['-c', 'max_connections=200']`
   */
  static async start(settings: readonly string[] = ['-c', 'fsync=off']): Promise<PostgresServer> {
    return PostgresServer.run('postgres-process.mjs', settings)
  }

  /** A hot standby of this server, which is to be stopped before it. */
  standby(): Promise<PostgresServer> {
    return PostgresServer.run('postgres-standby.mjs', [String(this.started.port), this.started.directory])
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
    return new PostgresServer(child, JSON.parse(line.toString()) as Place)
  }

  private get started(): Place {
    if (this.place === undefined) throw new Error('Create a database first, which starts PostgreSQL.')
    return this.place
  }

  /** The address of a database of this server. */
  addressOf(database: string): string {
    return `postgres://tester:tester@127.0.0.1:${String(this.started.port)}/${database}`
  }

  /** Makes a server of its own accept connections over TLS, with the certificate of specs. */
  async acceptTls(): Promise<void> {
    const data = join(this.started.directory, 'data')
    const { uid, gid } = statSync(data)
    for (const [name, content] of Object.entries({ 'server.crt': cert, 'server.key': key })) {
      const file = join(data, name)
      writeFileSync(file, content, { mode: 0o600 })
      chownSync(file, uid, gid)
    }
    await this.asAdministrator('alter system set ssl = on')
    await this.asAdministrator('select pg_reload_conf()')
  }

  /**
   * Creates a database.
   *
   * @param template the database to copy, to which no connection may be open. Default: none, the new database is empty
   * @returns its name
   */
  async newDatabase(template = 'template1'): Promise<string> {
    const name = `test_${randomUUID().replaceAll('-', '')}`
    await this.asAdministrator(`create database ${name} template ${template}`)
    this.databases.push(name)
    return name
  }

  private async asAdministrator(statement: string): Promise<void> {
    this.place ??= JSON.parse(await sharedPlace()) as Place
    const client = new pg.Client(this.addressOf('postgres'))
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
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
    const pool = openPool({ connectionString: this.addressOf(database), max: 10, ...options })
    const db: AnyDatabase = new Kysely({ dialect: new PostgresDialect({ pool: use(pool), cursor: Cursor }) })
    this.opened.push(db)
    return db
  }

  /** Closes all connections and drops the new databases. Stops the server unless it is shared. */
  async stop(): Promise<void> {
    for (const db of this.opened) await db.destroy()
    if (this.process === undefined) {
      for (const name of this.databases) await this.asAdministrator(`drop database ${name} with (force)`)
      return
    }
    if (this.process.exitCode !== null || this.process.signalCode !== null) return
    const exit = once(this.process, 'exit')
    this.process.stdin.end()
    await exit
  }
}

/** Asks spec/setup/offer-postgres.mjs where the shared server runs. */
async function sharedPlace(): Promise<string> {
  const { SPEC_POSTGRES: port } = process.env
  if (port === undefined) throw new Error('The global set-up does not offer PostgreSQL.')
  return text(connect(Number(port), '127.0.0.1'))
}
