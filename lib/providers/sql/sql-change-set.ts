import type { Kysely } from 'kysely'
import { ODataError } from '../../errors/odata-error.js'
import { asksToTryAgain } from '../../errors/try-again.js'
import type { ChangeSet } from '../../provider/change-set.js'
import type { Sql } from './sql-text.js'
import { raw } from './sql-text.js'

/** What runs statements: a database or one connection to it. Which tables it has is nobody's business here. */
export type Connection = Kysely<unknown>

/** A connection that nobody else uses until it is released. */
interface HeldConnection {
  readonly connection: Connection
  release(): void
}

/** How statements run on a connection. */
export interface ConnectionControl {
  execute(statement: Sql, connection: Connection): Promise<unknown>
  /** Stops what is under way, where that is possible, and waits for its end; undefined when there is nothing. */
  stop(connection: Connection): Promise<void> | undefined
  /** Calls code of the application, whose statements on the database become part of the change set. */
  runWithin<T>(changeSet: SqlChangeSet, work: () => T): T
  /** Whether a transaction could not be rolled back because the database had done that already. */
  isTakenBack(error: unknown): boolean
}

/** A change set as a transaction of the database. */
export class SqlChangeSet implements ChangeSet {
  /** What must hold when it is committed, by name: asked for twice it is looked at once. */
  private readonly checks = new Map<string, () => Promise<void>>()
  private failure: { readonly error: unknown } | undefined
  private isOpen = true
  private isEnding = false
  private isShared = false

  private constructor(
    private readonly held: HeldConnection,
    private readonly control: ConnectionControl,
  ) {}

  static async begin(
    database: Connection,
    begin: readonly Sql[],
    control: ConnectionControl,
  ): Promise<SqlChangeSet> {
    const held = await hold(database)
    try {
      for (const statement of begin) await control.execute(statement, held.connection)
    } catch (error) {
      held.release()
      throw error
    }
    return new SqlChangeSet(held, control)
  }

  get connection(): Connection {
    return this.held.connection
  }

  /** Whether it is too late for changes: they would be made outside of it, by whoever has the connection next. */
  get isOver(): boolean {
    return this.isEnding
  }

  run<T>(work: () => T): T {
    return this.control.runWithin(this, work)
  }

  /** The connection for statements of others, of which it is not known whether they succeed. */
  share(): Connection {
    this.isShared = true
    return this.connection
  }

  /** Looked at before the commit, when all changes have been made. @param check throws when it does not hold */
  require(name: string, check: () => Promise<void>): void {
    this.checks.set(name, check)
  }

  /** A statement has failed after which the database takes no other one; undefined when it has been taken back. */
  set failed(failure: { readonly error: unknown } | undefined) {
    this.failure = failure
  }

  get failed(): { readonly error: unknown } | undefined {
    return this.failure
  }

  async commit(): Promise<void> {
    // The database would roll back, and say that all is well.
    if (this.failure !== undefined) throw this.failure.error
    // It takes no statement any more after one that failed.
    if (this.isShared) await this.control.execute(raw('select 1'), this.connection)
    for (const check of this.checks.values()) await check()
    await this.end('commit')
  }

  async rollBack(): Promise<void> {
    if (!this.isOpen) return
    this.isEnding = true
    try {
      // Nobody waits for what may still be under way, and it may go on for long.
      await this.control.stop(this.connection)
      await this.end('rollback').catch((error: unknown) => this.rollBackAgain(error))
    } finally {
      // Even when that fails: the pool throws away what is broken.
      this.close()
    }
  }

  /** A connection in a transaction would be of no use to whoever has it next. */
  private async rollBackAgain(error: unknown): Promise<void> {
    if (!this.control.isTakenBack(error)) await this.end('rollback')
  }

  private async end(statement: 'commit' | 'rollback'): Promise<void> {
    this.isEnding = true
    try {
      await this.control.execute(raw(statement), this.connection)
    } catch (error) {
      throw statement === 'commit' ? withOutcome(error) : error
    }
    this.close()
  }

  private close(): void {
    this.isOpen = false
    this.held.release()
  }
}

/** A client that is asked to retry would repeat changes that may have been committed. */
function withOutcome(error: unknown): unknown {
  if (!(error instanceof ODataError) || error.code !== 'ServiceUnavailable' || asksToTryAgain(error))
    return error
  return unknownOutcome(error.cause ?? error)
}

/** The error for a connection that was lost during a commit. */
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
