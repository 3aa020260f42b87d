import { once } from 'node:events'

/** Stops PostgreSQL. Its process ends with its standard input, so a run that crashes leaves nothing behind. */
export default async function globalTeardown() {
  const { offer, child } = globalThis.specPostgres
  offer.close()
  if (child === undefined || child.exitCode !== null) return
  const exit = once(child, 'exit')
  child.stdin.end()
  await exit
}
