import type { EntitySet } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type {
  AutocommitChanges,
  CountQuery,
  EntitySetProvider,
  Provider,
  Pushdown,
  ReadQuery,
  Rows,
} from '../../provider/provider.js'
import { addReadByKeys, addValueReads } from '../../provider/value-reads.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import { mapValue } from '../../util/promise-or-value.js'
import { storeDefaultsOf } from './column-values.js'
import { EntityReader } from './entity-reader.js'
import { ReadBacks } from './read-backs.js'
import { SqlEntityWriter } from './sql-entity-writer.js'
import { MediaTable, sqlMedia } from './sql-media.js'
import type { SqlSearch } from './search-keys.js'
import type { SelectStatements } from './select-statements.js'
import { SlicedReads } from './sliced-reads.js'
import type { SqlService } from './sql-service.js'
import { required } from '../../util/required.js'
import type { ChangeSource } from '../../provider/change-source.js'
import { TableChanges } from './table-changes.js'
import type { TableCatalog } from './table-catalog.js'

/** The reader of an entity set, created when its table is known, and its writer, created when it is needed. */
interface SetTable {
  readonly reader: EntityReader
  /** Undefined if statements need no slices. */
  readonly sliced: SlicedReads | undefined
  readonly readBacks: ReadBacks
  readonly writer: SqlEntityWriter
  readonly media: MediaTable
  readonly storeDefaults: ReadonlySet<string>
  /** Undefined if changes are not tracked. */
  readonly changes: TableChanges | undefined
}

/** Returns the provider of one entity set of a database. */
export function sqlEntitySet(
  service: SqlService,
  set: EntitySet,
  beginChangeSet: NonNullable<Provider['beginChangeSet']>,
  search?: SqlSearch,
): EntitySetProvider {
  const { database } = service
  const tracking = service.tracking?.sets.includes(set.path) === true ? service.tracking : undefined
  const isReadOnly = database.dialect.writes === undefined
  let made: SetTable | undefined
  const tableIn = (catalog: TableCatalog): SetTable => {
    if (made !== undefined) return made
    const found = catalog.table(set.path)
    const reader = new EntityReader(found, catalog, database, search)
    const readBacks = new ReadBacks(found, database, reader)
    let writer: SqlEntityWriter | undefined
    made = {
      reader,
      readBacks,
      sliced: SlicedReads.of(found, database, reader),
      // A read-only database has none.
      get writer() {
        return (writer ??= new SqlEntityWriter(found, catalog, database, reader, readBacks))
      },
      media: new MediaTable(found, database),
      storeDefaults: storeDefaultsOf(found),
      changes: tracking && new TableChanges(found, catalog, database, tracking.log, reader),
    }
    return made
  }
  const table = (): PromiseOrValue<SetTable> => made ?? service.whenReady().then(tableIn)
  const known = (): SetTable | undefined => made ?? (service.known && tableIn(service.known))
  // Push-down needs the tables. Until they are known, the service evaluates queries.
  const statements = (): SelectStatements | undefined => known()?.reader.statements
  const pushdown: Pushdown = {
    filter: (condition) => statements()?.canFilter(condition) ?? false,
    orderBy: (terms) => statements()?.canSort(terms) ?? false,
    paging: true,
    navigation: () => true,
    search: search !== undefined && ((query) => statements()?.canSearch(query) ?? false),
    aggregation: (query) => statements()?.groups(query) !== undefined,
  }
  const hasMedia = [set.entityType, ...set.entityType.derivedTypes].some(({ hasStream }) => hasStream)
  const read =
    (isPage: boolean): EntitySetProvider['read'] =>
    (query, call) =>
      mapValue(table(), ({ reader, sliced }) =>
        query.filter === undefined || sliced === undefined
          ? reader.read(query, call, isPage)
          : readFiltered(reader, sliced, query, call, isPage),
      )
  const readByKey =
    (isShown: boolean): NonNullable<EntitySetProvider['readByKey']> =>
    (key, query, call) => {
      if (made === undefined)
        return mapValue(table(), ({ reader }) => reader.readByKey(key, query, call, isShown))
      const row = call.readBack && made.readBacks.take(key, call, isShown)
      return row ?? made.reader.readByKey(key, query, call, isShown)
    }
  const readRelated =
    (isPage: boolean): NonNullable<EntitySetProvider['readRelated']> =>
    (query, call) =>
      mapValue(table(), ({ reader }) => reader.readRelated(query, call, isPage))
  const provider: EntitySetProvider = {
    pushdown,
    read: addValueReads(read(false), read(true)),
    readByKey: addReadByKeys(addValueReads(readByKey(false), readByKey(true)), async (reads, call, isShown) =>
      (await table()).reader.readByKeys(reads, call, isShown),
    ),
    count: (query, call) =>
      mapValue(table(), ({ reader, sliced }) =>
        query.filter === undefined || sliced === undefined
          ? reader.count(query, call)
          : countFiltered(reader, sliced, query, call),
      ),
    readRelated: addValueReads(readRelated(false), readRelated(true)),
    aggregate: (query, call) => mapValue(table(), ({ reader }) => reader.aggregate(query, call)),
    ...(tracking && { changes: changesOf(tracking.validity, async () => (await table()).changes) }),
    ...(hasMedia ? { media: sqlMedia(async () => (await table()).media, isReadOnly) } : {}),
  }
  if (isReadOnly) return provider
  const insert = async (entity: Row, call: ProviderCall): Promise<Row> =>
    (await table()).writer.insert(entity, call)
  const update: NonNullable<EntitySetProvider['update']> = async (key, values, condition, call) =>
    (await table()).writer.update(key, values, condition, call)
  const remove: NonNullable<EntitySetProvider['delete']> = async (key, condition, call) =>
    (await table()).writer.delete(key, condition, call)
  const canAutocommit = database.canChangeSync || database.writes.generatesValidValues !== undefined
  const autocommit: AutocommitChanges = {
    replaces: { insert, update, delete: remove, beginChangeSet },
    insert: (entity, respond, call) => known()?.writer.autocommitInsert(entity, respond, call) ?? false,
    update: (key, values, condition, call) => known()?.writer.autocommitUpdate(key, values, condition, call),
    delete: (key, condition, call) => known()?.writer.autocommitDelete(key, condition, call) ?? false,
  }
  return {
    ...provider,
    insert,
    storeDefaults: () => mapValue(made ?? known() ?? table(), ({ storeDefaults }) => storeDefaults),
    ...(canAutocommit ? { autocommit } : {}),
    update,
    delete: remove,
    link: async (change, call) => (await table()).writer.link(change, call),
    unlink: async (change, call) => (await table()).writer.unlink(change, call),
  }
}

function changesOf(
  validity: number | undefined,
  table: () => Promise<TableChanges | undefined>,
): ChangeSource {
  return {
    hasEarlier: true,
    validity,
    position: async (call) => required(await table()).position(call),
    since: async (query, call) => required(await table()).since(query, call),
  }
}

function readFiltered(
  reader: EntityReader,
  sliced: SlicedReads,
  query: ReadQuery,
  call: ProviderCall,
  isPage: boolean,
): PromiseOrValue<Rows> {
  return mapValue(sliced.isLong(query, call), (isLong): PromiseOrValue<Rows> =>
    isLong ? sliced.read(query, call) : reader.read(query, call, isPage),
  )
}

function countFiltered(
  reader: EntityReader,
  sliced: SlicedReads,
  query: CountQuery,
  call: ProviderCall,
): PromiseOrValue<number> {
  return mapValue(sliced.isLong(query, call), (isLong) =>
    isLong ? sliced.count(query, call) : reader.count(query, call),
  )
}
