import type { Duplex } from 'node:stream'
import type { Statement } from '../sql-text.js'

/** The statements of the dialect that cancel a statement, for databases without another way. */
export interface CancelStatements {
  readonly isRunning: Statement | undefined
  readonly cancel: Statement
}

/** How a driver cancels the running statement of a connection over another connection. */
export interface DriverCancellation<Pool, Connection> {
  /** The name of the package. */
  readonly driver: string
  /** Returns true for the pools of the driver. */
  isPool(pool: object): boolean
  /** Returns the number of the connection in the database; undefined if the driver does not know it. */
  numberOf(connection: Connection): number | null | undefined
  streamOf(connection: Connection): Duplex
  /** Opens a connection with the settings of the pool, and cancels. @param signal closes the connection */
  cancel(pool: Pool, connection: Connection, statements: CancelStatements, signal: AbortSignal): Promise<void>
}
