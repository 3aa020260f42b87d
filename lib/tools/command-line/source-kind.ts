import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { nearest } from '../../errors/suggestions.js'
import { codeOf, reasonOf, SourceError } from './errors.js'

/** The kind of a source. Files that are not databases are `file`. */
export type SourceKind = 'input' | 'service' | 'postgres' | 'mysql' | 'directory' | 'sqlite' | 'file'

const kindOfScheme: Readonly<Record<string, SourceKind>> = {
  http: 'service',
  https: 'service',
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
}

/** The start of every SQLite database that is not empty. */
const sqliteHeader = 'SQLite format 3\0'

/** @throws SourceError if the source does not exist, with a suggestion */
export function kindOfSource(source: string): SourceKind {
  if (source === '-') return 'input'
  const scheme = /^([a-z][a-z\d+.-]+):\/\//i.exec(source)?.[1]?.toLowerCase()
  if (scheme !== undefined) {
    const kind = Object.hasOwn(kindOfScheme, scheme) ? kindOfScheme[scheme] : undefined
    if (kind !== undefined) return kind
    throw new SourceError(`'${scheme}://' is not a supported database URL. Use postgres:// or mysql://.`)
  }
  if (isDirectoryAt(source)) return 'directory'
  const start = startOf(source)
  // A new SQLite database is an empty file.
  const isEmptyDatabase = start === '' && hasDatabaseName(source)
  return start === sqliteHeader || isEmptyDatabase ? 'sqlite' : 'file'
}

/** Returns true if a file has a name that is usual for SQLite databases. */
export function hasDatabaseName(source: string): boolean {
  return /\.(?:sqlite3?|db3?)$/i.test(source)
}

/** Returns the name of a source for messages, without credentials. */
export function titleOf(source: string): string {
  return source === '-' ? 'standard input' : source.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, '$1')
}

function isDirectoryAt(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR'
    throw new SourceError(isMissing ? missing(path) : reasonOf(error))
  }
}

function missing(path: string): string {
  const best = nearest(basename(path), entriesOf(dirname(path)))
  const hint = best === undefined ? '' : ` Did you mean '${join(dirname(path), best)}'?`
  return `There is no file or directory '${path}'.${hint}`
}

function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function startOf(file: string): string {
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
