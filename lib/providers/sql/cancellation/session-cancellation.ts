import type { SessionControl, SqlDialect } from '../dialect.js'
import type { SendStop } from '../running-statement.js'
import type { Connection } from '../sql-change-set.js'
import type { Sql, Statement } from '../sql-text.js'
import { statementOf } from '../sql-text.js'
import { CompiledQuery } from 'kysely'
import type { PoolCancellation } from './pool-cancellation.js'

/** Cancels the statements of sessions: on connections outside of their pool, else on other sessions of the pool. */
export class SessionCancellation {
  /** @param pool undefined if statements can be cancelled only on other sessions of the pool */
  constructor(
    private readonly dialect: SqlDialect,
    private readonly connection: Connection,
    private readonly pool: PoolCancellation | undefined,
  ) {}

  /** Returns how to cancel statements of a session with a number. */
  of(
    sessions: SessionControl,
    number: unknown,
    statements: readonly Statement[],
  ): (work: (send: SendStop) => Promise<void>) => Promise<void> {
    const { pool } = this
    let pooled: Promise<void> | undefined
    return async (work) => {
      const texts = statements.map(({ text }) => text)
      const [cancel, isRunning] = [sessions.cancel(number, texts), sessions.isRunning?.(number, texts)]
      const onSession = (): Promise<void> => this.onSession(cancel, isRunning, work)
      if (pool?.has(number) !== true) return onSession()
      const sent = { cancel: this.statement(cancel), isRunning: isRunning && this.statement(isRunning) }
      try {
        await pool.run(number, sent, work)
      } catch {
        // The database may accept only the connections of the pool. Waiting for one must not prevent the next attempt.
        pooled ??= onSession()
          .catch(() => undefined)
          .finally(() => {
            pooled = undefined
          })
      }
    }
  }

  /** Works on another session of the pool, as soon as one is free. */
  private async onSession(
    cancel: Sql,
    isRunning: Sql | undefined,
    work: (send: SendStop) => Promise<void>,
  ): Promise<void> {
    await this.connection.getExecutor().provideConnection((other) =>
      work(async () => {
        if (isRunning !== undefined) {
          const { rows } = await other.executeQuery(this.compiled(isRunning))
          if (rows.length === 0) return
        }
        await other.executeQuery(this.compiled(cancel))
      }),
    )
  }

  private compiled(fragment: Sql): CompiledQuery {
    const { text, parameters } = this.statement(fragment)
    return CompiledQuery.raw(text, [...parameters])
  }

  private statement(fragment: Sql): Statement {
    return statementOf(fragment, (index) => this.dialect.placeholder(index))
  }
}
