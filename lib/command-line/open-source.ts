import { closeSync, openSync, readSync, statSync } from 'node:fs'
import type { Arguments } from './arguments.js'
import { serveDirectory } from './serve-directory.js'
import { servePostgres, serveSqlite } from './serve-database.js'
import { serveMysql } from './serve-mysql.js'
import { serveMock } from './serve-mock.js'
import type { ServedSource } from './served-source.js'
import { codeOf, reasonOf, SourceError } from './served-source.js'

/** With these every SQLite database begins that has anything in it. */
const sqliteHeader = 'SQLite format 3\0'

/**
 * Opens what the command line names, whatever it is.
 *
 * @throws SourceError saying what is wrong with it
 */
export async function openSource({ source, data, readOnly }: Arguments): Promise<ServedSource> {
  const scheme = /^([a-z][a-z\d+.-]+):\/\//i.exec(source)?.[1]?.toLowerCase()
  const isMock = scheme === undefined && (/\.(?:edmx|xml)$/i.test(source) || data !== undefined)
  if (data !== undefined && !isMock) {
    throw new SourceError('--data goes with a metadata document: express-odata-v2 model.edmx --data ./data')
  }
  if (scheme === 'postgres' || scheme === 'postgresql') return servePostgres(source)
  if (scheme === 'mysql' || scheme === 'mariadb') return serveMysql(source)
  if (scheme !== undefined) {
    throw new SourceError(
      `'${scheme}://' is no address of a database that can be served. There are postgres:// and mysql://.`,
    )
  }
  const isDirectory = isDirectoryAt(source)
  if (isMock && !isDirectory) return serveMock(source, data)
  if (isDirectory) {
    if (data !== undefined)
      throw new SourceError(`'${source}' is a directory: --data goes with a metadata document.`)
    return serveDirectory(source)
  }
  // A database in which nothing is yet is an empty file, with any name.
  if (headerOf(source) === sqliteHeader || /\.(?:sqlite3?|db3?)$/i.test(source)) {
    return serveSqlite(source, readOnly)
  }
  throw new SourceError(
    `'${source}' is neither a directory, nor an SQLite database, nor a metadata document (model.edmx).`,
  )
}

function isDirectoryAt(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR'
    throw new SourceError(isMissing ? `There is no file or directory '${path}'.` : reasonOf(error))
  }
}

function headerOf(file: string): string {
  try {
    const bytes = Buffer.alloc(sqliteHeader.length)
    const handle = openSync(file, 'r')
    try {
      return bytes.toString('latin1', 0, readSync(handle, bytes))
    } finally {
      closeSync(handle)
    }
  } catch (error) {
    throw new SourceError(`'${file}' cannot be read: ${reasonOf(error)}`)
  }
}
