import type { ProviderCall } from '../../provider/provider-call.js'
import { SqlChangeSet } from './sql-change-set.js'

/** A call within a transaction. */
export type ChangeCall = ProviderCall & { readonly changeSet: SqlChangeSet }

export function isChangeCall(call: ProviderCall): call is ChangeCall {
  return call.changeSet instanceof SqlChangeSet
}
