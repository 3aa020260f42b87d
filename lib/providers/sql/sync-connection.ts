import type { RowArrays } from './driver-rows.js'
import type { Statement } from './sql-text.js'

/**
 * Runs statements on the connection of Kysely synchronously, without its queue: promises take several times as long as a
 * statement of a few microseconds. No other statement can run meanwhile.
 */
export interface SyncConnection {
  /**
   * True if statements read only committed data. While a transaction of this connection is open, reads must wait for it
   * in the queue of Kysely.
   */
  readonly canRead: boolean
  /**
   * Runs synchronous work that reads several times in one transaction: locking and unlocking the file for each read takes
   * as long as the read itself.
   */
  readSnapshot<T>(work: () => T): T
  /**
   * Runs a statement that changes rows in a transaction that ends before this returns.
   *
   * @param use receives the rows that the statement returns; false rolls back
   * @param isAlone lets the statement commit by itself, before `use` is called. Only for statements that fire no
   * triggers, also not by cascades: triggers can fail without undoing what has been changed
   * @returns false when nothing was changed, also when the database has rejected the statement
   * @throws the error of `use`, after the rollback
   */
  change(statement: Statement, use: (rows: RowArrays) => boolean, isAlone?: boolean): boolean
  /** @throws the error of the driver */
  read(statement: Statement): RowArrays
  /**
   * Returns a token that changes whenever rows of the tables may have changed.
   *
   * @param tables quoted names
   * @returns undefined if the database cannot tell, and while uncommitted changes are visible
   * @throws the error of the driver
   */
  dataVersion(tables: readonly string[]): string | undefined
  /**
   * Registers a deterministic function of one argument for statements.
   *
   * @returns false if the driver does not support that, or not now
   */
  define(name: string, convert: (value: unknown) => unknown): boolean
  /**
   * Checks that this is the connection of Kysely. Until then, nothing runs on it.
   *
   * @param run runs a statement in Kysely
   * @throws TypeError when Kysely has another database
   */
  check(run: (text: string) => Promise<unknown>): Promise<void>
}
