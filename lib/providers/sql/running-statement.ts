import { ODataError } from '../../errors/odata-error.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { SessionControl } from './dialect.js'

/** Milliseconds that an aborted statement may run on: cancelling a short one costs more than it does. */
const GRACE_PERIOD_MS = 500
/** Milliseconds between searches for statements that run for longer. */
const POLL_INTERVAL_MS = 250
/** Milliseconds before a cancellation is repeated; twice as long before each further one. */
const REPEAT_MS = 250
const MAX_CANCELLATIONS = 10

/** The part of a call that aborts a statement. */
export interface Waiting extends Pick<ProviderCall, 'signal' | 'requestIds'> {
  /** True if the signal is aborted. Reading it does not create the signal; undefined for calls of applications. */
  readonly isAborted?: boolean | undefined
}

/** @throws the reason of the signal of a call if it is aborted */
export function throwIfAborted(call: Waiting | undefined): void {
  if (call !== undefined && call.isAborted !== false) call.signal.throwIfAborted()
}

/** Sends the command that cancels a statement. */
export type SendStop = () => Promise<unknown>

/** A statement that is cancelled when its call is aborted. */
export class RunningStatement {
  readonly started = performance.now()
  private isListening = false
  /** True after the statement was to be cancelled. */
  private isStopped = false
  private stopping: Promise<unknown> | undefined
  private isOver = false
  private whenOver: (() => void) | undefined
  private endPause: (() => void) | undefined

  /** @param elsewhere runs work on another connection as soon as that is possible */
  constructor(
    private readonly sessions: Pick<SessionControl, 'wasCancelled'>,
    private readonly call: Waiting | undefined,
    private readonly elsewhere: (work: (send: SendStop) => Promise<void>) => Promise<void>,
    private readonly long: LongStatements,
  ) {
    if (call !== undefined) long.add(this)
  }

  /**
   * Ends the observation. The session may then run other statements, which must not be cancelled.
   *
   * @param afterStop is called after the command that cancels the statement, if it was sent
   * @returns a promise to wait for before the session is used again
   */
  end(afterStop: () => Promise<unknown>): Promise<unknown> | undefined {
    this.isOver = true
    this.endPause?.()
    this.long.delete(this)
    if (this.isListening) this.call?.signal.removeEventListener('abort', this.stop)
    const { stopping, whenOver } = this
    if (stopping === undefined) {
      whenOver?.()
      return undefined
    }
    return stopping.then(afterStop).finally(whenOver)
  }

  /** Cancels the statement when the call is aborted from now on, or has been. */
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

  /** Cancels the statement now. @returns a promise for its end */
  cancel(): Promise<void> {
    const over = new Promise<void>((resolve) => {
      this.whenOver = resolve
    })
    this.stop()
    return over
  }

  reasonOf(error: unknown): unknown {
    if (this.call?.signal.aborted === true) return this.call.signal.reason
    if (!this.sessions.wasCancelled(error)) return error
    return this.isStopped ? rolledBack() : statementTimeout(error)
  }

  private readonly stop = (): void => {
    if (this.isStopped) return
    this.isStopped = true
    void this.stopUntilOver()
  }

  /** Repeats the command: it has no effect before the statement has arrived, and its connection may be lost. */
  private async stopUntilOver(): Promise<void> {
    for (let count = 0; count < MAX_CANCELLATIONS && !this.isOver; count++) {
      // A statement that cannot be cancelled runs to completion.
      await this.elsewhere(this.stopOnce).catch(() => undefined)
      if (!this.isOver) await this.pause(REPEAT_MS * 2 ** count)
    }
  }

  private readonly stopOnce = async (send: SendStop): Promise<void> => {
    // The statement may have ended while this waited for the other connection.
    if (this.isOver) return
    const stopping = send()
    this.stopping = stopping.catch(() => undefined)
    await stopping
  }

  /** Waits for the end of the statement, at most for some milliseconds. */
  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      timer.unref()
      this.endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/**
 * Cancels statements whose call is aborted, once they have run for a grace period. Nearly all end before: no timer and no
 * signal is created for them.
 */
export class LongStatements {
  /** In the order of their start. */
  private readonly statements = new Set<RunningStatement>()
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly gracePeriodMs = GRACE_PERIOD_MS) {}

  add(statement: RunningStatement): void {
    this.statements.add(statement)
    if (this.timer !== undefined) return
    this.timer = setInterval(this.poll, POLL_INTERVAL_MS)
    this.timer.unref()
  }

  delete(statement: RunningStatement): void {
    this.statements.delete(statement)
  }

  private readonly poll = (): void => {
    const latest = performance.now() - this.gracePeriodMs
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

/** Returns the error for a statement that the database has cancelled because it took too long. */
export function statementTimeout(cause: unknown): ODataError {
  return new ODataError('ServiceUnavailable', {
    message: 'The database query timed out. Request less data, or try again later.',
    cause,
  })
}

/** Returns the error of a statement that was cancelled because its change set is rolled back. */
function rolledBack(): unknown {
  return new DOMException('The change set is rolled back.', 'AbortError')
}
