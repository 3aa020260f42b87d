import type { EntitySet } from '../../edm/edm-model.js'
import type { EntitySetProvider, Pushdown } from '../../provider/provider.js'
import { EntityReader } from './entity-reader.js'
import type { SqlService } from './sql-service.js'

/** The provider of one entity set of a database. */
export function sqlEntitySet(service: SqlService, set: EntitySet): EntitySetProvider {
  let made: EntityReader | undefined
  const reader = async (): Promise<EntityReader> => {
    if (made !== undefined) return made
    const catalog = await service.whenReady()
    made ??= new EntityReader(catalog.table(set.path), catalog, service.database)
    return made
  }
  // What the database can do is known when its tables are: until then the library does it.
  const pushdown: Pushdown = {
    filter: (condition) => made?.statements.canFilter(condition) ?? false,
    orderBy: (terms) => made?.statements.canSort(terms) ?? false,
    paging: true,
    navigation: () => true,
  }
  return {
    pushdown,
    read: async (query, call) => (await reader()).read(query, call),
    readByKey: async (key, query, call) => (await reader()).readByKey(key, query, call),
    count: async (query, call) => (await reader()).count(query, call),
    readRelated: async (query, call) => (await reader()).readRelated(query, call),
  }
}
