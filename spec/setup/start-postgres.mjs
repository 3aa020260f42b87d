import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('../support/sql/postgres-process.mjs', import.meta.url))

/** Starts the PostgreSQL server that all specs share. Workers inherit its address. */
export default async function startPostgres() {
  const settings = ['-c', 'fsync=off', '-c', 'max_connections=300']
  const child = spawn(process.execPath, [script, ...settings], { stdio: ['pipe', 'pipe', 'inherit'] })
  globalThis.specPostgres = child
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => {
      throw new Error('PostgreSQL did not start.')
    }),
  ])
  process.env.SPEC_POSTGRES = line.toString()
}
