/** OData V2 services on SQL databases. @packageDocumentation */
export { introspect } from './providers/sql/introspection/introspect.js'
export type { IntrospectOptions } from './providers/sql/introspection/introspect.js'
export { cacheStatements } from './providers/sql/dialects/sqlite/cache-statements.js'
export type { CachedDatabase } from './providers/sql/dialects/sqlite/cache-statements.js'
export { prepareStatements } from './providers/sql/dialects/postgres/prepare-statements.js'
export { keepRequests } from './providers/sql/keep-requests.js'
export type { KeepRequestsOptions } from './providers/sql/keep-requests.js'
export { mappingOf } from './providers/sql/introspection/introspected-mapping.js'
export { openDatabase } from './providers/sql/open-database/open-database.js'
export type { PGliteDatabase } from './providers/sql/dialects/postgres/pglite-driver.js'
export type { OpenDatabaseOptions, OpenedDatabase } from './providers/sql/open-database/open-database.js'
export type { SqliteDriverName } from './providers/sql/dialects/sqlite/driver.js'
export type { DriverPool } from './providers/sql/cancellation/driver-pool.js'
export { sqlProvider } from './providers/sql/sql-provider.js'
export type { SqlChangeTracking, SqlProvider, SqlProviderOptions } from './providers/sql/sql-provider.js'
export type { DatabaseSession } from './providers/sql/database-session.js'
export type { SqlSearch, SqlSearches } from './providers/sql/search-keys.js'
export type {
  SqlMapping,
  EntitySetMapping,
  MediaColumnsMapping,
  LinkTableMapping,
} from './providers/sql/sql-mapping.js'
export { createTables } from './providers/sql/tables/create-tables.js'
export type { TableOptions } from './providers/sql/tables/create-tables.js'
export type { TableDatabase } from './providers/sql/tables/table-dialect.js'
export { pruneChanges, trackChanges } from './providers/sql/track-changes.js'
export type { TrackChangesOptions } from './providers/sql/track-changes.js'
export { alterTables } from './providers/sql/tables/alter-tables.js'
