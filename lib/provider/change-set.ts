import type { MaybePromise } from '../util/maybe-promise.js'

/**
 * Several changes of which all happen or none. Every call of the provider between its beginning and its end that
 * belongs to it carries it in `call.changeSet`.
 *
 * @spec MS-ODATA 2.2.7.6.2 (change sets)
 */
export interface ChangeSet {
  /** Makes the changes last. When it fails, nothing has changed. */
  commit(): MaybePromise<void>
  /** Takes all changes back. */
  rollBack(): MaybePromise<void>
}
