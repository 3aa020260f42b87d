import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, chmodSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { until } from '../until.js'

/** A PgBouncer that gives each transaction another session of a PostgreSQL server. */
export interface PgBouncer {
  readonly port: number
  stop(): Promise<void>
}

/** @param address the URL of a database */
export async function startPgBouncer(address: string): Promise<PgBouncer> {
  const { port: serverPort, username, password } = new URL(address)
  const directory = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  chmodSync(directory, 0o755)
  const port = await freePort()
  const settings = join(directory, 'pgbouncer.ini')
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${serverPort} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${String(port)}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 5
`,
  )
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ['--user=nobody'] : []
  const child = spawn('pgbouncer', [...user, '--quiet', settings], { stdio: 'ignore' })
  const exit = once(child, 'exit')
  const accepts = (): Promise<boolean> =>
    new Promise((resolve) => {
      if (child.exitCode !== null) throw new Error('PgBouncer did not start.')
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
  await until(accepts)
  return {
    port,
    async stop() {
      child.kill('SIGKILL')
      await exit
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
