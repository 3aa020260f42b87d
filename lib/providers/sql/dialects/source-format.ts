/** How a string names a database. Does not load the driver. */
export interface SourceFormat {
  /** A database of this kind, for messages: `a PostgreSQL database`. */
  readonly database: string
  /** The packages to install. */
  readonly packages: readonly string[]
  /** The schemes of URLs, the usual one first. Absent: files and directories. */
  readonly schemes?: readonly [string, ...string[]]
  /** Checks a URL. @throws TypeError for URLs that are incomplete */
  checkUrl?(url: URL): void
  /** The text before the name of a directory: `pglite:`. Absent: URLs and files. */
  readonly prefix?: string
  /** True if the database is read-only. */
  readonly isReadOnly?: boolean
  /** Returns the name of the only table. Absent: the database has its own tables. */
  tableOf?(location: string): string
  /** How files are recognized. Absent: URLs and directories. */
  readonly file?: {
    /** Returns true if a file has a name that is usual for such databases. */
    hasName(path: string): boolean
    /** Returns true if a file is a database. @param start its first 64 bytes, as Latin-1 */
    isDatabase(path: string, start: string): boolean
  }
}
