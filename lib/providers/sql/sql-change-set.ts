import type { Kysely } from 'kysely'
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

/** A change set as a transaction of the database. */
export class SqlChangeSet implements ChangeSet {
  /** What must hold when it is committed, by name: asked for twice it is looked at once. */
  private readonly checks = new Map<string, () => Promise<void>>()
  private failure: { readonly error: unknown } | undefined
  private isOpen = true
  private isShared = false

  private constructor(
    private readonly held: HeldConnection,
    private readonly execute: (statement: Sql, connection: Connection) => Promise<unknown>,
  ) {}

  static async begin(
    database: Connection,
    begin: readonly Sql[],
    execute: (statement: Sql, connection: Connection) => Promise<unknown>,
  ): Promise<SqlChangeSet> {
    const held = await hold(database)
    try {
      for (const statement of begin) await execute(statement, held.connection)
    } catch (error) {
      held.release()
      throw error
    }
    return new SqlChangeSet(held, execute)
  }

  get connection(): Connection {
    return this.held.connection
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
    if (this.isShared) await this.execute(raw('select 1'), this.connection)
    for (const check of this.checks.values()) await check()
    await this.end('commit')
  }

  async rollBack(): Promise<void> {
    if (!this.isOpen) return
    try {
      await this.end('rollback')
    } finally {
      // Even when that fails: the pool throws away what is broken.
      this.close()
    }
  }

  private async end(statement: 'commit' | 'rollback'): Promise<void> {
    await this.execute(raw(statement), this.connection)
    this.close()
  }

  private close(): void {
    this.isOpen = false
    this.held.release()
  }
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
