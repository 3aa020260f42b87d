import type { MaybePromise } from '../util/maybe-promise.js'

/**
 * Several changes of which all happen or none. Every call of the provider between its beginning and its end that
 * belongs to it carries it in `call.changeSet`.
 *
 * @spec MS-ODATA 2.2.7.6.2 (change sets)
 */
export interface ChangeSet {
  /**
   * Makes the changes last. When it fails, nothing may have changed: `rollBack` is called then, once, to give back what
   * is still held.
   *
   * @throws ODataError with `details: { tryAgain: true }` when it failed only because of other changes at the same
   * moment. Every call of the provider that belongs to the change set may throw that too: it is rolled back, and up to
   * three more times all of its requests are made again, hooks included, in a new change set.
   *
   * One that is not over a second after the signal of its call was aborted is waited for no longer: its client has been
   * told 503, and `rollBack` is called only if it fails in the end.
   */
  commit(): MaybePromise<void>
  /**
   * Takes all changes back. Called at most once, also after a `commit` that failed, and never after one that
   * succeeded. A call that goes on for a second after its signal was aborted may still be at work when it is called. When
   * it fails, `onError` is told, and the client is answered with what made it necessary.
   */
  rollBack(): MaybePromise<void>
  /**
   * Calls hooks, `authorize` and functions in the scope of the change set, so that an `AsyncLocalStorage` of the provider
   * can give their own statements the right transaction. Without it they are called directly.
   *
   * @param work calls the application's code, once
   * @returns what `work` returned, often a promise
   * @throws what `work` throws
   * @example
   * run: (work) => transactions.run(transaction, work)
   */
  run?<T>(work: () => T): T
}
