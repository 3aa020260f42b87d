import type { Row } from '../evaluation/row.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'

/**
 * A transaction. All calls that belong to it have it in `call.changeSet`.
 *
 * Any call that belongs to it, and `commit`, may throw an `ODataError` with `details: { retryable: true }` when it failed
 * because of concurrent changes. The service then rolls back, and repeats all requests of the change set, hooks included,
 * up to ten times in a new change set.
 *
 * @example
 * const pool = new pg.Pool()
 * const beginChangeSet = async (): Promise<ChangeSet> => {
 *   const client = await pool.connect()
 *   await client.query('begin')
 *   const end = (statement: string) => client.query(statement).then(() => client.release())
 *   return { commit: () => end('commit'), rollBack: () => end('rollback') }
 * }
 * @spec MS-ODATA 2.2.7.6.2 (change sets)
 */
export interface ChangeSet {
  /**
   * Commits the changes. The service stops waiting one second after `call.signal` is aborted: the client receives 503, and
   * `rollBack` is called only if the commit fails in the end.
   *
   * @throws an error when nothing was committed; `rollBack` is called then, to release resources
   */
  commit(): PromiseOrValue<void>
  /**
   * Called after a successful commit, for work that cannot be rolled back, such as deleting files. The client receives its
   * response afterwards.
   *
   * @throws an error that `onError` is called with; the client receives the response of the committed change
   */
  afterCommit?(): PromiseOrValue<void>
  /**
   * Rolls back all changes. Called at most once, and never after a successful commit. A call that ignores its aborted
   * signal for a second may still be running.
   *
   * @throws an error that `onError` is called with; the client receives the error that caused the rollback
   */
  rollBack(): PromiseOrValue<void>
  /**
   * Calls hooks, `authorize` and functions in the scope of the change set, so that an `AsyncLocalStorage` of the provider
   * can give their own statements the right transaction. Without it they are called directly.
   *
   * @param work calls the application's code, once
   * @returns the result of `work`, often a promise
   * @throws what `work` throws
   * @example
   * import { AsyncLocalStorage } from 'node:async_hooks'
   * const transactions = new AsyncLocalStorage<object>()
   * const transaction = {}
   * const run: ChangeSet['run'] = (work) => transactions.run(transaction, work)
   */
  run?<T>(work: () => T): T
  /**
   * The queue of a change set that was begun with `willQueue`, for a provider that can send several changes in one round
   * trip. The service calls methods of `autocommit` with the change set in `call.changeSet`: they add their change to the
   * queue before they return, and do not commit. If not all changes are made, the service rolls back, and makes them one
   * after the other in a new change set, which finds out why or succeeds.
   */
  readonly queue?: ChangeQueue | undefined
}

/**
 * Changes of a change set that are sent together.
 *
 * @example
 * class Queue implements ChangeQueue {
 *   readonly changes: (() => void)[] = []
 *   get length(): number {
 *     return this.changes.length
 *   }
 *   send(): void {
 *     for (const change of this.changes.splice(0)) change()
 *   }
 * }
 */
export interface ChangeQueue {
  /** The number of changes that have been added since `send` was called. */
  readonly length: number
  /**
   * True if `send` makes all changes of the change set in one request to another system, and commits them. Then the change
   * set has this queue even without `willQueue`. All methods that change data, and functions, add one change to it before
   * they return, and their promises settle after `send`. The service calls `send` once and `commit` never; single changes
   * outside of change sets have no change set. Requests that need several changes get 501, and nothing is sent. A key can
   * be that of an entity that an earlier change inserts, which `readByKey` has to return. Default: false
   */
  readonly isFinal?: boolean | undefined
  /**
   * Of a final queue: the key of the entity that the change added last inserts, by which later changes refer to it. If the
   * store generates the key, a stand-in that the provider recognizes. Default: the key that the client has chosen.
   */
  readonly insertedKey?: Row | undefined
  /**
   * Begins the transaction if that has not been done, and makes the changes in the order in which they were added.
   *
   * @throws an ODataError when a failure is not caused by a change. Otherwise the promise of a change that was not made
   * has the result for that, such as `false`. A final queue throws the error of the change that failed, which becomes the
   * response; the promises of all changes then remain pending.
   */
  send(): PromiseOrValue<void>
}
