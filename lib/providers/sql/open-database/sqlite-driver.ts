import { existsSync } from 'node:fs'
import type { SqliteDatabase } from 'kysely'
import { cacheStatements } from '../cache-statements.js'
import { requirements } from './database-source.js'
import type { Driver } from './driver.js'
import { codeOf, reasonOf, missingPackage, MissingPackageError, optionalPackage } from './driver.js'
import { openNodeSqlite } from './node-sqlite.js'

/**
 * The drivers of SQLite that {@link sqliteDriver} knows.
 *
 * @example
 * const driver: SqliteDriverName = 'node:sqlite'
 * const database = await openDatabase('shop.sqlite', { driver })
 */
export type SqliteDriverName = 'better-sqlite3' | 'node:sqlite'

const { packages, purpose } = requirements.sqlite

/** @param name default: `better-sqlite3` where it is installed, else `node:sqlite` */
export function sqliteDriver(file: string, readOnly: boolean, name: SqliteDriverName | undefined): Driver {
  return {
    async connect() {
      const { Kysely, SqliteDialect } = await optionalPackage(() => import('kysely'), packages, purpose)
      const sqlite = cacheStatements(await open(file, readOnly, name))
      return { db: new Kysely({ dialect: new SqliteDialect({ database: sqlite }) }), sqlite }
    },
    describeError: (error) => reasonFor(file, error),
  }
}

async function open(
  file: string,
  readOnly: boolean,
  name: SqliteDriverName | undefined,
): Promise<SqliteDatabase> {
  if (!existsSync(file)) throw new Error('there is no such file')
  if (name === 'node:sqlite') {
    const database = openNodeSqlite(file, readOnly)
    if (database === undefined)
      throw new MissingPackageError(`node:sqlite requires Node 22.16 or later; this is ${process.version}.`)
    return database
  }
  try {
    const { default: Database } = await import('better-sqlite3')
    return new Database(file, { fileMustExist: true, readonly: readOnly })
  } catch (error) {
    if (missingPackage(error, packages) === undefined) throw error
    const database = name === undefined ? openNodeSqlite(file, readOnly) : undefined
    return database ?? optionalPackage(() => Promise.reject(error as Error), packages, purpose)
  }
}

function reasonFor(file: string, error: unknown): string {
  switch (codeOf(error)) {
    case 'SQLITE_NOTADB':
      return `'${file}' is not an SQLite database, or it is encrypted.`
    case 'SQLITE_BUSY':
    case 'SQLITE_LOCKED':
      return `'${file}' is locked by another program.`
    case 'SQLITE_CORRUPT':
      return `'${file}' is damaged: ${reasonOf(error)}.`
    default:
      return `'${file}' cannot be opened: ${reasonOf(error)}.`
  }
}
