import type { Kysely } from 'kysely'
import { ODataError, isRetryable } from '../../errors/odata-error.js'
import type { ChangeSet } from '../../provider/change-set.js'
import type { Sql } from './sql-text.js'
import { raw } from './sql-text.js'
import type { WireSql } from './statement-queue.js'
import { StatementQueue } from './statement-queue.js'
import type { WireRows } from './wire/wire-rows.js'

/** A database, or one connection to it, whose tables are not typed. */
export type Connection = Kysely<unknown>

/** A connection that is used exclusively until it is released. */
interface HeldConnection {
  readonly connection: Connection
  release(): void
}

/** Runs the statements of change sets. */
export interface ConnectionControl {
  execute(statement: Sql, connection: Connection): Promise<unknown>
  /** Sends statements together, and returns the rows of each. @throws the error of the first that fails */
  executeTogether(statements: readonly WireSql[], connection: Connection): Promise<readonly WireRows[]>
  /** Cancels the running statement if possible, and waits for its end; undefined when none runs. */
  stop(connection: Connection): Promise<void> | undefined
  /** Calls application code whose statements on the database become part of the change set. */
  runWithin<T>(changeSet: SqlChangeSet, work: () => T): T
  /** Returns the connection for statements of the application. */
  share(changeSet: SqlChangeSet): Connection
  /** Notes the failure of a change set whose transaction has ended. */
  checkTransaction(changeSet: SqlChangeSet): Promise<void>
  /** Rolls back now, or else before the next statement of the connection. */
  rollBack(connection: Connection): Promise<void>
  /** Rolls back before the next statement of the connection. */
  rollBackLater(connection: Connection): Promise<void>
  /** Returns true if the commit that failed was certainly not executed. */
  isOutcomeKnown(error: ODataError): boolean
  /** Returns true if a statement failed because the database had already rolled back. */
  isRolledBack(error: unknown): boolean
}

/** A change set as a transaction of the database. */
export class SqlChangeSet implements ChangeSet {
  /** Checks before the commit, by name: equal checks run once. */
  private readonly checks = new Map<string, () => Promise<void>>()
  queue: StatementQueue | undefined
  private failure: { readonly error: unknown } | undefined
  private isBegun = true
  private isOpen = true
  private isEnding = false
  private shared: Connection | undefined
  /** The last error of a statement of the application, which may have ended the transaction. */
  applicationFailure: unknown

  private constructor(
    private readonly held: HeldConnection,
    private readonly control: ConnectionControl,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * @param beginning the statements that begin a transaction
   * @param signal prevents the commit when it is aborted
   */
  static async begin(
    database: Connection,
    beginning: readonly Sql[],
    control: ConnectionControl,
    signal: AbortSignal,
  ): Promise<SqlChangeSet> {
    const held = await hold(database)
    let isBegun = false
    try {
      for (const statement of beginning) {
        await control.execute(statement, held.connection)
        isBegun = true
      }
    } catch (error) {
      if (isBegun) await control.rollBack(held.connection)
      held.release()
      throw error
    }
    return new SqlChangeSet(held, control, signal)
  }

  /** Creates a change set that begins with the first statements of its queue. */
  static async withQueue(
    database: Connection,
    beginning: readonly Sql[],
    control: ConnectionControl,
    signal: AbortSignal,
  ): Promise<SqlChangeSet> {
    const changeSet = new SqlChangeSet(await hold(database), control, signal)
    const begin = beginning.map((one) => ({ sql: one, formats: [] }))
    changeSet.isBegun = false
    changeSet.queue = new StatementQueue((statements) => changeSet.runTogether(begin, statements))
    return changeSet
  }

  /** @returns the rows of each statement; none when one of them has failed */
  private async runTogether(
    begin: readonly WireSql[],
    statements: readonly WireSql[],
  ): Promise<readonly WireRows[]> {
    const first = this.isBegun ? [] : begin
    if (first.length + statements.length === 0) return []
    this.isBegun = true
    try {
      const rows = await this.control.executeTogether([...first, ...statements], this.connection)
      return rows.slice(first.length)
    } catch (error) {
      this.failure = { error }
      if (error instanceof ODataError || statements.length === 0) throw error
      return []
    }
  }

  get connection(): Connection {
    return this.held.connection
  }

  /** True if the change set has ended. Another transaction may already use its connection. */
  get isOver(): boolean {
    return this.isEnding
  }

  run<T>(work: () => T): T {
    return this.control.runWithin(this, work)
  }

  /** Returns the connection for statements of the application, which may fail unnoticed. */
  share(): Connection {
    this.shared ??= this.control.share(this)
    return this.shared
  }

  /**
   * Refuses all further statements and the commit: a statement of the application has ended the transaction.
   *
   * @param outcome the error of a later statement, which may be that the database cannot be reached
   * @returns the error that they throw
   */
  noteEnd(outcome: unknown): unknown {
    const { applicationFailure: cause } = this
    const lost = [cause, outcome].find((error) => error instanceof ODataError)
    this.failure ??= {
      error:
        lost ??
        new TypeError('A statement on provider.connectionOf(call) has ended the transaction.', { cause }),
    }
    return this.failure.error
  }

  /** Adds a check that runs before the commit. @param check throws when its condition does not hold */
  require(name: string, check: () => Promise<void>): void {
    this.checks.set(name, check)
  }

  /** The failure after which the database accepts no further statement; undefined when that has been rolled back. */
  set failed(failure: { readonly error: unknown } | undefined) {
    this.failure = failure
  }

  get failed(): { readonly error: unknown } | undefined {
    return this.failure
  }

  /** @throws an error if statements would no longer be part of the transaction */
  throwIfEnded(): void {
    if (this.isOver) {
      // If the client has disconnected, this is not a failure.
      const cause: unknown = this.signal.reason
      throw new ODataError('ServiceUnavailable', { message: 'The change set has already ended.', cause })
    }
    if (this.failure !== undefined) throw this.failure.error
  }

  async commit(): Promise<void> {
    this.throwIfEnded()
    for (const check of this.checks.values()) await check()
    if (this.shared !== undefined) await this.control.checkTransaction(this)
    // The database would roll back, and report success.
    this.throwIfEnded()
    await this.end('commit')
  }

  async rollBack(): Promise<void> {
    if (!this.isOpen) return
    this.isEnding = true
    try {
      // A statement that still runs may take long, and its result is not needed.
      await this.control.stop(this.connection)
      if (this.isBegun) await this.end('rollback').catch((error: unknown) => this.rollBackAgain(error))
    } finally {
      // Even when that fails: the pool discards broken connections.
      this.close()
    }
  }

  /** Rolls back, unless the failed statement did. The connection must not return to the pool within a transaction. */
  private async rollBackAgain(error: unknown): Promise<void> {
    if (this.control.isRolledBack(error)) return
    try {
      await this.end('rollback')
    } catch (last) {
      // A node of a cluster without quorum refuses it, and keeps connection and transaction.
      await this.control.rollBackLater(this.connection)
      throw last
    }
  }

  private async end(statement: 'commit' | 'rollback'): Promise<void> {
    if (statement === 'commit') this.signal.throwIfAborted()
    this.isEnding = true
    try {
      await this.control.execute(raw(statement), this.connection)
    } catch (error) {
      throw statement === 'commit' ? this.withOutcome(error) : error
    }
    this.close()
  }

  /**
   * Replaces errors of a lost connection during commit by one that reports an unknown outcome: a client that retries
   * would repeat changes that may have been committed.
   */
  private withOutcome(error: unknown): unknown {
    if (!(error instanceof ODataError) || error.code !== 'ServiceUnavailable' || isRetryable(error))
      return error
    return this.control.isOutcomeKnown(error) ? error : unknownOutcome(error.cause ?? error)
  }

  private close(): void {
    this.isOpen = false
    this.held.release()
  }
}

/** Returns the error for a connection that was lost during a commit. */
export function unknownOutcome(cause: unknown): ODataError {
  return new ODataError('ServiceUnavailable', {
    message: 'The connection to the database was lost during the commit. The outcome is unknown.',
    cause,
  })
}

function hold(database: Connection): Promise<HeldConnection> {
  return new Promise((resolve, reject) => {
    database
      .connection()
      .execute(
        (connection) =>
          new Promise<void>((release) => {
            resolve({ connection, release })
          }),
      )
      .catch(reject)
  })
}
