import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('../support/sql/postgres-process.mjs', import.meta.url))

/**
 * Offers the PostgreSQL server that all specs share: it starts when the first spec asks where it is, since most runs of
 * single specs do without. Workers inherit the port on which to ask.
 */
export default async function offerPostgres() {
  let place
  const offer = createServer(async (socket) => {
    socket.on('error', () => undefined)
    place ??= startPostgres()
    socket.end(await place.catch(String))
  })
  offer.listen(0, '127.0.0.1').unref()
  await once(offer, 'listening')
  // global-teardown.mjs ends both. The property does not change later, since environment.mjs would restore it.
  globalThis.specPostgres = { offer, child: undefined }
  process.env.SPEC_POSTGRES = String(offer.address().port)
}

/** @returns port and folder, as JSON */
async function startPostgres() {
  const settings = ['-c', 'fsync=off', '-c', 'max_connections=300']
  const child = spawn(process.execPath, [script, ...settings], { stdio: ['pipe', 'pipe', 'inherit'] })
  globalThis.specPostgres.child = child
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => {
      throw new Error('PostgreSQL did not start.')
    }),
  ])
  return line.toString()
}
