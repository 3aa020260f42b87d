import type { EntitySet } from '../../edm/edm-model.js'
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
import type { SqlDatabase } from './sql-database.js'
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
  const { writes } = service.database.dialect
  const table = new LazyTable(service, set, search)
  const reads = readsOf(table, set, service, search !== undefined)
  return writes === undefined ? reads : { ...reads, ...writesOf(table, service.database, beginChangeSet) }
}

/** Waits for the tables of the database, which are read at the start. */
class LazyTable {
  /** Undefined until it is first needed. */
  created: SetTable | undefined

  constructor(
    private readonly service: SqlService,
    private readonly set: EntitySet,
    private readonly search: SqlSearch | undefined,
  ) {}

  get(): PromiseOrValue<SetTable> {
    return this.created ?? this.service.whenReady().then((catalog) => this.createIn(catalog))
  }

  /** The table; undefined while the tables are read. */
  get known(): SetTable | undefined {
    const { created, service } = this
    return created ?? (service.known && this.createIn(service.known))
  }

  private createIn(catalog: TableCatalog): SetTable {
    return (this.created ??= createTable(catalog, this.set, this.service, this.search))
  }
}

function createTable(
  catalog: TableCatalog,
  set: EntitySet,
  service: SqlService,
  search: SqlSearch | undefined,
): SetTable {
  const { database } = service
  const tracking = trackingOf(service, set)
  const table = catalog.table(set.path)
  const reader = new EntityReader(table, catalog, database, search)
  const readBacks = new ReadBacks(table, database, reader)
  let writer: SqlEntityWriter | undefined
  return {
    reader,
    readBacks,
    sliced: SlicedReads.of(table, database, reader),
    // A read-only database has none.
    get writer() {
      return (writer ??= new SqlEntityWriter(table, catalog, database, reader, readBacks))
    },
    media: new MediaTable(table, database),
    storeDefaults: storeDefaultsOf(table),
    changes: tracking && new TableChanges(table, catalog, database, tracking.log, reader),
  }
}

function trackingOf({ tracking }: SqlService, { path }: EntitySet): SqlService['tracking'] {
  return tracking?.sets.includes(path) === true ? tracking : undefined
}

function readsOf(
  table: LazyTable,
  set: EntitySet,
  service: SqlService,
  hasSearch: boolean,
): EntitySetProvider {
  const isReadOnly = service.database.dialect.writes === undefined
  const tracking = trackingOf(service, set)
  const hasMedia = [set.entityType, ...set.entityType.derivedTypes].some(({ hasStream }) => hasStream)
  const read =
    (isPage: boolean): EntitySetProvider['read'] =>
    (query, call) =>
      mapValue(table.get(), ({ reader, sliced }) =>
        query.filter === undefined || sliced === undefined
          ? reader.read(query, call, isPage)
          : readFiltered(reader, sliced, query, call, isPage),
      )
  const readByKey =
    (isShown: boolean): NonNullable<EntitySetProvider['readByKey']> =>
    (key, query, call) => {
      const { created } = table
      if (created === undefined)
        return mapValue(table.get(), ({ reader }) => reader.readByKey(key, query, call, isShown))
      const row = call.readBack && created.readBacks.take(key, call, isShown)
      return row ?? created.reader.readByKey(key, query, call, isShown)
    }
  const readRelated =
    (isPage: boolean): NonNullable<EntitySetProvider['readRelated']> =>
    (query, call) =>
      mapValue(table.get(), ({ reader }) => reader.readRelated(query, call, isPage))
  return {
    pushdown: pushdownOf(table, hasSearch),
    read: addValueReads(read(false), read(true)),
    readByKey: addReadByKeys(addValueReads(readByKey(false), readByKey(true)), async (reads, call, isShown) =>
      (await table.get()).reader.readByKeys(reads, call, isShown),
    ),
    count: (query, call) =>
      mapValue(table.get(), ({ reader, sliced }) =>
        query.filter === undefined || sliced === undefined
          ? reader.count(query, call)
          : countFiltered(reader, sliced, query, call),
      ),
    readRelated: addValueReads(readRelated(false), readRelated(true)),
    aggregate: (query, call) => mapValue(table.get(), ({ reader }) => reader.aggregate(query, call)),
    ...(tracking && { changes: changesOf(tracking.validity, async () => (await table.get()).changes) }),
    ...(hasMedia ? { media: sqlMedia(async () => (await table.get()).media, isReadOnly) } : {}),
  }
}

/** Returns the push-down. It needs the tables: until they are known, the service evaluates queries. */
function pushdownOf(table: LazyTable, hasSearch: boolean): Pushdown {
  const statements = (): SelectStatements | undefined => table.known?.reader.statements
  return {
    filter: (condition) => statements()?.canFilter(condition) ?? false,
    orderBy: (terms) => statements()?.canSort(terms) ?? false,
    paging: true,
    navigation: () => true,
    search: hasSearch && ((query) => statements()?.canSearch(query) ?? false),
    aggregation: (query) => statements()?.groups(query) !== undefined,
  }
}

function writesOf(
  table: LazyTable,
  database: SqlDatabase,
  beginChangeSet: NonNullable<Provider['beginChangeSet']>,
): Partial<EntitySetProvider> {
  const insert: NonNullable<EntitySetProvider['insert']> = async (entity, call) =>
    (await table.get()).writer.insert(entity, call)
  const update: NonNullable<EntitySetProvider['update']> = async (key, values, condition, call) =>
    (await table.get()).writer.update(key, values, condition, call)
  const remove: NonNullable<EntitySetProvider['delete']> = async (key, condition, call) =>
    (await table.get()).writer.delete(key, condition, call)
  const canAutocommit = database.canChangeSync || database.writes.generatesValidValues !== undefined
  const autocommit: AutocommitChanges = {
    replaces: { insert, update, delete: remove, beginChangeSet },
    insert: (entity, respond, call) => table.known?.writer.autocommitInsert(entity, respond, call) ?? false,
    update: (key, values, condition, call) =>
      table.known?.writer.autocommitUpdate(key, values, condition, call),
    delete: (key, condition, call) => table.known?.writer.autocommitDelete(key, condition, call) ?? false,
  }
  return {
    insert,
    storeDefaults: () => mapValue(table.known ?? table.get(), ({ storeDefaults }) => storeDefaults),
    ...(canAutocommit ? { autocommit } : {}),
    update,
    delete: remove,
    link: async (change, call) => (await table.get()).writer.link(change, call),
    unlink: async (change, call) => (await table.get()).writer.unlink(change, call),
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
