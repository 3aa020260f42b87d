import type { ChangeSet } from './change-set.js'

/** What every call of a provider is given beside its query. */
export interface ProviderCall<Context = unknown> {
  /** What the application knows of the caller. */
  readonly context: Context
  /** Aborted when the client has gone away. */
  readonly signal: AbortSignal
  /** Query options without `$`, such as `sap-language`, decoded. */
  readonly customOptions: readonly (readonly [name: string, value: string])[]
  /** The change set that the call belongs to; see {@link ChangeSets}. */
  readonly changeSet?: ChangeSet | undefined
}
