import type { ChangeSet } from '../provider/change-set.js'
import { endChangeSet } from '../data/ended-change-sets.js'
import { isPromiseLike } from '../util/maybe-promise.js'
import { untilAbandoned } from '../util/until-abandoned.js'

/**
 * How a change set comes to its end. A provider that never tells whether it has is waited for only as long as anybody
 * waits for the answer.
 */
export class ChangeSetEnd {
  /** A commit whose outcome is not known yet. */
  private committing: Promise<unknown> | undefined

  /**
   * @param signal aborted when nobody waits for the changes any more
   * @param report tells the application what went wrong in taking changes back
   */
  constructor(
    private readonly changeSet: ChangeSet,
    private readonly signal: AbortSignal,
    private readonly report: (thrown: unknown) => unknown,
  ) {}

  /** @throws what the provider throws, and the reason of the signal when it goes on regardless */
  async commit(): Promise<void> {
    const committed: unknown = this.changeSet.commit()
    if (!isPromiseLike(committed)) return
    const committing = Promise.resolve(committed)
    const isOver = (): void => {
      this.committing = undefined
    }
    this.committing = committing
    committing.then(isOver, isOver)
    await untilAbandoned(committing, this.signal)
  }

  /** Never rejects: the client is told why it was necessary, also when the provider fails in it. */
  async takeBack(): Promise<void> {
    endChangeSet(this.changeSet)
    // What has been committed must not be taken back: as long as that is open, it is too early to.
    if (this.committing === undefined) await this.rollBack()
    else this.committing.catch(() => this.rollBack())
  }

  private async rollBack(): Promise<void> {
    const done = this.tryToRollBack()
    await untilAbandoned(done, this.signal).catch(() => undefined)
  }

  private async tryToRollBack(): Promise<void> {
    try {
      await this.changeSet.rollBack()
    } catch (thrown) {
      this.report(thrown)
    }
  }
}
