import type { ChangeSet } from '../../provider/change-set.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'

/** The part of a call that decides whether it has to wait for the open change set. */
type Caller = Pick<ProviderCall, 'changeSet' | 'signal'>

/**
 * Rolls back changes by the undo functions that they record, and isolates change sets. At most one change set is open;
 * other reads and changes wait until it ends, so that they never see uncommitted data.
 */
export class UndoLog {
  /** Called when changes are committed: a single change, or all changes of a change set. */
  onCommit: (() => void) | undefined
  /** Called after {@link onCommit}, with everything decided. */
  journal: { commit(): void } | undefined
  private readonly undo: (() => void)[] = []
  /** Deferred constraints by name. */
  private readonly constraints = new Map<string, () => void>()
  private readonly waiting = new Set<() => void>()
  isRecording = false
  private current: ChangeSet | undefined

  get hasOpenChangeSet(): boolean {
    return this.current !== undefined
  }

  /** @param undo reverts the change that is about to be made */
  record(undo: () => void): void {
    if (this.isRecording) this.undo.push(undo)
  }

  /**
   * Defers a constraint to the commit.
   *
   * @param name constraints of the same name are checked once
   * @param check throws when the constraint is violated
   */
  defer(name: string, check: () => void): void {
    if (this.isRecording) this.constraints.set(name, check)
  }

  /** Reads synchronously unless another change set is open. */
  read<T>(caller: Caller, read: () => PromiseOrValue<T>): PromiseOrValue<T> {
    const isOpen = this.current === undefined || this.current === caller.changeSet
    return isOpen ? read() : this.wait(caller, read)
  }

  /** Makes a change that is rolled back when it throws. */
  change<T>(caller: Caller, change: () => T): PromiseOrValue<T> {
    const isOpen = this.current === undefined || this.current === caller.changeSet
    return isOpen ? this.changeNow(change) : this.wait(caller, () => this.changeNow(change))
  }

  begin(caller: Caller): Promise<ChangeSet> {
    return this.current === undefined
      ? Promise.resolve(this.beginNow())
      : this.wait(caller, () => this.beginNow())
  }

  /** Does work when no change set is open, in the order of the calls. */
  private wait<T>({ signal }: Caller, work: () => PromiseOrValue<T>): Promise<T> {
    return new Promise((resolve) => {
      signal.throwIfAborted()
      const start = (): void => {
        this.waiting.delete(start)
        signal.removeEventListener('abort', start)
        resolve(startUnlessAborted(signal, work))
      }
      this.waiting.add(start)
      signal.addEventListener('abort', start)
    })
  }

  private changeNow<T>(change: () => T): T {
    const start = this.undo.length
    this.isRecording = true
    try {
      const result = change()
      if (this.current === undefined) this.commit()
      return result
    } catch (error) {
      this.rollBackTo(start)
      throw error
    } finally {
      this.isRecording = false
      if (this.current === undefined) this.clear()
    }
  }

  private beginNow(): ChangeSet {
    const changeSet: ChangeSet = {
      commit: () => {
        if (this.current !== changeSet) return
        try {
          this.commit()
        } catch (error) {
          this.rollBackTo(0)
          throw error
        } finally {
          this.end()
        }
      },
      rollBack: () => {
        if (this.current !== changeSet) return
        this.rollBackTo(0)
        this.end()
      },
    }
    this.current = changeSet
    return changeSet
  }

  private commit(): void {
    for (const check of this.constraints.values()) check()
    this.onCommit?.()
    this.journal?.commit()
  }

  private rollBackTo(start: number): void {
    this.isRecording = false
    for (const undo of this.undo.splice(start).reverse()) undo()
  }

  private end(): void {
    this.current = undefined
    this.clear()
    for (const start of this.waiting) {
      if (this.hasOpenChangeSet) return
      start()
    }
  }

  private clear(): void {
    this.undo.length = 0
    this.constraints.clear()
  }
}

/** @throws the reason of the signal if it is aborted */
async function startUnlessAborted<T>(signal: AbortSignal, work: () => PromiseOrValue<T>): Promise<T> {
  signal.throwIfAborted()
  return work()
}
