import type { PGlite } from '@electric-sql/pglite'
import { pgliteDriver } from '../../../lib/providers/sql/dialects/postgres/pglite-driver.js'
import type { AnyDatabase } from './model-tables.js'

/** Returns a new, empty database within this process. */
export async function newPGlite(): Promise<PGlite> {
  const { importPGlite } = globalThis as unknown as {
    readonly importPGlite: () => Promise<{ readonly PGlite: typeof PGlite }>
  }
  return (await importPGlite()).PGlite.create()
}

/** Returns the Kysely instance that `openDatabase` creates. */
export async function kyselyOf(pglite: PGlite): Promise<AnyDatabase> {
  const { db } = await pgliteDriver(pglite).connect()
  return db as AnyDatabase
}
