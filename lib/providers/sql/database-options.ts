import type { CachedDatabase } from './dialects/sqlite/cache-statements.js'
import type { DriverPool } from './cancellation/driver-pool.js'

/** The options of an `SqlDatabase`. */
export interface DatabaseOptions {
  /** Milliseconds after which the database cancels a statement. */
  readonly statementTimeout?: number | undefined
  /** Maximum number of open cursors. Each holds a connection. */
  readonly cursors?: number | undefined
  /** The SQLite database of the primary connection. */
  readonly sqlite?: CachedDatabase | undefined
  /** The pool of the primary connection. */
  readonly pool?: DriverPool | undefined
  /** True if the transaction snapshot of the database serves as the version of its data. */
  readonly snapshotVersion?: boolean | undefined
}
