import type { Row } from '../evaluation/row.js'
import type { EntitySetProvider, Provider } from './provider.js'

/**
 * Adds an entity as a change set of its own, and makes something of it as it is stored. All of that is over when it
 * returns: nobody has done anything in between.
 *
 * @param use may throw; then the entity is not added
 * @returns what `use` returned; undefined when nothing was added: to insert it in the usual way tells why, or succeeds
 * @throws what `use` throws, and ODataError for an entity that cannot be added
 */
export type AddAtOnce = <T extends object>(entity: Row, use: (row: Row) => T) => T | undefined

interface KnownAdder {
  readonly add: AddAtOnce
  readonly beginChangeSet: Provider['beginChangeSet']
}

/** By the methods that it stands for: where an application has put others in their place, these are called. */
const known = new WeakMap<object, KnownAdder>()

/** Says that what a method of a provider inserts in a change set can also be added at once. */
export function addsAtOnce(
  insert: NonNullable<EntitySetProvider['insert']>,
  beginChangeSet: NonNullable<Provider['beginChangeSet']>,
  add: AddAtOnce,
): void {
  known.set(insert, { add, beginChangeSet })
}

/** Undefined where entities are only inserted in change sets. */
export function adderAtOnceOf(
  { insert }: Pick<EntitySetProvider, 'insert'>,
  { beginChangeSet }: Pick<Provider, 'beginChangeSet'>,
): AddAtOnce | undefined {
  const adder = insert && known.get(insert)
  return adder?.beginChangeSet === beginChangeSet ? adder?.add : undefined
}
