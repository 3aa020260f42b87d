import type { KnownDialect } from '../known-dialect.js'
import { postgresDriver } from './driver.js'
import { pgliteDriver } from './pglite-driver.js'
import { readPostgresSchema } from './read-schema.js'
import { postgres } from './postgres.js'
import { pgliteSource } from './sources.js'
import { postgresTables } from './tables.js'

export const postgresDatabase: KnownDialect = {
  title: 'PostgreSQL',
  dialect: postgres,
  adapterClass: 'PostgresAdapter',
  readSchema: readPostgresSchema,
  tables: { postgres: postgresTables },
  driverOf: ({ format, location }, { prepareStatements, cursors }) =>
    format === pgliteSource
      ? pgliteDriver(location)
      : postgresDriver(new URL(location), prepareStatements, cursors > 0),
}
