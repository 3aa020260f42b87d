import type { ChangeSet } from './change-set.js'
import type { Messages } from './messages.js'

/** What every call of a provider is given beside its query. */
export interface ProviderCall<Context = unknown> {
  /** What the application knows of the caller. */
  readonly context: Context
  /**
   * Aborted when nobody waits for the result any more: the client has gone away, `limits.requestTime` has passed, or the
   * service is stopped. The reason can be thrown as it is.
   */
  readonly signal: AbortSignal
  /** Query options without `$`, such as `sap-language`, decoded. */
  readonly customOptions: readonly (readonly [name: string, value: string])[]
  /** What the client is to be told beside the answer: the header `sap-message`, which SAP's clients show. */
  readonly messages: Messages
  /** The change set that the call belongs to; see {@link ChangeSets}. */
  readonly changeSet?: ChangeSet | undefined
}
