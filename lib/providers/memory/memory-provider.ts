import type { EdmModel } from '../../edm/edm-model.js'
import { functionImportsOf } from '../../edm/edm-model.js'
import { ODataError } from '../../errors/odata-error.js'
import { didYouMean } from '../../errors/suggestions.js'
import type { Row } from '../../evaluation/row.js'
import { typeOfRow } from '../../evaluation/row.js'
import type { EntitySetName } from '../../edm/infer.js'
import type { ChangeSet } from '../../provider/change-set.js'
import type { ChangeSource } from '../../provider/change-source.js'
import { checkedTracking } from '../../provider/change-tracking.js'
import type { MediaProvider, MediaResource } from '../../provider/media.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { EntitySetProvider, FunctionHandlers, Provider, Pushdown } from '../../provider/provider.js'
import { lazyEntitySets } from '../../provider/lazy-entity-sets.js'
import { hasEntitySetsOf } from '../../provider/provider.js'
import { collectBytes, withCollectedBytes } from '../../util/collect-bytes.js'
import { describeValue } from '../../util/describe-value.js'
import { ChangeJournal, DEFAULT_KEPT_CHANGES, MemoryChanges } from './change-journal.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import { mapValue } from '../../util/promise-or-value.js'
import type { EntityTable } from './entity-table.js'
import { loadData } from './load-data.js'
import { StoredMedia } from './entity-table.js'
import type { MemoryData } from './memory-data.js'
import { MemoryRecords } from './memory-records.js'
import { MemoryStore } from './memory-store.js'
import { TableReader } from './table-reader.js'
import { MemoryTableWriter } from './table-writer.js'
import type { UndoLog } from './undo-log.js'

/**
 * Options of {@link memoryProvider}.
 *
 * @example
 * const options: MemoryProviderOptions = { functions: { Cheapest: () => products[0] } }
 * app.use('/shop', odataV2(model, memoryProvider(model, { Products: products }, options)))
 */
export interface MemoryProviderOptions<Context = unknown, Model = EdmModel> {
  /**
   * Handlers of all function imports by name, qualified by the container unless it is the default container. Default:
   * none.
   */
  readonly functions?: FunctionHandlers<Model, Context> | undefined
  /** Tracks changes, so that clients get delta links. Links of another process are 410. Default: none. */
  readonly changeTracking?: boolean | MemoryChangeTracking<Model> | undefined
}

/**
 * Options of change tracking in memory.
 *
 * @example const tracking: MemoryChangeTracking<typeof model> = { sets: ['Products'], keep: 10_000 }
 */
export interface MemoryChangeTracking<Model = EdmModel> {
  /** The entity sets to track. Default: all. */
  readonly sets?: readonly EntitySetName<Model>[] | undefined
  /** Seconds for which delta links can be followed, announced in `$metadata`. Default: not announced. */
  readonly validity?: number | undefined
  /** The number of changes of an entity set that are known; delta links to earlier ones are 410. Default: 100,000. */
  readonly keep?: number | undefined
}

const optionNames: readonly string[] = [
  'functions',
  'changeTracking',
] satisfies (keyof MemoryProviderOptions)[]

/**
 * Creates a provider that stores its data in memory, executes all queries itself and supports change sets.
 *
 * Properties that a row omits are null, or have their default value. Link entities by foreign keys if the association
 * has a referential constraint, or by keys in a navigation property at either end.
 *
 * @param model from {@link defineModel}, which infers the types of the data, or from {@link readEdmx}
 * @param data rows by entity set, which are copied. Default: none
 * @param options handlers of functions
 * @returns a provider that reads and changes the data
 * @throws TypeError if the data does not match the model, with all errors
 * @example
 * const provider = memoryProvider(
 *   model,
 *   {
 *     Categories: [{ ID: 1, Name: 'Cheese' }],
 *     Products: [
 *       { ID: 7, Name: 'Gouda', Price: '12.50', Category: { ID: 1 } },
 *       { ID: 8, Name: 'Edam', Price: 9.9, Category: 1 },
 *     ],
 *     Photos: [{ ID: 1, $media: { contentType: 'image/png', bytes: await readFile('gouda.png') } }],
 *   },
 *   { functions: { Cheapest: () => ({ ID: 8, Name: 'Edam', Price: '9.9' }) } },
 * )
 * app.use('/shop', odataV2(model, provider))
 * @spec MS-ODATA 2.2.1 (abstract data model)
 */
export function memoryProvider<Definition, Context = unknown>(
  model: EdmModel<Definition>,
  data: MemoryData<EdmModel<Definition>> = {},
  options: MemoryProviderOptions<Context, EdmModel<NoInfer<Definition>>> = {},
): Provider<EdmModel<Definition>, Context> {
  return openMemory(model, data, options).provider
}

/** Creates a memory provider and returns it with its store. */
export function openMemory<Definition, Context = unknown>(
  model: EdmModel<Definition>,
  data: MemoryData<EdmModel<Definition>>,
  options: MemoryProviderOptions<Context, EdmModel<NoInfer<Definition>>>,
): { readonly provider: Provider<EdmModel<Definition>, Context>; readonly store: MemoryStore } {
  if ((model as Partial<EdmModel> | undefined)?.kind !== 'EdmModel') {
    throw new TypeError(
      `memoryProvider(model, data): model must be the result of defineModel or readEdmx, not ${describeValue(model)}.`,
    )
  }
  checkOptions(model, options)
  const store = new MemoryStore(model)
  loadData(store, data)
  const tracked = trackChanges(store, options)
  const beginChangeSet = (call: ProviderCall): Promise<ChangeSet> => store.undoLog.begin(call)
  const entitySets = lazyEntitySets(model, ({ path }) =>
    memoryEntitySet(store, store.table(path), beginChangeSet),
  )
  // A service looks for change tracking when it starts.
  for (const path of tracked) void entitySets[path]
  const { functions } = options
  const provider: Provider<EdmModel, Context> = {
    entitySets,
    functions,
    beginChangeSet,
    requestRecords: new MemoryRecords(store.undoLog),
    dataVersion(this: unknown, names, call) {
      if (this !== provider && !hasEntitySetsOf(this, provider, names)) return undefined
      const isChanging = call.changeSet !== undefined || store.undoLog.hasOpenChangeSet
      return isChanging ? undefined : store.versionOf(names)
    },
    check: () => undefined,
  }
  return { provider, store }
}

/** @throws TypeError for unknown options and functions */
function checkOptions(model: EdmModel, options: MemoryProviderOptions<never>): void {
  for (const name of Object.keys(options)) {
    if (optionNames.includes(name)) continue
    throw new TypeError(
      `memoryProvider: unknown option '${name}'.${didYouMean(name, optionNames)} Pass rows as the second argument.`,
    )
  }
  const known = functionImportsOf(model).map(({ path }) => path)
  for (const [name, handler] of Object.entries(options.functions ?? {})) {
    if (!known.includes(name)) {
      throw new TypeError(`functions: the model has no function import '${name}'.${didYouMean(name, known)}`)
    }
    if (typeof handler !== 'function') {
      throw new TypeError(`functions.${name}: expected a function, not ${describeValue(handler)}.`)
    }
  }
}

const pushdown: Pushdown = {
  filter: () => true,
  orderBy: () => true,
  paging: true,
  navigation: () => true,
  search: false,
}

/** Starts to record changes. Returns the paths of the tracked sets. */
function trackChanges(store: MemoryStore, options: MemoryProviderOptions<never>): readonly string[] {
  const tracking = checkedTracking('memoryProvider', options.changeTracking, store.paths, ['keep'])
  if (tracking === undefined) return []
  const { sets, validity, keep = DEFAULT_KEPT_CHANGES } = tracking
  const journal = new ChangeJournal(store.undoLog, keep)
  store.undoLog.journal = journal
  for (const path of sets) {
    const table = store.table(path)
    table.changes = new MemoryChanges(table, journal, validity)
  }
  return sets
}

/** Reads changes while no change set is open. */
function trackedChanges(changes: MemoryChanges, undoLog: UndoLog): ChangeSource {
  const { hasEarlier, validity } = changes
  return {
    hasEarlier,
    validity,
    position: (call) => undoLog.read(call, () => changes.position()),
    since: (query, call) => undoLog.read(call, () => changes.since(query)),
  }
}

/** Creates the provider of one entity set. */
function memoryEntitySet(
  store: MemoryStore,
  table: EntityTable,
  beginChangeSet: NonNullable<Provider['beginChangeSet']>,
): EntitySetProvider {
  const reader = new TableReader(store, table)
  const writer = new MemoryTableWriter(store, table)
  const { undoLog } = store
  const { entityType } = table.set
  const hasMedia = [entityType, ...entityType.derivedTypes].some(({ hasStream }) => hasStream)
  const insert = (entity: Row, call: ProviderCall): PromiseOrValue<Row> => writer.insert(entity, call)
  return {
    read: (query, call) => undoLog.read(call, () => reader.read(query, call)),
    readByKey: (key, _query, call) => undoLog.read(call, () => table.find(table.keyText(key))),
    count: (query, call) => undoLog.read(call, () => reader.count(query, call)),
    readRelated: (query, call) => undoLog.read(call, () => reader.readRelated(query, call)),
    insert,
    autocommit: {
      replaces: { insert, beginChangeSet },
      insert(entity, respond, call) {
        // The insert would have to wait.
        if (undoLog.hasOpenChangeSet) return false
        return mapValue(writer.insert(entity, call, respond), () => true)
      },
    },
    update: (key, values, condition, call) => writer.update(key, values, condition, call),
    delete: (key, condition, call) => writer.delete(key, condition, call),
    link: (change, call) => writer.link(change, call),
    unlink: (change, call) => writer.unlink(change, call),
    pushdown,
    ...(table.changes && { changes: trackedChanges(table.changes, undoLog) }),
    ...(hasMedia ? { media: memoryMedia(table, undoLog) } : {}),
  }
}

/** Reads and changes media resources, which are looked up by key, since a row may be the result of a function. */
function memoryMedia(table: EntityTable, undoLog: UndoLog): MediaProvider<Row> {
  const find = (row: Row): StoredMedia => table.media.find(table.keyText(row))
  const hasMedia = (row: Row): boolean => typeOfRow(row, table.set.entityType).hasStream
  const storedKey = (row: Row): string => {
    const key = table.keyText(row)
    if (key !== undefined && table.find(key) !== undefined && hasMedia(row)) return key
    throw new ODataError('ResourceNotFound')
  }
  return {
    contentType: (row) => find(row).contentType,
    etag: (row) => find(row).etag,
    open: (row, call) => undoLog.read(call, () => (hasMedia(row) ? mediaResource(find(row)) : undefined)),
    receive: withCollectedBytes,
    async write(row, { contentType, slug, ifMatch, bytes: chunks }, call) {
      // A copy: a short buffer may be part of a larger one, which would not be freed.
      const bytes = new Uint8Array(await collectBytes(chunks))
      await undoLog.change(call, () => {
        const key = storedKey(row)
        const before = table.media.find(key)
        if (ifMatch !== undefined && before.etag !== ifMatch) throw new ODataError('PreconditionFailed')
        table.media.set(key, new StoredMedia(contentType, bytes, new Date(), slug ?? before.fileName))
      })
    },
    async remove(row, call) {
      await undoLog.change(call, () => {
        table.media.set(storedKey(row), undefined)
      })
    },
  }
}

function mediaResource({ contentType, bytes, etag, lastModified, fileName }: StoredMedia): MediaResource {
  return {
    contentType,
    size: bytes.length,
    etag,
    lastModified,
    fileName,
    stream: (range) => (range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)),
    close: () => undefined,
  }
}
