import type { EntitySetProvider, Pushdown } from '../../provider/provider.js'
import type { EntityTable } from './entity-table.js'
import { memoryMedia } from './memory-media.js'
import type { MemoryStore } from './memory-store.js'
import { TableReader } from './table-reader.js'
import { TableWriter } from './table-writer.js'

/** A store does everything itself. */
const pushdown: Pushdown = {
  filter: () => true,
  orderBy: () => true,
  paging: true,
  navigation: () => true,
  search: false,
}

/** The provider of one entity set of a store. */
export function memoryEntitySet(store: MemoryStore, table: EntityTable): EntitySetProvider {
  const reader = new TableReader(store, table)
  const writer = new TableWriter(store, table)
  const { journal } = store
  const { entityType } = table.set
  const hasMedia = [entityType, ...entityType.derivedTypes].some(({ hasStream }) => hasStream)
  return {
    read: (query, call) => journal.read(call, () => reader.read(query, call)),
    readByKey: (key, _query, call) => journal.read(call, () => table.find(table.keyText(key))),
    count: (query, call) => journal.read(call, () => reader.count(query, call)),
    readRelated: (query, call) => journal.read(call, () => reader.readRelated(query, call)),
    insert: (entity, call) => writer.insert(entity, call),
    update: (key, values, condition, call) => writer.update(key, values, condition, call),
    delete: (key, condition, call) => writer.delete(key, condition, call),
    link: (change, call) => writer.link(change, call),
    unlink: (change, call) => writer.unlink(change, call),
    pushdown,
    ...(hasMedia ? { media: memoryMedia(table) } : {}),
  }
}
