import type { EntitySetProvider } from './provider.js'

type EntitySets = Record<string, EntitySetProvider>

const lazySets = new WeakSet()

/**
 * Creates the providers of entity sets on first access. A process may have many providers of a large model, for example
 * one for each tenant, and each receives requests for few of the sets.
 *
 * @param create creates the provider of a set, which needs no check when the service starts
 */
export function lazyEntitySets(
  paths: Iterable<string>,
  create: (path: string) => EntitySetProvider,
): EntitySets {
  const sets: EntitySets = {}
  lazySets.add(sets)
  for (const path of paths) {
    const set = (value: EntitySetProvider): EntitySetProvider => {
      Object.defineProperty(sets, path, { value, enumerable: true, configurable: true, writable: true })
      return value
    }
    Object.defineProperty(sets, path, {
      get: () => set(create(path)),
      set,
      enumerable: true,
      configurable: true,
    })
  }
  return sets
}

/** Returns true for an entity set of {@link lazyEntitySets} that has not been accessed. */
export function isPending(sets: object, path: string): boolean {
  return lazySets.has(sets) && Object.getOwnPropertyDescriptor(sets, path)?.get !== undefined
}
