import { SourceError } from './faults.js'
import type { ServeArguments } from './serve-arguments.js'
import { servePostgres, serveSqlite } from './serve-database.js'
import { serveDirectory } from './serve-directory.js'
import { serveMock } from './serve-mock.js'
import { serveMysql } from './serve-mysql.js'
import type { ServedSource } from './served-source.js'
import { hasDatabaseName, kindOfSource } from './source-kind.js'

/** What tells a source from another, and what is done with it. */
type SourceArguments = Pick<ServeArguments, 'source' | 'data' | 'readOnly' | 'keys'>

/**
 * Opens what the command line names, whatever it is.
 *
 * @throws SourceError saying what is wrong with it
 */
export async function openSource(given: SourceArguments): Promise<ServedSource> {
  const { source, data, readOnly, keys } = given
  const kind = kindOfSource(source)
  const isDatabase = kind === 'postgres' || kind === 'mysql' || kind === 'sqlite'
  if (data !== undefined && kind === 'directory')
    throw new SourceError(`'${source}' is a directory: --data goes with a metadata document.`)
  if (data !== undefined && kind !== 'file')
    throw new SourceError('--data goes with a metadata document: express-odata-v2 model.edmx --data ./data')
  if (!isDatabase && Object.keys(keys).length > 0)
    throw new SourceError(`--key goes with a database, and '${source}' is none.`)
  switch (kind) {
    case 'postgres':
      return servePostgres(source, keys)
    case 'mysql':
      return serveMysql(source, keys)
    case 'directory':
      return serveDirectory(source)
    case 'sqlite':
      return serveSqlite(source, readOnly, keys)
    case 'file':
      return serveFile(source, given)
    default:
      throw new SourceError(
        'Only a directory, a database or a metadata document can be served. The model of a service is saved by ' +
          'express-odata-v2 import <address> --format edmx --output model.edmx',
      )
  }
}

async function serveFile(source: string, { data, readOnly, keys }: SourceArguments): Promise<ServedSource> {
  if (/\.(?:edmx|xml)$/i.test(source) || data !== undefined) return serveMock(source, data)
  // What is called a database, and is none, is told apart by SQLite.
  if (hasDatabaseName(source)) return serveSqlite(source, readOnly, keys)
  throw new SourceError(
    `'${source}' is neither a directory, nor an SQLite database, nor a metadata document (model.edmx).`,
  )
}
