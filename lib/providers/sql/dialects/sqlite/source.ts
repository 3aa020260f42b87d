import type { SourceFormat } from '../source-format.js'

const hasName = (path: string): boolean => /\.(?:sqlite3?|db3?)$/i.test(path)

export const sqliteSource: SourceFormat = {
  database: 'an SQLite database',
  packages: ['kysely', 'better-sqlite3'],
  file: {
    hasName,
    // A new database is an empty file.
    isDatabase: (path, start) => start.startsWith('SQLite format 3\0') || (start === '' && hasName(path)),
  },
}
