import type { DatabaseSchema, RunStatement } from '../database-schema.js'
import type { SqlDialect } from '../dialect.js'
import type { DatabaseSource } from '../open-database/database-source.js'
import type { TableDialect } from '../tables/table-dialect.js'
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
  /** Returns the name of the product, if several have this dialect. */
  readonly productOf?: (run: RunStatement) => Promise<string>
  /** Returns how tables are created. @param product `mariadb`, or the name of the kind */
  readonly tablesOf: (product: string) => TableDialect
  /** Returns the driver that opens a database. */
  readonly driverOf: (source: DatabaseSource, options: DriverOptions) => Driver
}
