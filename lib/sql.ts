/** OData V2 services on SQL databases. @packageDocumentation */
export { sqlProvider } from './providers/sql/sql-provider.js'
export type { SqlProvider, SqlProviderOptions } from './providers/sql/sql-provider.js'
export type * from './providers/sql/sql-mapping.js'
