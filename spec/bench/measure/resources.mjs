/** Databases and files of workloads, created at their first use, once in a run. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fillMysql } from '../shop/mysql.mjs'
import { fillPostgres, startPostgres } from '../shop/postgres.mjs'
import { fillSqlite } from '../shop/sqlite.mjs'
import { plantMedia } from '../workloads/media.mjs'

const memory = '/dev/shm'

/** @param folder where files are made */
export function resourcesIn(folder) {
  const made = new Map()
  /** Returns the resource of a name, and creates it at the first call. */
  const once = async (name, make) => {
    if (!made.has(name)) made.set(name, await make())
    return made.get(name)
  }
  let server
  let quick
  const resources = {
    once,
    /** The shop in a file of SQLite; each server is given a copy. */
    sqlite: () =>
      once('sqlite', () => {
        const database = join(folder, 'shop.sqlite')
        fillSqlite(database)
        return { database }
      }),
    /** The shop in PostgreSQL. */
    postgres: () =>
      once('postgres', async () => {
        server = await startPostgres()
        await fillPostgres(server.address)
        return { postgres: server.address, postgresFolder: server.directory }
      }),
    /** The shop on a server of MySQL or MariaDB. */
    mysql: () => once('mysql', async () => ({ mysql: await fillMysql(), databaseProcess: 'mariadbd' })),
    files: () =>
      once('files', () => {
        const files = join(folder, 'media')
        plantMedia(files)
        return { files }
      }),
    /** A folder in which a million files are made in seconds: in memory, if the system can do that. */
    quickFolder() {
      quick ??= existsSync(memory) ? mkdtempSync(join(memory, 'bench-')) : folder
      return quick
    },
    stop: () => server?.stop(),
    remove() {
      for (const one of [quick, folder]) if (one !== undefined) rmSync(one, { recursive: true, force: true })
    },
  }
  // Also when the run is broken off.
  process.once('exit', resources.remove)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  return resources
}
