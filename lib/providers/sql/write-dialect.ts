import type { Column } from './column.js'
import type { RunStatement } from './database-schema.js'
import type { Sql } from './sql-text.js'

/** What differs between databases where rows are changed. */
export interface WriteDialect {
  /** The statements that begin a change set. */
  begin(run: RunStatement): Promise<readonly Sql[]>
  /** Whether nothing more can be done in a transaction after a statement that failed. */
  readonly failureEndsTransaction: boolean
  /** Whether triggers may change a row after `returning` has shown it. */
  readonly returnsBeforeTriggers: boolean
  /**
   * Returns whether every value that the database generates for a column is valid for its property. Where it is, an
   * insert can be a statement that commits by itself: nothing has to be rolled back afterwards. Absent: all changes
   * need a transaction.
   */
  readonly generatesValidValues?: ((column: Column) => boolean) | undefined
  /** Stands behind a `select` whose rows, of the table `t0`, are to be changed or removed; empty without such locks. */
  readonly lockToChange: string
  readonly lockToRemove: string
  /** Stands behind a `select` of a row that must not go before the transaction has ended. */
  readonly lockToKeep: string
  /** How an insert begins and ends that adds nothing where a unique key is taken. */
  readonly insertUnlessTaken: readonly [begin: string, end: string]
  /** Whether such an insert adjusts values that do not fit, instead of failing. */
  readonly ignoresFaults: boolean
  /** What stands behind the name of a table into which a row is inserted that has only default values. */
  readonly defaultRow: string
  readonly media: MediaSql
  /** Whether the end of a transaction failed because the database had ended it already, taking all back. */
  isTakenBack?(error: unknown): boolean
  /** What an error of the driver says; undefined for one that nobody can do anything about. */
  fault(error: unknown): DatabaseFault | undefined
}

/** How bytes in a column are looked at without reading all of them. */
export interface MediaSql {
  /** How many bytes are best read at once. */
  readonly chunkSize: number
  readonly size: (content: Sql) => Sql
  /** @param from counted from zero */
  readonly part: (content: Sql, from: number, count: number) => Sql
  /** Text that is another for other bytes; undefined where the database cannot tell. */
  readonly digest: ((content: Sql) => Sql) | undefined
  /** Something of a row that every change changes; undefined where there is none. */
  readonly rowVersion: string | undefined
}

/**
 * Why a database refused a statement: `again` for one that may succeed next time, `away` when it cannot be reached,
 * `slow` when it takes longer than the database allows.
 */
export interface DatabaseFault {
  readonly kind: 'unique' | 'foreignKey' | 'notNull' | 'check' | 'value' | 'again' | 'away' | 'slow'
  /** Columns that it is about, or text in which their names stand. */
  readonly columns: readonly string[]
  /** True for a primary key whose columns the error does not name. */
  readonly isPrimaryKey?: boolean
  /** True when the connection was lost while the statement may have been executed. */
  readonly isOutcomeUnknown?: boolean
}
