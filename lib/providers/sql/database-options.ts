import type { SessionStatement } from './database-session.js'
import type { DriverPool } from './cancellation/driver-pool.js'
import type { SyncConnection } from './sync-connection.js'

/** The options of an `SqlDatabase`. */
export interface DatabaseOptions {
  /** Milliseconds after which the database cancels a statement. */
  readonly statementTimeout?: number | undefined
  /** Maximum number of open cursors. Each holds a connection. */
  readonly cursors?: number | undefined
  /** Runs statements of the primary connection synchronously. */
  readonly sync?: SyncConnection | undefined
  /** The pool of the primary connection. */
  readonly pool?: DriverPool | undefined
  /** True if statements have a comment with the ids of their request. */
  readonly statementComments?: boolean | undefined
  /** Returns the settings of the transactions of a caller. */
  readonly session?: SessionStatement | undefined
  /** True if the transaction snapshot of the database serves as the version of its data. */
  readonly snapshotVersion?: boolean | undefined
}
