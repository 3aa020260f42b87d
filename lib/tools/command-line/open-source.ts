import { SourceError } from './errors.js'
import { reasonOf } from '../../util/thrown-error.js'
import type { MountedSource } from './mounted-sources.js'
import type { ServeArguments } from './serve-arguments.js'
import { serveMock } from './serve-mock.js'
import type { ServedSource } from './served-source.js'
import type { SourceFormat } from '../../providers/sql/dialects/source-format.js'
import type { SourceKind } from './source-kind.js'
import { kindOfSource } from './source-kind.js'
import { annotate } from '../../edm/vocabularies/annotate.js'
import { fileModel } from '../../providers/file-system/file-model.js'
import { fileProvider } from '../../providers/file-system/file-provider.js'
import {
  fileFormats,
  hasDatabaseName,
  nameOfDatabase,
  parseDatabaseSource,
} from '../../providers/sql/open-database/database-source.js'
import { optionalPackage, purposeOf } from '../../providers/sql/open-database/driver.js'

type CommonArguments = Pick<
  ServeArguments,
  | 'writable'
  | 'keys'
  | 'namespace'
  | 'tables'
  | 'mock'
  | 'invalidAsNull'
  | 'sapRestrictions'
  | 'memoryLimit'
  | 'threads'
>
type SourceArguments = CommonArguments & Pick<MountedSource, 'source' | 'data'>

/**
 * Returns the arguments for one of several sources. Options apply to the sources that support them; an option that none
 * of them supports is an error of {@link openSource}.
 */
export function argumentsFor(
  one: MountedSource,
  given: CommonArguments & Pick<ServeArguments, 'sources'>,
): SourceArguments {
  const { sources, mock } = given
  const kind = kindOfSource(one.source)
  const others = sources.filter((other) => other !== one)
  const kinds = others.map(({ source }) => kindOfSource(source))
  const isElsewhere = (test: (kind: SourceKind) => boolean): boolean => !test(kind) && kinds.some(test)
  const isMock = (other: SourceKind): boolean => other === 'file'
  const isFixed = (other: MountedSource): boolean =>
    kindOfSource(other.source) === 'directory' || isDuckDb(other)
  const tables = sources.map(({ source }) => tableOf(source))
  const isOwnKey = ([table]: readonly [string, unknown]): boolean =>
    table === tableOf(one.source) || !tables.includes(table)
  const keys = Object.fromEntries(Object.entries(given.keys).filter(isOwnKey))
  const all: SourceArguments = { ...given, ...one, keys }
  return {
    ...all,
    ...(isFixed(one) && !others.every(isFixed) ? { writable: false } : {}),
    ...(!isDuckDb(one) && others.some(isDuckDb) ? { memoryLimit: undefined, threads: undefined } : {}),
    ...(isElsewhere((other) => other === 'database')
      ? { keys: {}, invalidAsNull: false, namespace: undefined, tables: [] }
      : {}),
    ...(isElsewhere(isMock)
      ? { mock: noMock, sapRestrictions: true }
      : one.data === undefined && others.some(({ data }) => data !== undefined)
        ? { mock: { ...mock, persist: false, watch: false } }
        : {}),
  }
}

/** Returns true for read-only databases, whose memory is limited by options: files that DuckDB reads. */
function isDuckDb({ source }: Pick<MountedSource, 'source'>): boolean {
  return formatOf(source)?.isReadOnly === true
}

function formatOf(source: string): SourceFormat | undefined {
  return kindOfSource(source) === 'database' ? parseDatabaseSource(source).format : undefined
}

/** Returns the name of the only table of a data file. */
function tableOf(source: string): string | undefined {
  return formatOf(source)?.tableOf?.(parseDatabaseSource(source).location)
}

const noMock: CommonArguments['mock'] = {
  generate: false,
  rows: undefined,
  seed: undefined,
  etags: false,
  persist: false,
  watch: false,
}

/**
 * Opens a source of any kind.
 *
 * @param warn called for problems while the source is served
 * @param onProgress called with the finished part of long work, between 0 and 1
 * @throws SourceError
 */
export async function openSource(
  given: SourceArguments,
  warn: (line: string) => void,
  onProgress: (done: number) => void,
): Promise<ServedSource> {
  const { source, data, writable, mock, invalidAsNull } = given
  const kind = kindOfSource(source)
  if (data !== undefined && kind === 'directory')
    throw new SourceError(`'${source}' is a directory: --data requires a metadata document.`)
  if (data !== undefined && kind !== 'file')
    throw new SourceError('--data requires a metadata document: express-odata-v2 model.edmx --data ./data')
  if (writable && kind === 'directory')
    throw new SourceError(
      '--writable requires a database or a metadata document: the files of a directory are read-only.',
    )
  const duckDb = isDuckDb(given)
  if (writable && duckDb) throw new SourceError(`--writable: '${source}' is read-only.`)
  if (!duckDb && (given.memoryLimit ?? given.threads) !== undefined)
    throw new SourceError('--memory-limit and --threads require a DuckDB database or a data file.')
  if (kind !== 'file') refuseMockOptions(given)
  if (mock.persist && !writable)
    throw new SourceError('--persist requires --writable: it saves the changes of clients.')
  const isDatabase = kind === 'database' || (kind === 'file' && hasDatabaseName(source))
  if (kind !== 'database') refuseKeys(given)
  if (!isDatabase && (given.namespace !== undefined || given.tables.length > 0))
    throw new SourceError(`--namespace and --tables require a database, and '${source}' is not one.`)
  if (invalidAsNull && !isDatabase)
    throw new SourceError(`--invalid-as-null requires a database, and '${source}' is not one.`)
  switch (kind) {
    case 'directory':
      return serveDirectory(source)
    case 'database':
      return serveDatabase(source, given, warn, onProgress)
    case 'file':
      return serveFile(source, given, warn, onProgress)
    default:
      throw new SourceError(
        'Only a directory, a database or a metadata document can be served. To save the model of a service, run ' +
          'express-odata-v2 import <address> --format edmx --output model.edmx',
      )
  }
}

async function serveFile(
  source: string,
  given: SourceArguments,
  warn: (line: string) => void,
  onProgress: (done: number) => void,
): Promise<ServedSource> {
  const { data, mock } = given
  if (/\.(?:edmx|xml)$/i.test(source) || data !== undefined)
    return serveMock(source, { ...mock, data }, warn, onProgress)
  // The driver reports files that are not databases.
  if (hasDatabaseName(source)) return serveDatabase(source, given, warn, onProgress)
  const databases = fileFormats.map(({ database }) => database).join(', nor ')
  throw new SourceError(
    `'${source}' is neither a directory, nor ${databases}, nor a metadata document (model.edmx).`,
  )
}

/** @throws SourceError if there are keys, which only databases use */
export function refuseKeys({ source, keys }: Pick<SourceArguments, 'source' | 'keys'>): void {
  if (Object.keys(keys).length > 0)
    throw new SourceError(`--key requires a database, and '${source}' is not one.`)
}

/** @throws SourceError for options that would have no effect */
function refuseMockOptions({ mock, sapRestrictions }: SourceArguments): void {
  const all = { ...mock, 'no-sap-restrictions': !sapRestrictions }
  for (const [name, value] of Object.entries(all)) {
    if (value !== undefined && value !== false)
      throw new SourceError(`--${name} requires a metadata document: express-odata-v2 model.edmx --${name}`)
  }
}

export function serveDirectory(directory: string): ServedSource {
  return {
    title: `the files in ${directory}`,
    model: fileModel,
    provider: withSourceError(() => fileProvider(directory)),
    notices: [],
    isChangeable: false,
    close: () => Promise.resolve(),
  }
}

type DatabaseArguments = Pick<ServeArguments, 'writable' | 'keys' | 'invalidAsNull'> &
  Partial<Pick<ServeArguments, 'memoryLimit' | 'threads' | 'namespace' | 'tables'>>

/**
 * Opens a database and serves its tables.
 *
 * @param source a URL, or the name of an SQLite file
 * @param warn called for each invalid value that is served as null
 * @param onProgress called with the finished part of a long statement, between 0 and 1
 * @throws SourceError
 */
export async function serveDatabase(
  source: string,
  { writable, keys, invalidAsNull, memoryLimit, threads, namespace, tables = [] }: DatabaseArguments,
  warn: (line: string) => void,
  onProgress?: (done: number) => void,
): Promise<ServedSource> {
  const parsed = withSourceError(() => parseDatabaseSource(source))
  const isFile = parsed.format.tableOf !== undefined
  const title = `the ${isFile ? 'rows of' : 'database'} ${nameOfDatabase(parsed)}`
  const notices: string[] = []
  let isOpen = false
  try {
    const { format } = parsed
    // This part of the package imports kysely.
    const { openDatabase } = await optionalPackage(
      () => import('../../sql.js'),
      format.packages,
      purposeOf(format),
    )
    const { model, provider, close } = await openDatabase(source, {
      keys,
      readOnly: !writable,
      memoryLimit,
      threads,
      namespace,
      onProgress,
      ...(tables.length > 0 ? { tables: selectsNames(tables) } : {}),
      ...(invalidAsNull ? { invalidValues: 'null' } : {}),
      onNotice: (notice) => {
        if (isOpen) warn(notice)
        else notices.push(forCommandLine(notice))
      },
    })
    isOpen = true
    const annotations = annotate(model, {}, { labels: true, lists: true, valueHelps: true })
    return { title, model, provider, annotations, notices, isChangeable: format.isReadOnly !== true, close }
  } catch (error) {
    const reason = forCommandLine(reasonOf(error))
    throw new SourceError(error instanceof TypeError ? `In ${title}: ${reason}` : reason)
  }
}

/** @param patterns names in which `*` stands for any characters */
function selectsNames(patterns: readonly string[]): (name: string) => boolean {
  const escaped = patterns.map((one) => one.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*'))
  const pattern = new RegExp(`^(?:${escaped.join('|')})$`, 'i')
  return (name) => pattern.test(name)
}

function withSourceError<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw new SourceError(reasonOf(error))
  }
}

/** Replaces advice about options of the library by options of the command line. */
function forCommandLine(message: string): string {
  return message
    .replace(/^introspect: /, '')
    .replace(
      /Name its columns: keys: \{ '(.*)': \[.*$/,
      (_text, table: string) => `Name its columns: --key ${table}=<column>,...`,
    )
    .replace("Name keys in 'keys'.", 'Name one with --key <table>=<column>,...')
    .replace(/^'keys' names/, '--key names')
    .replace(/^'tables' excludes/, '--tables excludes')
    .replace("Name them in 'schemas'.", 'Add ?options=-csearch_path%3D<schema> to the URL.')
}
