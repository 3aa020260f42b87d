import { isPending } from '../provider/lazy-entity-sets.js'
import type { EntitySetProvider, Provider } from '../provider/provider.js'

/** Returns the entity sets whose changes a provider reports, by path, with the validity of their delta links in seconds. */
export function trackedSets({ entitySets }: Provider): ReadonlyMap<string, number | undefined> {
  const tracked = new Map<string, number | undefined>()
  const sets: Readonly<Record<string, EntitySetProvider>> = entitySets
  for (const path of Object.keys(sets)) {
    // Providers create the sets that they track before the service starts.
    const changes = isPending(sets, path) ? undefined : sets[path]?.changes
    if (changes !== undefined) tracked.set(path, changes.validity)
  }
  return tracked
}
