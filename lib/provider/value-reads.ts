import type { EntitySetProvider } from './provider.js'

/** The member of a method that reads with its variant whose rows are `ValueRow`s. */
export const asValues = Symbol('asValues')

type Read = EntitySetProvider['read']
type ReadByKey = NonNullable<EntitySetProvider['readByKey']>
type ReadRelated = NonNullable<EntitySetProvider['readRelated']>

/** The methods of a provider that read rows. Those of other providers have no variant. */
export interface ValueReads {
  readonly read: Read & { readonly [asValues]?: Read }
  readonly readByKey?: (ReadByKey & { readonly [asValues]?: ReadByKey }) | undefined
  readonly readRelated?: (ReadRelated & { readonly [asValues]?: ReadRelated }) | undefined
}

/**
 * Gives a method that reads a variant whose rows are `ValueRow`s, for responses. It belongs to the function and not to the
 * provider: a provider that wraps the method replaces both.
 */
export function addValueReads<M extends Read | ReadByKey | ReadRelated>(method: M, variant: M): M {
  return Object.assign(method, { [asValues]: variant })
}
