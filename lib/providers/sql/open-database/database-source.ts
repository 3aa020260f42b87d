import type { DatabaseKind } from '../dialect.js'
import type { SourceFormat } from '../dialects/source-format.js'
import { sources } from '../dialects/sources.js'

/** The database that a string names. */
export interface DatabaseSource {
  readonly kind: DatabaseKind
  readonly format: SourceFormat
  /** A URL, or the name of a file or directory. */
  readonly location: string
}

type NamedFormat = Pick<DatabaseSource, 'kind' | 'format'>

const formats: readonly NamedFormat[] = Object.entries(sources).flatMap(([kind, list]) =>
  list.map((format) => ({ kind: kind as DatabaseKind, format })),
)
const files = formats.filter(({ format }) => format.file !== undefined)

/** The formats of files that are databases. */
export const fileFormats: readonly SourceFormat[] = files.map(({ format }) => format)

/** The start of the URLs of databases: `postgres://`. */
export const urlStarts: readonly string[] = formats.flatMap(({ format: { schemes } }) =>
  schemes === undefined ? [] : [`${schemes[0]}://`],
)

/** Returns the scheme of a URL in lower case; undefined for other strings. */
export function schemeOf(source: string): string | undefined {
  return /^([a-z][a-z\d+.-]+):\/\//i.exec(source)?.[1]?.toLowerCase()
}

/** Returns true if a URL with this scheme names a database. */
export function isDatabaseScheme(scheme: string): boolean {
  return formats.some(({ format }) => format.schemes?.includes(scheme) === true)
}

/** Returns true if a file has a name that is usual for databases. */
export function hasDatabaseName(path: string): boolean {
  return fileFormats.some(({ file }) => file?.hasName(path) === true)
}

/** Returns true if a string names a directory with its format before it: `pglite:./data`. */
export function hasPrefix(source: string): boolean {
  return formats.some(({ format }) => directoryOf(source, format) !== undefined)
}

/** @throws TypeError for other databases, and for incomplete URLs */
export function parseDatabaseSource(source: string): DatabaseSource {
  for (const { kind, format } of formats) {
    const location = directoryOf(source, format)
    if (location !== undefined) return { kind, format, location }
  }
  const scheme = schemeOf(source)
  const found =
    scheme === undefined
      ? (files.find(({ format }) => format.file?.hasName(source) === true) ?? files[0])
      : formats.find(({ format }) => format.schemes?.includes(scheme) === true)
  if (found === undefined) throw new TypeError(`'${scheme ?? ''}://' is not supported. Use ${accepted()}.`)
  const { format } = found
  if (scheme !== undefined) {
    const url = parseUrl(source, format.schemes?.[0] ?? scheme)
    format.checkUrl?.(url)
  }
  return { ...found, location: source }
}

/** Returns the directory that a string names in a format with a prefix. */
function directoryOf(source: string, { prefix }: SourceFormat): string | undefined {
  if (prefix === undefined || source.slice(0, prefix.length).toLowerCase() !== prefix) return undefined
  const directory = source.slice(prefix.length).replace(/^\/\//, '')
  return directory === '' ? undefined : directory
}

function accepted(): string {
  const prefixes = formats.flatMap(({ format: { prefix } }) =>
    prefix === undefined ? [] : [`${prefix}<directory>`],
  )
  const names = fileFormats.map(({ database }) => database.replace(/ database$/, ' file'))
  return `${[...urlStarts, ...prefixes].join(', ')}, or the name of ${names.join(' or ')}`
}

function parseUrl(source: string, scheme: string): URL {
  try {
    return new URL(source)
  } catch {
    throw new TypeError(
      `The URL of the database is invalid. Write ${scheme}://user:password@host/database, with characters other ` +
        'than letters and digits in percent-encoding.',
    )
  }
}

/** Returns a name for messages, without user and password: `localhost:5432/shop`. */
export function nameOfDatabase({ format, location }: DatabaseSource): string {
  return format.schemes === undefined ? location : nameOfUrl(new URL(location))
}

export function nameOfUrl({ hostname, port, pathname }: URL): string {
  return `${hostname === '' ? 'localhost' : hostname}${port === '' ? '' : `:${port}`}${pathname}`
}
