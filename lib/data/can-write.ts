import type { EntitySet } from '../edm/edm-model.js'
import type { Provider } from '../provider/provider.js'
import type { AnyEntitySetProvider, MediaMethod, WriteMethod } from './provider-calls.js'

/** A change of entities, or of their media resources. */
export type WriteOperation = WriteMethod | `media.${MediaMethod}`

/** Returns true if the provider supports an operation on the entities of a set. */
export type CanWrite = (set: EntitySet, operation: WriteOperation) => boolean

/** Returns true if a provider has the method for an operation. */
export function canWrite(provider: Provider, { path }: EntitySet, operation: WriteOperation): boolean {
  const sets = provider.entitySets as Readonly<Record<string, AnyEntitySetProvider | undefined>>
  const set = Object.hasOwn(sets, path) ? sets[path] : undefined
  switch (operation) {
    case 'media.write':
      return set?.media?.write !== undefined
    case 'media.remove':
      return set?.media?.remove !== undefined
    case 'media.insert':
      return set?.media?.insert !== undefined
    default:
      return set?.[operation] !== undefined
  }
}
