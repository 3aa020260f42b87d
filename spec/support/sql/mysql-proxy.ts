import { sql } from 'kysely'
import type { PoolOptions } from 'mysql2'
import type { AnyDatabase } from './model-tables.js'
import { openMysql } from './mysql-server.js'
import type { RechunkingProxy } from './rechunking-proxy.js'
import { startRechunkingProxy } from './rechunking-proxy.js'

/** A new database of `MARIADB_URL`, with a proxy before its server. */
export class MysqlProxy {
  private constructor(
    /** The database, without the proxy. */
    readonly db: AnyDatabase,
    readonly proxy: RechunkingProxy,
    private readonly address: string,
  ) {}

  static async start(): Promise<MysqlProxy> {
    const db = await openMysql()
    const { rows } = await sql<{ readonly name: string }>`select database() as name`.execute(db)
    const url = new URL(String(process.env.MARIADB_URL))
    const proxy = await startRechunkingProxy(Number(url.port))
    url.pathname = `/${String(rows[0]?.name)}`
    url.port = String(proxy.port)
    return new MysqlProxy(db, proxy, url.href)
  }

  /** Returns the options of a pool whose connections lead through the proxy. */
  poolOptions(options: PoolOptions = {}): PoolOptions {
    return { uri: this.address, connectionLimit: 1, ...options }
  }

  async stop(): Promise<void> {
    await this.proxy.stop()
    await this.db.destroy()
  }
}
