import { SourceError, reasonOf } from './faults.js'
import type { ServeArguments } from './serve-arguments.js'
import { serveDatabase } from './serve-database.js'
import { serveMock } from './serve-mock.js'
import type { ServedSource } from './served-source.js'
import { hasDatabaseName, kindOfSource } from './source-kind.js'
import { fileModel } from '../../providers/file-system/file-model.js'
import { fileProvider } from '../../providers/file-system/file-provider.js'

/** What tells a source from another, and what is done with it. */
type SourceArguments = Pick<ServeArguments, 'source' | 'data' | 'writable' | 'keys'> &
  Partial<Pick<ServeArguments, 'mock' | 'invalidAsNull' | 'sapRestrictions'>>

const plainMock: ServeArguments['mock'] = {
  generate: false,
  rows: undefined,
  seed: undefined,
  persist: false,
  watch: false,
}

/**
 * Opens what the command line names, whatever it is.
 *
 * @param complain is told of what goes wrong while it is served
 * @throws SourceError saying what is wrong with it
 */
export async function openSource(
  given: SourceArguments,
  complain: (line: string) => void = () => undefined,
): Promise<ServedSource> {
  const { source, data, writable, keys, mock = plainMock, invalidAsNull = false } = given
  const kind = kindOfSource(source)
  const isDatabase = kind === 'postgres' || kind === 'mysql' || kind === 'sqlite'
  if (data !== undefined && kind === 'directory')
    throw new SourceError(`'${source}' is a directory: --data goes with a metadata document.`)
  if (data !== undefined && kind !== 'file')
    throw new SourceError('--data goes with a metadata document: express-odata-v2 model.edmx --data ./data')
  if (writable && kind === 'directory')
    throw new SourceError(
      '--writable requires a database or a metadata document: the files of a directory are read-only.',
    )
  if (kind !== 'file') refuseMockOptions(given)
  if (mock.persist && !writable)
    throw new SourceError('--persist requires --writable: it saves the changes of clients.')
  if (!isDatabase && Object.keys(keys).length > 0)
    throw new SourceError(`--key goes with a database, and '${source}' is none.`)
  if (invalidAsNull && kind !== 'sqlite' && !(kind === 'file' && hasDatabaseName(source)))
    throw new SourceError(
      '--invalid-as-null requires an SQLite database: other databases cannot hold invalid values.',
    )
  switch (kind) {
    case 'directory':
      return serveDirectory(source)
    case 'postgres':
    case 'mysql':
    case 'sqlite':
      return serveDatabase(source, given, complain)
    case 'file':
      return serveFile(source, given, complain)
    default:
      throw new SourceError(
        'Only a directory, a database or a metadata document can be served. The model of a service is saved by ' +
          'express-odata-v2 import <address> --format edmx --output model.edmx',
      )
  }
}

async function serveFile(
  source: string,
  given: SourceArguments,
  complain: (line: string) => void,
): Promise<ServedSource> {
  const { data, mock = plainMock } = given
  if (/\.(?:edmx|xml)$/i.test(source) || data !== undefined)
    return serveMock(source, { ...mock, data }, complain)
  // What is called a database, and is none, is told apart by SQLite.
  if (hasDatabaseName(source)) return serveDatabase(source, given, complain)
  throw new SourceError(
    `'${source}' is neither a directory, nor an SQLite database, nor a metadata document (model.edmx).`,
  )
}

/** @throws SourceError for options that would be without effect */
function refuseMockOptions({ mock = plainMock, sapRestrictions }: SourceArguments): void {
  const all = { ...mock, 'no-sap-restrictions': sapRestrictions === false }
  for (const [name, value] of Object.entries(all)) {
    if (value !== undefined && value !== false)
      throw new SourceError(`--${name} goes with a metadata document: express-odata-v2 model.edmx --${name}`)
  }
}

/** The files and directories below a directory. */
function serveDirectory(directory: string): ServedSource {
  try {
    return {
      title: `the files below ${directory}`,
      model: fileModel,
      provider: fileProvider(directory),
      notices: [],
      isChangeable: false,
      close: () => Promise.resolve(),
    }
  } catch (error) {
    throw new SourceError(reasonOf(error))
  }
}
