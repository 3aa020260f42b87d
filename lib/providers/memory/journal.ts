import type { ChangeSet } from '../../provider/change-set.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import { Turns } from './turns.js'

/** A call as far as it counts for who comes first. */
export type Caller = Pick<ProviderCall, 'changeSet' | 'signal'>

/**
 * How changes are taken back: each leaves here what undoes it. There is at most one change set at a time. Changes and
 * reads that do not belong to it wait until it has ended, so that nobody sees what may yet be taken back.
 */
export class Journal {
  private readonly undo: (() => void)[] = []
  /** What must hold when the changes are complete, by the name of each condition. */
  private readonly conditions = new Map<string, () => void>()
  /** Told of changes that last: of one alone, or of all of a change set together. */
  onChanged: (() => void) | undefined
  private recording = false
  private current: ChangeSet | undefined
  private readonly turns = new Turns(() => this.current === undefined)

  get hasOpenChangeSet(): boolean {
    return this.current !== undefined
  }

  /** @param back takes a change back that is about to be made */
  record(back: () => void): void {
    if (this.recording) this.undo.push(back)
  }

  /**
   * Has something looked at when all changes that belong together are made.
   *
   * @param name the same condition is looked at once
   * @param check throws when it does not hold
   */
  require(name: string, check: () => void): void {
    if (this.recording) this.conditions.set(name, check)
  }

  /** Reads what is there for a caller: at once, and without a promise, unless a change set of others is open. */
  read<T>(caller: Caller, read: () => PromiseOrValue<T>): PromiseOrValue<T> {
    return this.isOpenTo(caller) ? read() : this.turns.wait(caller, read)
  }

  /** Makes changes of which, when an error is thrown, none has happened. */
  change<T>(caller: Caller, make: () => T): PromiseOrValue<T> {
    const made = (): T => this.changeNow(make)
    return this.isOpenTo(caller) ? made() : this.turns.wait(caller, made)
  }

  begin(caller: Caller): Promise<ChangeSet> {
    const begun = (): ChangeSet => {
      this.current = this.newChangeSet()
      return this.current
    }
    return this.current === undefined ? Promise.resolve(begun()) : this.turns.wait(caller, begun)
  }

  private isOpenTo({ changeSet }: Caller): boolean {
    return this.current === undefined || this.current === changeSet
  }

  private changeNow<T>(make: () => T): T {
    const start = this.undo.length
    const before = this.recording
    this.recording = true
    try {
      const made = make()
      if (this.current === undefined) {
        this.checkConditions()
        this.onChanged?.()
      }
      return made
    } catch (error) {
      this.takeBack(start)
      throw error
    } finally {
      this.recording = before
      if (this.current === undefined) this.forget()
    }
  }

  private newChangeSet(): ChangeSet {
    const changeSet: ChangeSet = {
      commit: () => {
        if (this.current !== changeSet) return
        try {
          this.checkConditions()
          this.onChanged?.()
        } catch (error) {
          this.takeBack(0)
          throw error
        } finally {
          this.end()
        }
      },
      rollBack: () => {
        if (this.current !== changeSet) return
        this.takeBack(0)
        this.end()
      },
    }
    return changeSet
  }

  private end(): void {
    this.current = undefined
    this.forget()
    this.turns.next()
  }

  private checkConditions(): void {
    for (const check of this.conditions.values()) check()
  }

  private forget(): void {
    this.undo.length = 0
    this.conditions.clear()
  }

  private takeBack(start: number): void {
    const { recording } = this
    this.recording = false
    for (const back of this.undo.splice(start).reverse()) back()
    this.recording = recording
  }
}
