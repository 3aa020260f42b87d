import type { Column } from './column.js'
import type { RunStatement } from './database-schema.js'
import type { Sql } from './sql-text.js'

/** The differences between databases in changes of rows. */
export interface WriteDialect {
  /** Returns the statements that begin a change set. */
  begin(run: RunStatement): Promise<readonly Sql[]>
  /** True if a failed statement aborts its transaction. */
  readonly failureEndsTransaction: boolean
  /** True if triggers can change a row after `returning` has read it. */
  readonly returnsBeforeTriggers: boolean
  /**
   * Returns true if every value that the database generates for a column is valid for its property. If so, an insert can
   * be a statement that commits by itself: nothing has to be rolled back afterwards. Absent: all changes need a
   * transaction.
   */
  readonly generatesValidValues?: ((column: Column) => boolean) | undefined
  /** The lock clause of a `select` whose rows, of the table `t0`, will be changed or deleted; empty without row locks. */
  readonly lockToChange: string
  readonly lockToRemove: string
  /** The lock clause of a `select` whose row must not be deleted before the end of the transaction. */
  readonly lockToKeep: string
  /** True if the lock clause of a `select` does not apply to the tables of its subqueries. */
  readonly needsLockInSubquery?: boolean
  /** True if an update cannot read its own table in a subquery, except in a derived table. */
  readonly derivesOwnTable: boolean
  /** Begin and end of an insert that does nothing if a unique key exists. */
  readonly insertUnlessTaken: readonly [begin: string, end: string]
  /** True if such an insert also ignores other errors and truncates values that do not fit. */
  readonly ignoresErrors: boolean
  /** Creates the table of the records of repeatable requests, if it does not exist. */
  readonly requestTable: readonly string[]
  /** The end of an insert of a row with default values only. */
  readonly defaultRow: string
  /** Matches the start of statements that first commit the transaction. Default: no statement does. */
  readonly implicitCommit?: RegExp | undefined
  /** A statement without effect on rows, whose outcome shows whether a transaction is open and can be committed. */
  readonly transactionCheck: {
    readonly statement: Sql
    /** @param error undefined when the statement has succeeded */
    readonly isOpen: (error: unknown) => boolean
  }
  /** Returns true if a statement failed because the database had already rolled back its transaction. */
  isRolledBack?(error: unknown): boolean
}
