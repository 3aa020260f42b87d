import type { Column } from './column.js'
import type { RunStatement } from './database-schema.js'
import type { Sql } from './sql-text.js'

/** The differences between databases in changes of rows. */
export interface WriteDialect {
  /** The statements that begin a change set. */
  begin(run: RunStatement): Promise<readonly Sql[]>
  /** Whether a failed statement aborts its transaction. */
  readonly failureEndsTransaction: boolean
  /** Whether triggers may change a row after `returning` has shown it. */
  readonly returnsBeforeTriggers: boolean
  /**
   * Returns whether every value that the database generates for a column is valid for its property. Where it is, an
   * insert can be a statement that commits by itself: nothing has to be rolled back afterwards. Absent: all changes
   * need a transaction.
   */
  readonly generatesValidValues?: ((column: Column) => boolean) | undefined
  /** The lock clause of a `select` whose rows, of the table `t0`, will be changed or deleted; empty without row locks. */
  readonly lockToChange: string
  readonly lockToRemove: string
  /** The lock clause of a `select` whose row must not be deleted before the end of the transaction. */
  readonly lockToKeep: string
  /** Begin and end of an insert that does nothing if a unique key exists. */
  readonly insertUnlessTaken: readonly [begin: string, end: string]
  /** Whether such an insert also ignores other errors, and adjusts values that do not fit. */
  readonly ignoresFaults: boolean
  /** The end of an insert of a row with default values only. */
  readonly defaultRow: string
  readonly media: MediaSql
  /** Whether a transaction could not be ended because the database had already rolled it back. */
  isRolledBack?(error: unknown): boolean
  /** Classifies an error of the driver; undefined for internal errors. */
  fault(error: unknown): DatabaseFault | undefined
}

/** SQL for parts of binary columns. */
export interface MediaSql {
  /** The number of bytes to read in one statement. */
  readonly chunkSize: number
  readonly size: (content: Sql) => Sql
  /** @param from zero-based offset */
  readonly part: (content: Sql, from: number, count: number) => Sql
  /** A digest of the bytes; undefined if the database has none. */
  readonly digest: ((content: Sql) => Sql) | undefined
  /** An expression that differs after every change of the row; undefined if there is none. */
  readonly rowVersion: string | undefined
}

/**
 * Why a statement failed: `again` if a retry may succeed, `away` if the database cannot be reached, `slow` if the
 * statement timeout was exceeded.
 */
export interface DatabaseFault {
  readonly kind: 'unique' | 'foreignKey' | 'notNull' | 'check' | 'value' | 'again' | 'away' | 'slow'
  /** The names of the columns concerned, or strings that contain them. */
  readonly columns: readonly string[]
  /** True for a primary key whose columns the error does not name. */
  readonly isPrimaryKey?: boolean
  /** True when the connection was lost while the statement may have been executed. */
  readonly isOutcomeUnknown?: boolean
}
