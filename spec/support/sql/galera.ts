import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { Kysely, MysqlDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import { until } from '../until.js'
import type { AnyDatabase } from './model-tables.js'

/** A Galera cluster of two nodes. The first is the majority. */
export interface GaleraCluster {
  /** A pool for each node. */
  readonly nodes: readonly [AnyDatabase, AnyDatabase]
  urlOf(node: 0 | 1, database: string): string
  /** Connections to a database on a node. They are closed with the cluster. */
  open(node: 0 | 1, database?: string, connectionLimit?: number): AnyDatabase
  /** Cuts the second node off, which then has no quorum. */
  isolate(): Promise<void>
  /** Connects the second node again. */
  rejoin(): Promise<void>
  /** Kills the second node. */
  kill(): void
  stop(): Promise<void>
}

/** Starts a cluster with an empty database, `test`. */
export async function startGalera(): Promise<GaleraCluster> {
  const child = spawn(process.execPath, [join(__dirname, 'galera-process.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = (await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => {
      throw new Error('The cluster did not start.')
    }),
  ])) as [Buffer]
  const { hosts, pids } = JSON.parse(line.toString()) as {
    readonly hosts: readonly [string, string]
    readonly pids: readonly [number, number]
  }
  const urlOf = (node: 0 | 1, database: string): string =>
    `mysql://tester:tester@${hosts[node]}:3306/${database}`
  const opened: AnyDatabase[] = []
  const open = (node: 0 | 1, database = 'test', connectionLimit = 10): AnyDatabase => {
    const pool = createPool({ uri: urlOf(node, database), connectionLimit })
    const db: AnyDatabase = new Kysely({ dialect: new MysqlDialect({ pool }) })
    opened.push(db)
    return db
  }
  const nodes = [open(0), open(1)] as const
  const second = nodes[1]
  const setIsolated = async (isolated: 0 | 1): Promise<void> => {
    await sql`set global wsrep_provider_options = ${sql.lit(`gmcast.isolate=${String(isolated)}`)}`.execute(
      second,
    )
    const expected = isolated === 1 ? 'OFF' : 'ON'
    await until(async () => {
      const { rows } = await sql<{ Value: string }>`show status like 'wsrep_ready'`.execute(second)
      return rows[0]?.Value === expected
    })
  }
  return {
    nodes,
    urlOf,
    open,
    isolate: () => setIsolated(1),
    rejoin: () => setIsolated(0),
    kill: () => process.kill(pids[1], 'SIGKILL'),
    async stop() {
      for (const db of opened) await db.destroy()
      const exit = once(child, 'exit')
      child.stdin.end()
      await exit
    },
  }
}
