import type { Property } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import type { EntityTable } from '../../providers/memory/entity-table.js'
import type { MemoryStore } from '../../providers/memory/memory-store.js'
import type { Provider } from '../../provider/provider.js'
import { keyValues } from '../mock/generate-keys.js'

/** Maximum number of existing keys that are skipped to find a new one. */
const MAX_ATTEMPTS = 100_000

/** Generates the string keys that clients omit for new entities. The memory provider generates numbers and GUIDs. */
export function withStringKeys(provider: Provider, store: MemoryStore): Provider {
  const sets = Object.entries(provider.entitySets).map(([path, set]) => {
    const insert = set.insert?.bind(set)
    const table = store.table(path)
    const keys = table.set.entityType.key.filter(({ type }) => type === 'Edm.String')
    const declared = store
      .foreignKeysOf(table)
      .filter(({ dependent, definition }) => dependent === table && definition.constraint.isInferred !== true)
      .flatMap(({ names }) => names)
    const generated = keys.filter(({ name }) => !declared.includes(name))
    if (insert === undefined || generated.length === 0) return [path, set] as const
    const names = new Set(generated.map(({ name }) => name))
    const insertWithKey: typeof insert = (entity, call) => insert(withKey(entity, generated, table), call)
    return [path, { ...set, insert: insertWithKey, storeDefaults: () => names }] as const
  })
  return { ...provider, entitySets: Object.fromEntries(sets) }
}

/** Sets missing key properties to the first value after the number of entities that gives a new key. */
function withKey(entity: Row, keys: readonly Property[], table: EntityTable): Row {
  const missing = keys.filter(({ name }) => (entity[name] ?? null) === null)
  if (missing.length === 0) return entity
  for (let index = table.size; index < table.size + MAX_ATTEMPTS; index++) {
    const values = keyValues(missing, index, '')
    // The provider reports keys without a value.
    if (values === undefined) return entity
    const row = { ...entity, ...values }
    if (table.find(table.keyText(row)) === undefined) return row
  }
  return entity
}
