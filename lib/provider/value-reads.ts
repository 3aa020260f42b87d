import type { EntitySetProvider } from './provider.js'

const asValues = Symbol('asValues')

type Read = EntitySetProvider['read']
type ReadByKey = NonNullable<EntitySetProvider['readByKey']>
type ReadRelated = NonNullable<EntitySetProvider['readRelated']>

/** The methods of a provider that read rows, as properties. */
interface Reads {
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

/** Returns the variant of `read` whose rows are `ValueRow`s; undefined for other providers. */
export function valueReadOf({ read }: Reads): Read | undefined {
  return read[asValues]
}

/** Returns the variant of `readByKey` whose row is a `ValueRow`; undefined for other providers. */
export function valueReadByKeyOf({ readByKey }: Reads): ReadByKey | undefined {
  return readByKey?.[asValues]
}

/** Returns the variant of `readRelated` whose rows are `ValueRow`s; undefined for other providers. */
export function valueReadRelatedOf({ readRelated }: Reads): ReadRelated | undefined {
  return readRelated?.[asValues]
}
