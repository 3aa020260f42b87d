import type { ChangeSet } from './change-set.js'

/** Runs application code within the scope of an open change set, and returns its result. */
export type RunInScope = <T>(work: () => T) => T

const known = new WeakMap<ChangeSet, RunInScope>()

/** Registers the function that calls hooks, `authorize` and functions within a change set. */
export function scopeOf(changeSet: ChangeSet, run: RunInScope): void {
  known.set(changeSet, run)
}

/** Calls application code in the scope that the provider registered for a change set, if any. */
export function runInScope<T>(changeSet: ChangeSet | undefined, work: () => T): T {
  const run = changeSet && known.get(changeSet)
  return run === undefined ? work() : run(work)
}
