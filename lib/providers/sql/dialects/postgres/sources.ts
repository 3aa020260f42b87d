import type { SourceFormat } from '../source-format.js'

export const postgresSource: SourceFormat = {
  database: 'a PostgreSQL database',
  packages: ['kysely', 'pg'],
  schemes: ['postgres', 'postgresql'],
}

export const pgliteSource: SourceFormat = {
  database: 'a PGlite database',
  packages: ['kysely', '@electric-sql/pglite'],
  prefix: 'pglite:',
}
