import type { DatabaseSchema, RunStatement } from '../database-schema.js'
import type { SqlDialect } from '../dialect.js'
import type { DatabaseSource } from '../open-database/database-source.js'
import type { TableDatabase, TableDialect } from '../tables/table-dialect.js'
import type { Driver, DriverOptions } from '../open-database/driver.js'

/** A kind of database, with the parts of its folder. */
export interface KnownDialect {
  /** The name of the product. */
  readonly title: string
  readonly dialect: SqlDialect
  /** The class name of Kysely's adapter. */
  readonly adapterClass: string
  /** Reads the tables and views. */
  readonly readSchema: (run: RunStatement) => Promise<DatabaseSchema>
  /** How tables are created, by the names of the products that have this dialect. */
  readonly tables: Readonly<Partial<Record<TableDatabase, TableDialect>>>
  /** Returns the name of the product. Absent: there is only one. */
  readonly productOf?: (run: RunStatement) => Promise<TableDatabase>
  /** Returns the driver that opens a database. */
  readonly driverOf: (source: DatabaseSource, options: DriverOptions) => Driver
}
