import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { nearest } from '../../errors/suggestions.js'
import {
  fileFormats,
  hasPrefix,
  isDatabaseScheme,
  schemeOf,
  urlStarts,
} from '../../providers/sql/open-database/database-source.js'
import { SourceError } from './errors.js'
import { codeOf, reasonOf } from '../../util/thrown-error.js'

/** The kind of a source. Files that are not databases are `file`; data files such as `sales.csv` are databases. */
export type SourceKind = 'input' | 'service' | 'database' | 'directory' | 'file'

/** The number of bytes at the start of a file that tell whether it is a database. */
const START_BYTES = 64

/** @throws SourceError if the source does not exist, with a suggestion */
export function kindOfSource(source: string): SourceKind {
  if (source === '-') return 'input'
  if (hasPrefix(source)) return 'database'
  const scheme = schemeOf(source)
  if (scheme === 'http' || scheme === 'https') return 'service'
  if (scheme !== undefined) {
    if (isDatabaseScheme(scheme)) return 'database'
    throw new SourceError(`'${scheme}://' is not a supported database URL. Use ${urlStarts.join(' or ')}.`)
  }
  if (isDirectoryAt(source)) return 'directory'
  const start = startOf(source)
  return fileFormats.some(({ file }) => file?.isDatabase(source, start) === true) ? 'database' : 'file'
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
    const bytes = Buffer.alloc(START_BYTES)
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
