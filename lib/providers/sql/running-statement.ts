import { ODataError } from '../../errors/odata-error.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { SessionControl } from './dialect.js'

/** Milliseconds that a statement may go on for nobody: to stop a short one costs more than it does. */
const patience = 1000
/** Milliseconds between looks for statements that go on for longer. */
const betweenLooks = 250

/** Whoever waits for a statement. */
export type Waiting = Pick<ProviderCall, 'signal'>

/** Has the database told that it must stop a statement. */
export type SendStop = () => Promise<unknown>

/** A statement that ends when nobody waits for it. */
export class RunningStatement {
  readonly started = performance.now()
  private isListening = false
  private stopping: Promise<unknown> | undefined
  private isOver = false
  private whenOver: (() => void) | undefined

  /** @param elsewhere does work on another session, which may have to be waited for */
  constructor(
    private readonly sessions: SessionControl,
    private readonly call: Waiting | undefined,
    private readonly elsewhere: (work: (send: SendStop) => Promise<void>) => Promise<void>,
    private readonly long: LongStatements,
  ) {
    if (call !== undefined) long.add(this)
  }

  /**
   * The session may be used for something else after that, which must not be stopped.
   *
   * @returns what is to be waited for before
   */
  end(): Promise<unknown> | undefined {
    this.isOver = true
    this.long.delete(this)
    if (this.isListening) this.call?.signal.removeEventListener('abort', this.stop)
    const { stopping, whenOver } = this
    if (stopping === undefined || whenOver === undefined) {
      whenOver?.()
      return stopping
    }
    return stopping.finally(whenOver)
  }

  /** From now on it is stopped when nobody waits. */
  listen(): void {
    if (this.call === undefined) return
    const { signal } = this.call
    if (signal.aborted) {
      this.stop()
      return
    }
    this.isListening = true
    signal.addEventListener('abort', this.stop, { once: true })
  }

  stopAtOnce(): Promise<void> {
    const over = new Promise<void>((resolve) => {
      this.whenOver = resolve
    })
    this.stop()
    return over
  }

  reasonOf(error: unknown): unknown {
    if (this.call?.signal.aborted === true) return this.call.signal.reason
    if (!this.sessions.wasCancelled(error)) return error
    return takesTooLong(error)
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

/**
 * Has statements listen whether anybody waits for them once they have run for long: nearly all are over before, and
 * neither a timer nor a signal is made for them.
 */
export class LongStatements {
  /** In the order in which they have begun. */
  private readonly statements = new Set<RunningStatement>()
  private timer: NodeJS.Timeout | undefined

  add(statement: RunningStatement): void {
    this.statements.add(statement)
    if (this.timer !== undefined) return
    this.timer = setInterval(this.look, betweenLooks)
    this.timer.unref()
  }

  delete(statement: RunningStatement): void {
    this.statements.delete(statement)
  }

  private readonly look = (): void => {
    const latest = performance.now() - patience
    for (const statement of this.statements) {
      if (statement.started > latest) break
      this.statements.delete(statement)
      statement.listen()
    }
    if (this.statements.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }
}

/** What a client is told when the database has stopped a statement that reads or changes. */
export function takesTooLong(cause: unknown): ODataError {
  return new ODataError('ServiceUnavailable', {
    message: 'The database takes too long. Ask for less at once, or try again later.',
    cause,
  })
}
