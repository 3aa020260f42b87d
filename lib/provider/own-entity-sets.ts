import type { Provider } from './provider.js'

/**
 * Returns whether a provider reads entity sets with the objects of another one. An application may copy a provider and
 * replace some of its entity sets; then a `dataVersion` that was copied with it says nothing about them.
 *
 * @param provider the object on which `dataVersion` was called
 */
export function hasEntitySetsOf(
  provider: unknown,
  original: Pick<Provider, 'entitySets'>,
  names: readonly string[],
): boolean {
  if (provider === original) return true
  const { entitySets } = (provider ?? {}) as Partial<Provider>
  const given = (entitySets ?? {}) as Readonly<Record<string, unknown>>
  const own = original.entitySets as Readonly<Record<string, unknown>>
  return names.every((name) => Object.hasOwn(given, name) && given[name] === own[name])
}
