import type { DatabaseConnection, QueryResult } from 'kysely'
import { CompiledQuery } from 'kysely'
import { ODataError } from '../../errors/odata-error.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { SessionControl, SqlDialect } from './dialect.js'
import type { DriverRow } from './row-reader.js'
import type { Connection } from './sql-change-set.js'
import type { Sql, Statement } from './sql-text.js'
import { statementOf } from './sql-text.js'

/** Milliseconds that a statement may go on for nobody: to stop a short one costs more than it does. */
const patience = 1000

/** Whoever waits for a statement. */
export type Waiting = Pick<ProviderCall, 'signal'>

/** A session of the database that nobody else uses until it is released. */
interface HeldSession {
  readonly session: DatabaseConnection
  release(): void
}

/**
 * Runs statements on sessions of a database, each of which is told once how long its statements may take, and stops
 * statements whose result nobody waits for any more.
 */
export class SqlSessions {
  /** The number of a session in the database. */
  private readonly numbers = new WeakMap<DatabaseConnection, Promise<unknown>>()
  /** What runs on connections that somebody holds. */
  private readonly running = new Map<Connection, RunningStatement>()

  constructor(
    private readonly dialect: SqlDialect,
    private readonly connection: Connection,
    private readonly statementTimeout: number | undefined,
  ) {}

  /**
   * @param call tells whether anybody waits; absent for statements that go on whoever leaves. Its signal is asked for only
   * where a statement can be stopped
   * @throws the reason of the signal when it was aborted, and ODataError ServiceUnavailable after the timeout
   */
  async run(
    statement: Statement,
    connection: Connection,
    call: Waiting | undefined,
  ): Promise<QueryResult<DriverRow>> {
    const { sessions } = this.dialect
    if (sessions === undefined) return connection.executeQuery<DriverRow>(compiled(statement))
    return connection.getExecutor().provideConnection(async (session) => {
      const running = await this.begin(sessions, session, statement, call?.signal)
      const isHeld = connection !== this.connection
      if (isHeld) this.running.set(connection, running)
      try {
        return await session.executeQuery<DriverRow>(compiled(statement))
      } catch (error) {
        throw running.reasonOf(error)
      } finally {
        if (isHeld) this.running.delete(connection)
        await running.end()
      }
    })
  }

  /**
   * Stops what runs on a connection that somebody holds, and waits for its end.
   *
   * @returns undefined when nothing does
   */
  stop(connection: Connection): Promise<void> | undefined {
    return this.running.get(connection)?.stopAtOnce()
  }

  /** The rows of a statement, in batches, as long as somebody wants them; a session is held until then. */
  async *stream(
    statement: Statement,
    batchSize: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly DriverRow[]> {
    const { sessions } = this.dialect
    const held = await hold(this.connection)
    const { session } = held
    try {
      const running = sessions && (await this.begin(sessions, session, statement, signal))
      const batches = session.streamQuery<DriverRow>(compiled(statement), batchSize)
      try {
        yield* this.whileThere(batches, session)
      } catch (error) {
        throw running?.reasonOf(error) ?? error
      } finally {
        await running?.end()
      }
    } finally {
      held.release()
    }
  }

  /** The rows of a stream that may never say that its session has been ended: then it is left to itself. */
  private async *whileThere(
    batches: AsyncIterableIterator<QueryResult<DriverRow>>,
    session: DatabaseConnection,
  ): AsyncGenerator<readonly DriverRow[]> {
    const isGone = (): Promise<boolean> => this.isGone(session)
    let isOver = false
    try {
      for (;;) {
        const next = await unlessGone(batches.next(), isGone)
        isOver = next.done === true
        if (next.done === true) return
        yield next.value.rows
      }
    } catch (error) {
      isOver = true
      throw error
    } finally {
      if (!isOver && batches.return !== undefined) await unlessGone(batches.return(), isGone)
    }
  }

  /** Asked on another session. */
  private async isGone(session: DatabaseConnection): Promise<boolean> {
    const { sessions } = this.dialect
    if (sessions === undefined) return false
    const query = this.compiled(sessions.isThere(await this.numberOf(sessions, session)))
    const { rows } = await this.connection.executeQuery<DriverRow>(query)
    return rows.length === 0
  }

  private async begin(
    sessions: SessionControl,
    session: DatabaseConnection,
    { text }: Statement,
    signal: AbortSignal | undefined,
  ): Promise<RunningStatement> {
    const number = await this.numberOf(sessions, session)
    signal?.throwIfAborted()
    const stop = sessions.cancel(number, text)
    return new RunningStatement(sessions, signal, (work) => this.elsewhere(stop, work))
  }

  private numberOf(sessions: SessionControl, session: DatabaseConnection): Promise<unknown> {
    let number = this.numbers.get(session)
    if (number === undefined) {
      number = this.introduce(sessions, session)
      this.numbers.set(session, number)
      number.catch(() => this.numbers.delete(session))
    }
    return number
  }

  private async introduce(sessions: SessionControl, session: DatabaseConnection): Promise<unknown> {
    const query = this.compiled(sessions.begin(this.statementTimeout))
    const { rows } = await session.executeQuery<DriverRow>(query)
    return rows[0]?.session
  }

  /** On another session, which may have to be waited for. */
  private async elsewhere(stop: Sql, work: (send: SendStop) => Promise<void>): Promise<void> {
    const query = this.compiled(stop)
    await this.connection.getExecutor().provideConnection((other) => work(() => other.executeQuery(query)))
  }

  private compiled(piece: Sql): CompiledQuery {
    return compiled(statementOf(piece, (index) => this.dialect.placeholder(index)))
  }
}

type SendStop = () => Promise<unknown>

/** A statement that ends when nobody waits for it. */
class RunningStatement {
  private readonly started = performance.now()
  private timer: NodeJS.Timeout | undefined
  private stopping: Promise<unknown> | undefined
  private isOver = false
  private whenOver: (() => void) | undefined

  constructor(
    private readonly sessions: SessionControl,
    private readonly signal: AbortSignal | undefined,
    private readonly elsewhere: (work: (send: SendStop) => Promise<void>) => Promise<void>,
  ) {
    signal?.addEventListener('abort', this.onAbort, { once: true })
  }

  /** The session may be used for something else after that, which must not be stopped. */
  async end(): Promise<void> {
    this.isOver = true
    this.signal?.removeEventListener('abort', this.onAbort)
    clearTimeout(this.timer)
    await this.stopping
    this.whenOver?.()
  }

  stopAtOnce(): Promise<void> {
    const over = new Promise<void>((resolve) => {
      this.whenOver = resolve
    })
    this.stop()
    return over
  }

  reasonOf(error: unknown): unknown {
    if (this.signal?.aborted === true) return this.signal.reason
    if (!this.sessions.wasCancelled(error)) return error
    return new ODataError('ServiceUnavailable', {
      message: 'The data take too long to be read.',
      cause: error,
    })
  }

  private readonly onAbort = (): void => {
    const rest = patience - (performance.now() - this.started)
    this.timer = setTimeout(this.stop, Math.max(0, rest))
  }

  private readonly stop = (): void => {
    // Whoever cannot be stopped ends by himself.
    this.elsewhere(async (send) => {
      // While the other session was waited for, there may have become nothing to stop.
      if (this.isOver) return
      this.stopping = send().catch(() => undefined)
      await this.stopping
    }).catch(() => undefined)
  }
}

/** @throws Error when the session that work is done on is not there any more */
function unlessGone<T>(work: PromiseLike<T>, isGone: () => Promise<boolean>): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const look = (): void => {
      timer = setTimeout(() => {
        isGone().then(
          (gone) => {
            if (gone) reject(new Error('Connection terminated unexpectedly'))
            else if (timer !== undefined) look()
          },
          // It is not known: that may be better next time.
          () => timer !== undefined && look(),
        )
      }, patience)
      timer.unref()
    }
    look()
    const done = (): void => {
      clearTimeout(timer)
      timer = undefined
    }
    Promise.resolve(work).finally(done).then(resolve, reject)
  })
}

function compiled({ text, parameters }: Statement): CompiledQuery<DriverRow> {
  return CompiledQuery.raw(text, [...parameters])
}

function hold(connection: Connection): Promise<HeldSession> {
  return new Promise((resolve, reject) => {
    connection
      .getExecutor()
      .provideConnection((session) => new Promise<void>((release) => resolve({ session, release })))
      .catch(reject)
  })
}
