import type { ChangeSet } from './change-set.js'
import type { Messages } from './messages.js'

/**
 * The request that a call of the provider, a hook or a function belongs to. Pass it on as it is, or derive another one
 * with `callWith`: a spread copy lacks `signal` and `messages`.
 *
 * @typeParam Context type of what the `context` option of the service returns
 */
export interface ProviderCall<Context = unknown> {
  /** What the `context` option of the service returned, for example the authenticated user. */
  readonly context: Context
  /**
   * Aborted when the client disconnects, `limits.requestTime` has passed, or the service stops. Throw its reason to end
   * the call.
   */
  readonly signal: AbortSignal
  /** Decoded query options without `$`, such as `sap-language`. */
  readonly customOptions: readonly (readonly [name: string, value: string])[]
  /** Messages for the user, sent in the response header `sap-message`. */
  readonly messages: Messages
  /** The change set that the call belongs to; undefined outside of change sets. */
  readonly changeSet?: ChangeSet | undefined
}
