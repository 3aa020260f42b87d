import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { Kysely, sql, SqliteDialect } from 'kysely'
import { Random } from '../../fuzz/mutation/random.js'
import { batchBody, written } from '../batch-exchange.js'
import { turnEventLoop } from '../event-loop.js'
import { sendBytes } from '../killed-writer.js'
import { seed } from '../random.js'
import { until } from '../until.js'
import type { AnyDatabase, DatabaseKind } from './model-tables.js'
import { PostgresServer } from './postgres-server.js'

const root = join(__dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'sql-service-script-'))
const script = join(folder, 'service.cjs')

/** How many entities a change set adds. */
const groupSize = 5

/** Makes the script that the processes run. To be called before all. */
export function bundleSqlService(): void {
  const source = join(__dirname, 'sql-service-script.ts')
  const external = ['better-sqlite3', 'pg', 'pg-native', 'mysql2', '@duckdb/node-api'].map(
    (name) => `--external:${name}`,
  )
  const options = ['--bundle', '--platform=node', '--format=cjs', '--log-level=error', `--outfile=${script}`]
  execFileSync(join(root, 'node_modules/.bin/esbuild'), [source, ...external, ...options])
}

/** To be called after all. */
export function removeSqlService(): void {
  rmSync(folder, { recursive: true })
}

/** The states of change sets after services were killed. */
interface KilledServices {
  /** Sent, and responded to with success. */
  sent: number
  responded: number
  /** Change sets with all changes in the database. */
  whole: number
  /** Change sets with some changes in the database. */
  torn: number
  /** Incomplete change sets that the service had reported as successful. */
  lost: number
}

/**
 * Has a service execute change sets on several connections, and kills it at random moments, over and over.
 *
 * @param address the address of the database; `db` reads the same one
 */
async function killServices(
  kind: DatabaseKind,
  address: string,
  db: AnyDatabase,
  rounds: number,
): Promise<KilledServices> {
  const found: KilledServices = { sent: 0, responded: 0, whole: 0, torn: 0, lost: 0 }
  const responded = new Set<number>()
  const random = new Random(seed)
  await sql
    .raw('create table "Items" ("ID" integer primary key, "Group" integer not null, "Text" text)')
    .execute(db)
  for (let round = 0; round < rounds; round++) {
    const service = await startService(kind, address)
    let isAlive = true
    const clients = Array.from({ length: 3 }, async () => {
      while (isAlive) {
        const group = found.sent++
        if (await sendGroup(service.port, group)) responded.add(group)
      }
    })
    // Every second service is killed while it is at work, however slow the machine is; the others maybe before.
    const enough = responded.size + 1 + random.below(10)
    if (round % 2 === 0) await until(() => responded.size >= enough)
    await turnEventLoop(random.below(2_000))
    isAlive = false
    await Promise.all([service.kill(), ...clients])
  }
  const counts = await sql<{ group: number; count: number }>`
    select "Group" as "group", count(*) as "count" from "Items" group by "Group"`.execute(db)
  const countOf = new Map(counts.rows.map(({ group, count }) => [Number(group), Number(count)]))
  found.responded = responded.size
  for (const count of countOf.values()) found[count === groupSize ? 'whole' : 'torn']++
  for (const group of responded) if (countOf.get(group) !== groupSize) found.lost++
  return found
}

/** Starts the script. @param mode of the script */
export async function startService(kind: DatabaseKind, address: string, mode = '') {
  const env = { ...process.env, NODE_PATH: join(root, 'node_modules') }
  const child = spawn(process.execPath, [script, kind, address, mode], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env,
  })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  const exited = once(child, 'exit')
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  return { port: Number(port.toString()), kill, exited }
}

/** Creates a database for `killServices`, and removes it afterwards. */
export async function killServicesOn(kind: 'sqlite' | 'postgres', rounds: number): Promise<KilledServices> {
  if (kind === 'postgres') {
    const server = await PostgresServer.start()
    const name = await server.newDatabase()
    const found = await killServices(kind, server.addressOf(name), server.connect(name), rounds)
    await server.stop()
    return found
  }
  const directory = mkdtempSync(join(tmpdir(), 'killed-services-'))
  const file = join(directory, 'a.sqlite')
  const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database: new SQLite(file) }) })
  const found = await killServices(kind, file, db, rounds)
  await db.destroy()
  rmSync(directory, { recursive: true })
  return found
}

/** @returns whether the service said that the group is there */
async function sendGroup(port: number, group: number): Promise<boolean> {
  const text = 'x'.repeat(2000)
  const requests = Array.from({ length: groupSize }, () =>
    written('POST Items', JSON.stringify({ Group: group, Text: text }), { Prefer: 'return-no-content' }),
  )
  const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
  const response = await sendBytes(port, 'POST', '/s/$batch', Buffer.from(batchBody(requests)), headers)
  return response?.status === 202 && response.text.split('HTTP/1.1 204').length === groupSize + 1
}
