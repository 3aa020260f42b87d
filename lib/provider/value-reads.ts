import type { Row } from '../evaluation/row.js'
import type { KeyQuery } from './expand-branch.js'
import type { ProviderCall } from './provider-call.js'
import type { EntitySetProvider } from './provider.js'

/** The member of a method that reads with its variant whose rows are `ValueRow`s. */
export const asValues = Symbol('asValues')
/** The member of `readByKey` with its variant that reads several entities. */
export const forKeys = Symbol('forKeys')

type Read = EntitySetProvider['read']
type ReadByKey = NonNullable<EntitySetProvider['readByKey']>
type ReadRelated = NonNullable<EntitySetProvider['readRelated']>

/**
 * Reads entities by their keys.
 *
 * @param isShown whether they are only serialized, so that they may be `ValueRow`s, and several reads may share them
 * @returns for each key the entity, null if it does not exist, or undefined if it must be read by a call of its own
 */
export type ReadByKeys = (
  reads: readonly { readonly key: Row; readonly query: KeyQuery }[],
  call: ProviderCall,
  isShown: boolean,
) => Promise<readonly (Row | null | undefined)[]>

/** The methods of a provider that read rows. Those of other providers have no variant. */
export interface ValueReads {
  readonly read: Read & { readonly [asValues]?: Read }
  readonly readByKey?:
    (ReadByKey & { readonly [asValues]?: ReadByKey; readonly [forKeys]?: ReadByKeys }) | undefined
  readonly readRelated?: (ReadRelated & { readonly [asValues]?: ReadRelated }) | undefined
}

/**
 * Gives a method that reads a variant whose rows are `ValueRow`s, for responses. It belongs to the function and not to the
 * provider: a provider that wraps the method replaces both.
 */
export function addValueReads<M extends Read | ReadByKey | ReadRelated>(method: M, variant: M): M {
  return Object.assign(method, { [asValues]: variant })
}

/** Gives `readByKey` a variant that reads several entities. It belongs to the function, as that of {@link addValueReads}. */
export function addReadByKeys(method: ReadByKey, variant: ReadByKeys): ReadByKey {
  return Object.assign(method, { [forKeys]: variant })
}
