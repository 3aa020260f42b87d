import type { ChangeSet } from '../../provider/change-set.js'
import type { MaybePromise } from '../../util/maybe-promise.js'

/**
 * How changes are taken back: each leaves here what undoes it. There is at most one change set at a time; changes
 * that do not belong to it wait until it has ended.
 */
export class Journal {
  private readonly undo: (() => void)[] = []
  private recording = false
  private current: ChangeSet | undefined
  private readonly waiting: (() => void)[] = []

  /** @param back takes a change back that is about to be made */
  record(back: () => void): void {
    if (this.recording) this.undo.push(back)
  }

  /** Makes changes of which, when an error is thrown, none has happened. */
  change<T>(changeSet: ChangeSet | undefined, make: () => T): MaybePromise<T> {
    if (this.current !== undefined && this.current !== changeSet) {
      return this.ended().then(() => this.change(changeSet, make))
    }
    const start = this.undo.length
    const before = this.recording
    this.recording = true
    try {
      return make()
    } catch (error) {
      this.takeBack(start)
      throw error
    } finally {
      this.recording = before
      if (this.current === undefined) this.undo.length = 0
    }
  }

  async begin(): Promise<ChangeSet> {
    while (this.current !== undefined) await this.ended()
    const changeSet: ChangeSet = {
      commit: () => {
        this.end(changeSet)
      },
      rollBack: () => {
        if (this.current === changeSet) this.takeBack(0)
        this.end(changeSet)
      },
    }
    this.current = changeSet
    return changeSet
  }

  private end(changeSet: ChangeSet): void {
    if (this.current !== changeSet) return
    this.current = undefined
    this.undo.length = 0
    for (const next of this.waiting.splice(0)) next()
  }

  private ended(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve)
    })
  }

  private takeBack(start: number): void {
    const { recording } = this
    this.recording = false
    for (const back of this.undo.splice(start).reverse()) back()
    this.recording = recording
  }
}
