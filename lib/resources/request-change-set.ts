import type { RunningChangeSet } from '../data/provider-calls.js'
import type { ChangeSet } from '../provider/change-set.js'
import { isPromiseLike } from '../util/promise-or-value.js'
import { waitOrAbort } from '../util/wait-or-abort.js'

/**
 * A change set of the provider and its end. Waits for a provider that does not finish only as long as the request is not
 * aborted.
 */
export class RequestChangeSet implements RunningChangeSet {
  /** Whether it has been rolled back. Work that still runs must not change data outside of the transaction. */
  isRolledBack = false
  /** A commit whose outcome is not known yet. */
  private committing: Promise<unknown> | undefined

  /**
   * @param provided the change set of the provider
   * @param signal aborted with the request
   * @param report called with errors of the rollback
   */
  constructor(
    readonly provided: ChangeSet,
    private readonly signal: AbortSignal,
    private readonly report: (thrown: unknown) => unknown,
  ) {}

  /** @throws the error of the provider, or the reason of the signal when the provider does not finish */
  async commit(): Promise<void> {
    const committed: unknown = this.provided.commit()
    if (!isPromiseLike(committed)) return
    const committing = Promise.resolve(committed)
    const isOver = (): void => {
      this.committing = undefined
    }
    this.committing = committing
    committing.then(isOver, isOver)
    await waitOrAbort(committing, this.signal)
  }

  /** Never rejects: the client receives the error that caused the rollback, even if the provider fails in it. */
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
        this.report(thrown)
      }
    }
    await waitOrAbort(rollBack(), this.signal).catch(() => undefined)
  }
}
