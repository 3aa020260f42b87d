import type { DatabaseConnection } from 'kysely'
import { CompiledQuery } from 'kysely'

/** Milliseconds between attempts to roll back on a session. */
const POLL_INTERVAL_MS = 1000
/** Attempts to roll back on a session, one for each interval, before that waits for its next use. */
const MAX_ROLLBACKS = 600

export const ROLLBACK = CompiledQuery.raw('rollback', [])

/** Rolls back on sessions. A session that refuses to is rolled back later, and before its next statement. */
export class UnfinishedSessions {
  private readonly sessions = new WeakSet<DatabaseConnection>()

  /**
   * @param isLost returns true for the error of a session that has ended
   * @param forget called with a session on which {@link finish} has to be called before its next statement
   */
  constructor(
    private readonly isLost: (error: unknown) => boolean,
    private readonly forget: (session: DatabaseConnection) => void,
  ) {}

  async rollBack(session: DatabaseConnection): Promise<void> {
    try {
      await session.executeQuery(ROLLBACK)
    } catch (error) {
      // The pool discards a session that is lost.
      if (!this.isLost(error)) this.add(session)
    }
  }

  /** Adds a session with a transaction that could not be rolled back. */
  add(session: DatabaseConnection): void {
    this.forget(session)
    this.sessions.add(session)
    this.rollBackSoon(session, MAX_ROLLBACKS)
  }

  /** Rolls back on a session that was added. */
  async finish(session: DatabaseConnection): Promise<void> {
    if (!this.sessions.has(session)) return
    await session.executeQuery(ROLLBACK)
    this.sessions.delete(session)
  }

  /** Rolls back after an interval: the locks must not last until another request happens to use the session. */
  private rollBackSoon(session: DatabaseConnection, attempts: number): void {
    const attempt = (): void => {
      if (!this.sessions.has(session) || attempts === 0) return
      this.finish(session).catch(() => this.rollBackSoon(session, attempts - 1))
    }
    setTimeout(attempt, POLL_INTERVAL_MS).unref()
  }
}
