import type { ChangeSet } from './change-set.js'

/** Runs work of the application for as long as a change set is open, and returns what it returns. */
export type RunInScope = <T>(work: () => T) => T

const known = new WeakMap<ChangeSet, RunInScope>()

/** Registers how hooks, `authorize` and functions are to be called within a change set of a provider. */
export function scopeOf(changeSet: ChangeSet, run: RunInScope): void {
  known.set(changeSet, run)
}

/** Calls work that belongs to a change set, in the scope that its provider has registered, if any. */
export function runInScope<T>(changeSet: ChangeSet | undefined, work: () => T): T {
  const run = changeSet && known.get(changeSet)
  return run === undefined ? work() : run(work)
}
