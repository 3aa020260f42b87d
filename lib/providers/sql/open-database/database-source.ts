/** The database that a URL or a file name denotes. */
export type DatabaseSource =
  | { readonly kind: 'postgres' | 'mysql'; readonly url: URL }
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'pglite'; readonly file: string }

/** The packages to install for each kind of database, and their purpose. */
export const requirements: Readonly<
  Record<DatabaseSource['kind'], { readonly packages: readonly string[]; readonly purpose: string }>
> = {
  postgres: { packages: ['kysely', 'pg'], purpose: 'To open a PostgreSQL database' },
  mysql: { packages: ['kysely', 'mysql2'], purpose: 'To open a MySQL or MariaDB database' },
  sqlite: { packages: ['kysely', 'better-sqlite3'], purpose: 'To open an SQLite database' },
  pglite: { packages: ['kysely', '@electric-sql/pglite'], purpose: 'To open a PGlite database' },
}

const kinds: ReadonlyMap<string, 'postgres' | 'mysql'> = new Map([
  ['postgres', 'postgres'],
  ['postgresql', 'postgres'],
  ['mysql', 'mysql'],
  ['mariadb', 'mysql'],
])

/** @throws TypeError for other databases, and for incomplete URLs */
export function parseDatabaseSource(source: string): DatabaseSource {
  const directory = /^pglite:(?:\/\/)?(.+)/i.exec(source)?.[1]
  if (directory !== undefined) return { kind: 'pglite', file: directory }
  const scheme = /^([a-z][a-z\d+.-]+):\/\//i.exec(source)?.[1]?.toLowerCase()
  if (scheme === undefined) return { kind: 'sqlite', file: source }
  const kind = kinds.get(scheme)
  if (kind === undefined) {
    throw new TypeError(
      `'${scheme}://' is not supported. Use postgres://, mysql://, pglite:<directory>, or the name of an SQLite file.`,
    )
  }
  const url = parseUrl(source, kind)
  if (kind === 'mysql' && url.pathname.length < 2)
    throw new TypeError(`The URL must end with the name of the database: ${url.host}/database.`)
  return { kind, url }
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
export function nameOfDatabase(source: DatabaseSource): string {
  if ('file' in source) return source.file
  const { hostname, port, pathname } = source.url
  return `${hostname === '' ? 'localhost' : hostname}${port === '' ? '' : `:${port}`}${pathname}`
}
