import type { EntitySet } from '../edm/edm-model.js'
import type { EntitySetProvider, Provider } from '../provider/provider.js'
import type { KeyValues } from '../query/request-target.js'
import type { Row } from '../evaluation/row.js'

/** The provider of a set, with untyped rows and keys. */
export type AnyEntitySetProvider = EntitySetProvider<Row, KeyValues>

/** Changes that a provider may be able to make without a change set. */
export type AutocommitMethod = 'insert' | 'update' | 'delete'

export type WriteMethod = 'insert' | 'update' | 'delete' | 'link' | 'unlink'

/** The methods that change media resources. */
export type MediaMethod = 'write' | 'remove' | 'insert'

/** A change of entities, or of their media resources. */
type WriteOperation = WriteMethod | `media.${MediaMethod}`

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
