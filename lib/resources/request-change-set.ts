import { setTimeout as delay } from 'node:timers/promises'
import type { RunningChangeSet } from '../data/provider-calls.js'
import type { QueueObserver } from '../data/queued-calls.js'
import { isRetryable } from '../errors/odata-error.js'
import type { ODataRequest } from '../http/odata-request.js'
import type { ChangeSet } from '../provider/change-set.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isPromiseLike, waitOrAbort } from '../util/promise-or-value.js'

const MAX_RETRIES = 10

/** The maximum delay before the first retry, which is random; twice as long before each further retry. */
const FIRST_DELAY_MS = 20
const MAX_DELAY_MS = 500

/** The maximum time for which a retry waits for those of other change sets: these may wait for its request. */
const MAX_QUEUE_MS = 2000

/**
 * Retries change sets that conflict with others. Those of a service are retried one after the other, so that they do not
 * conflict again; random delays separate those of other processes.
 */
export class ConflictRetries {
  private last: Promise<void> = Promise.resolve()

  /**
   * Makes changes, and retries them when the provider reports a conflict with other changes.
   *
   * @param attempt makes all changes from the start; they have been rolled back when it throws
   * @param work no retry after its signal is aborted. Few change sets need the signal, which is created on first access
   * @throws the error of the last attempt
   */
  async run<T>(attempt: () => PromiseOrValue<T>, work: Pick<ODataRequest, 'signal'>): Promise<T> {
    let end: (() => void) | undefined
    try {
      for (let count = 0; ; count++) {
        try {
          return await attempt()
        } catch (error) {
          if (count === MAX_RETRIES || !isRetryable(error)) throw error
          const { signal } = work
          end ??= await this.enqueue(signal)
          await untilElapsed(Math.random() * Math.min(FIRST_DELAY_MS * 2 ** count, MAX_DELAY_MS), signal)
          if (signal.aborted) throw error
        }
      }
    } finally {
      end?.()
    }
  }

  /** Waits for earlier retries of other change sets. @returns a function that ends those of this one */
  private async enqueue(signal: AbortSignal): Promise<() => void> {
    const { last } = this
    let end = (): void => undefined
    this.last = new Promise((resolve) => {
      end = resolve
    })
    await untilElapsed(MAX_QUEUE_MS, signal, last)
    return end
  }
}

/** Waits for a time, but not longer than until the signal is aborted or `sooner` is fulfilled. */
async function untilElapsed(ms: number, signal: AbortSignal, sooner?: Promise<void>): Promise<void> {
  const over = new AbortController()
  const stop = (): void => over.abort()
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  sooner?.then(stop, stop)
  await delay(ms, undefined, { signal: over.signal }).catch(() => undefined)
  signal.removeEventListener('abort', stop)
}

/** The session that makes the changes. */
interface ChangingSession {
  readonly request: ODataRequest
  /** Called with errors of the rollback. */
  report(thrown: unknown): unknown
}

/** A change set of the provider. Waits for commit and rollback only as long as the request is not aborted. */
export class RequestChangeSet implements RunningChangeSet {
  /** True after a rollback. Work that still runs must not change data outside of the transaction. */
  isRolledBack = false
  /** True if the changes are committed when the queue is sent. */
  readonly isFinal: boolean
  /** True while changes are added to the queue of the change set. */
  isQueueing = false
  /** Of a final queue: called when a request has added a change, or when it inserts an entity. */
  queueObserver: QueueObserver | undefined
  /** A commit whose outcome is not known yet. */
  private committing: Promise<unknown> | undefined

  /**
   * @param provided the change set of the provider
   * @param session its request limits the wait, and waits itself for the outcome of a commit
   */
  constructor(
    readonly provided: ChangeSet,
    private readonly session: ChangingSession,
  ) {
    this.isFinal = provided.queue?.isFinal === true
  }

  /**
   * Commits the changes of the change set, by sending them if its queue is final.
   *
   * @throws the error of the provider, or the reason of the signal when the provider does not finish
   */
  async commit(): Promise<void> {
    const { provided } = this
    const committed: unknown = this.isFinal ? provided.queue?.send() : provided.commit()
    const isFollowed = provided.afterCommit !== undefined
    if (!isPromiseLike(committed)) return isFollowed ? this.afterCommit() : undefined
    // Also when the request no longer waits for the commit.
    const committing = isFollowed
      ? Promise.resolve(committed).then(() => this.afterCommit())
      : Promise.resolve(committed)
    const { request } = this.session
    const clear = (): void => {
      this.committing = undefined
      request.pendingChange = undefined
    }
    this.committing = committing
    request.pendingChange = committing
    committing.then(clear, clear)
    await waitOrAbort(committing, request.signal)
  }

  /** Reports errors of work after the commit, and never rejects: the changes have been committed. */
  private async afterCommit(): Promise<void> {
    try {
      await this.provided.afterCommit?.()
    } catch (thrown) {
      this.session.report(thrown)
    }
  }

  /**
   * Rolls back. Never rejects: the client receives the error that caused the rollback, even if the rollback fails.
   */
  async rollBack(): Promise<void> {
    this.isRolledBack = true
    // A change set that has been committed must not be rolled back: wait for the outcome.
    if (this.committing === undefined) await this.rollBackProvided()
    else this.committing.catch(() => this.rollBackProvided())
  }

  private async rollBackProvided(): Promise<void> {
    const rollBack = async (): Promise<void> => {
      try {
        await this.provided.rollBack()
      } catch (thrown) {
        this.session.report(thrown)
      }
    }
    await waitOrAbort(rollBack(), this.session.request.signal).catch(() => undefined)
  }
}
