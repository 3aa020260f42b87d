import createDebug from 'debug'
import type { EntitySet, NavigationProperty } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import { memberOf, setMember } from '../evaluation/row.js'
import type { StoreDefaults } from '../evaluation/write-values.js'
import { storedValues } from '../evaluation/write-values.js'
import { plainRow } from '../evaluation/value-row.js'
import type { BatchReader } from '../util/batch-reader.js'
import { readArray } from '../util/batch-reader.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isRecord } from '../util/is-record.js'
import { isPromiseLike, mapValue } from '../util/promise-or-value.js'
import type { KeyValues } from '../query/request-target.js'
import { ODataError } from '../errors/odata-error.js'
import { rolledBackError } from '../errors/rolled-back-error.js'
import type { ChangeSet } from '../provider/change-set.js'
import type { ChangeSource } from '../provider/change-source.js'
import type { MediaProvider, MediaRequest, MediaResource } from '../provider/media.js'
import type { BatchSource } from './abortable-batch-reader.js'
import { AbortableBatchReader } from './abortable-batch-reader.js'
import type {
  AggregateQuery,
  CountQuery,
  KeyQuery,
  LinkChange,
  Provider,
  Pushdown,
  ReadQuery,
  RelatedQuery,
} from '../provider/provider.js'
import type { GroupPage } from '../provider/pushdown.js'
import type { KeyedSource, KeyRead, KeyReads } from './key-reads.js'
import type { SharedCounts } from './shared-counts.js'
import type { AnyEntitySetProvider, AutocommitMethod, WriteMethod } from './can-write.js'
import { checkedTag } from './opaque-tags.js'
import { withoutScans } from './pushdown.js'
import type { ProviderCall } from '../provider/provider-call.js'
import { ChangedCall } from '../provider/provider-call.js'
import type { ValueReads } from '../provider/value-reads.js'
import { asValues, forKeys } from '../provider/value-reads.js'

const debug = createDebug('odata-v2:provider')

/** The change set that calls belong to. */
export interface RunningChangeSet {
  /** The change set of the provider. */
  readonly provided: ChangeSet
  readonly isRolledBack: boolean
  readonly isQueueing: boolean
}

/** The version that an entity must have: a row, or an ETag if the provider has `etag`. Undefined for any version. */
export type EntityVersion = Row | string | undefined

/** An entity as it is stored, its new ETag, or true without ETag. */
export type UpdatedEntity = Row | string | true

/** Calls a function in a change set of its own. */
export type Transact = (
  name: string,
  parameters: Readonly<Record<string, unknown>>,
) => PromiseOrValue<unknown>

/** Calls the provider for one request, and validates its results as far as that is cheap. Errors name the entity set. */
export class ProviderCalls {
  /** Called with calls that are derived from these; absent without subscribers of diagnostics. */
  declare derive?: (calls: ProviderCalls) => ProviderCalls
  /** The entity that {@link readByKey} returns without a call of its own. */
  private keyRead: KeyRead | undefined

  constructor(
    private readonly provider: Provider,
    readonly call: ProviderCall,
    private readonly changeSet?: RunningChangeSet,
    private readonly transact?: Transact,
    /** Shares counts with other requests of a batch. */
    readonly counts?: SharedCounts,
    /** Joins reads by key of other requests of a batch. */
    private readonly keyReads?: KeyReads,
  ) {}

  pushdown(set: EntitySet): Pushdown | undefined {
    const { pushdown } = this.of(set)
    return pushdown !== undefined && set.entityType.mayScan ? withoutScans(pushdown) : pushdown
  }

  changes(set: EntitySet): ChangeSource | undefined {
    return this.of(set).changes
  }

  media(set: EntitySet): MediaProvider<Row> | undefined {
    return this.of(set).media
  }

  /** Returns undefined when the entity has no media resource. */
  async openMedia(set: EntitySet, row: Row, request: MediaRequest = {}): Promise<MediaResource | undefined> {
    const media: unknown = await this.of(set).media?.open(row, this.call, request)
    if (media === undefined || media === null) return undefined
    if (typeof media !== 'object') throw invalidProviderResult(set, 'a media resource', media)
    return media as MediaResource
  }

  /** @param isPage whether the rows are only serialized, so that they may be `ValueRow`s */
  read(set: EntitySet, query: ReadQuery, isPage = false): PromiseOrValue<BatchReader<Row>> {
    if (debug.enabled) debug('read %s: %s', set.path, Object.keys(query).join(', '))
    const provider = this.of(set)
    const readValues = isPage ? provider.read[asValues] : undefined
    const found: unknown = readValues?.(query, this.call) ?? provider.read(query, this.call)
    return isPromiseLike(found)
      ? Promise.resolve(found).then((result) => this.readerOf(set, query, result))
      : this.readerOf(set, query, found)
  }

  private readerOf(set: EntitySet, query: ReadQuery, result: unknown): BatchReader<Row> {
    // An array of arrays is a sequence of batches.
    if (Array.isArray(result) && !Array.isArray(result[0])) {
      const rows: unknown = result
      checkRows(set, rows)
      return readArray(rows)
    }
    if (result === null && query.source !== undefined) throw absentSource()
    return this.pageReader(set, result)
  }

  private pageReader(set: EntitySet, result: unknown): BatchReader<Row> {
    if (isIterable(result)) {
      const isPlain = Array.isArray(result) && !Array.isArray(result[0])
      const batches = isPlain ? [result] : result
      return new AbortableBatchReader<Row>(batches, (batch) => checkRows(set, batch), this.call.signal)
    }
    if (!isRecord(result) || !isIterable(result.rows))
      throw invalidProviderResult(set, 'an array of rows or an iterable of such arrays', result)
    const { rows, count, hasMore } = result
    if (count !== undefined) checkedCount(set, count)
    if (hasMore !== undefined && typeof hasMore !== 'boolean')
      throw invalidProviderResult(set, 'hasMore as a Boolean', hasMore)
    return Object.assign(this.pageReader(set, rows), { total: count, hasMore })
  }

  /** Adds a read by key to those that share a call, before {@link readByKey}. */
  shareReadByKey({ key, set }: KeyedSource, query: KeyQuery = {}, isShown: boolean): KeyRead | undefined {
    const readByKeys = this.of(set).readByKey?.[forKeys]
    return (this.keyRead = readByKeys && this.keyReads?.add(readByKeys, this.call, key, query, isShown))
  }

  /** Requires {@link canReadByKey}. @param isShown whether the row may be a `ValueRow`, to be serialized */
  readByKey(
    set: EntitySet,
    key: KeyValues,
    query: KeyQuery,
    isShown = false,
  ): PromiseOrValue<Row | undefined> {
    const loading = this.keyRead?.loading
    // Calls the method itself: subscribers of diagnostics, which replace it, were already notified of this call.
    if (loading !== undefined)
      return loading.then(() => ProviderCalls.prototype.readByKey.call(this, set, key, query, isShown))
    const shared = this.keyRead?.take(key, isShown)
    if (shared !== undefined) return shared.row
    const provider = this.of(set)
    const readValues = isShown ? provider.readByKey?.[asValues] : undefined
    const found: unknown = readValues
      ? readValues(key, query, this.call)
      : provider.readByKey?.(key, query, this.call)
    return mapValue(found, (row) => {
      if (row === null || row === undefined || isRow(row)) return row ?? undefined
      throw invalidProviderResult(set, 'an entity', row)
    })
  }

  canReadByKey(set: EntitySet): boolean {
    return this.of(set).readByKey !== undefined
  }

  canCount(set: EntitySet): boolean {
    return this.of(set).count !== undefined
  }

  count(set: EntitySet, query: CountQuery): PromiseOrValue<number> {
    const count: unknown = this.of(set).count?.(query, this.call)
    return mapValue(count, (checked) => checkedCount(set, checked))
  }

  canAggregate(set: EntitySet, query: GroupPage): boolean {
    const provider = this.of(set)
    return provider.aggregate !== undefined && provider.pushdown?.aggregation?.(query) === true
  }

  /** Returns what the provider returns, which the caller validates. */
  aggregate(set: EntitySet, query: AggregateQuery): unknown {
    return this.of(set).aggregate?.(query, this.call)
  }

  canReadRelated(set: EntitySet): boolean {
    return this.of(set).readRelated !== undefined
  }

  /** @param isPage whether the rows are only serialized, so that they may be `ValueRow`s */
  async readRelated(
    set: EntitySet,
    query: RelatedQuery,
    isPage = false,
  ): Promise<readonly (readonly Row[])[]> {
    const provider = this.of(set)
    const readValues = isPage ? provider.readRelated?.[asValues] : undefined
    const { sources } = query
    const related: unknown = await (readValues === undefined
      ? provider.readRelated?.(
          { ...query, sources: { ...sources, rows: sources.rows.map(plainRow) } },
          this.call,
        )
      : readValues(query, this.call))
    const expected = sources.rows.length
    if (!Array.isArray(related)) throw invalidProviderResult(set, 'an array of rows for each source', related)
    if (related.length !== expected) {
      throw new TypeError(
        `The provider of '${set.path}' must return an array of rows for each source: ${expected}, not ${related.length}.`,
      )
    }
    return related.map((rows) => {
      checkRows(set, rows)
      return rows
    })
  }

  /**
   * Returns the token of the provider for the state of entity sets, which is not validated.
   *
   * @returns undefined if the provider has no token: then nothing that it returns may be cached
   */
  dataVersion(entitySets: readonly string[]): PromiseOrValue<unknown> {
    return this.provider.dataVersion?.(entitySets, this.call)
  }

  /** Returns the properties that the provider generates when an insert omits them, except those of the model. */
  storeDefaults(set: EntitySet, isReplacement = false): PromiseOrValue<StoreDefaults | undefined> {
    return this.of(set).storeDefaults?.(isReplacement)
  }

  /** Returns true if `insert` of the provider also inserts the related entities that an entity contains. */
  insertsRelated(set: EntitySet, navigation: NavigationProperty): boolean {
    return this.of(set).insertsRelated?.(navigation) === true
  }

  insert(set: EntitySet, entity: Row): PromiseOrValue<Row> {
    const inserted: unknown = this.writer(set, 'insert')(
      set.entityType.computedProperties.length === 0 ? entity : storedValues(set, entity),
      this.call,
    )
    return mapValue(inserted, (row) => {
      if (!isRow(row)) throw invalidProviderResult(set, 'the entity as it is stored', row)
      return row
    })
  }

  /**
   * Returns true if the provider can make a change without a change set, and no wrapper overrides a method that is
   * bypassed.
   */
  canAutocommit(set: EntitySet, method: AutocommitMethod): boolean {
    const provider = this.of(set)
    const { autocommit } = provider
    return (
      autocommit?.[method] !== undefined &&
      (this.call.changeSet === undefined || this.changeSet?.isQueueing === true) &&
      autocommit.replaces[method] === provider[method] &&
      autocommit.replaces.beginChangeSet === this.provider.beginChangeSet
    )
  }

  /** @returns the result of `respond`; undefined when nothing was inserted */
  autocommitInsert<T>(set: EntitySet, entity: Row, respond: (row: Row) => T): PromiseOrValue<T | undefined> {
    let response: T | undefined
    const respondTo = (row: unknown): void => {
      if (!isRow(row)) throw invalidProviderResult(set, 'the entity as it is stored', row)
      response = respond(row)
    }
    const inserted: unknown = this.of(set).autocommit?.insert(entity, respondTo, this.call)
    return mapValue(inserted, (isInserted) => {
      if (typeof isInserted === 'boolean') return isInserted ? response : undefined
      throw invalidProviderResult(set, 'whether the entity was inserted', isInserted)
    })
  }

  /** @returns the entity as it is stored, or its new ETag; undefined when nothing was updated */
  autocommitUpdate(
    set: EntitySet,
    key: Row,
    values: Row,
    version: EntityVersion,
  ): PromiseOrValue<UpdatedEntity | undefined> {
    const condition = typeof version === 'string' ? { ifMatch: version } : { version }
    const updated: unknown = this.of(set).autocommit?.update?.(key, values, condition, this.call)
    return mapValue(updated, (row) => {
      if (row === undefined || row === true || isRow(row)) return row
      if (typeof row === 'string') return checkedTag(set.path, row)
      throw invalidProviderResult(set, 'the entity as it is stored', row)
    })
  }

  /** @returns false when nothing was deleted */
  autocommitDelete(set: EntitySet, key: Row, version: EntityVersion): PromiseOrValue<boolean> {
    const condition = typeof version === 'string' ? { ifMatch: version } : { version }
    const deleted: unknown = this.of(set).autocommit?.delete?.(key, condition, this.call)
    return mapValue(deleted, (isDeleted) => {
      if (typeof isDeleted === 'boolean') return isDeleted
      throw invalidProviderResult(set, 'whether the entity was deleted', isDeleted)
    })
  }

  /** @throws ODataError ResourceNotFound when the entity does not exist any more */
  async update(set: EntitySet, key: Row, values: Row, version: EntityVersion): Promise<Row> {
    const row: unknown = await this.writer(set, 'update')(
      key,
      set.entityType.computedProperties.length === 0 ? values : storedValues(set, values),
      typeof version === 'string' ? { ifMatch: version } : { version },
      this.call,
    )
    if (row === null || row === undefined) throw new ODataError('ResourceNotFound')
    if (!isRow(row)) throw invalidProviderResult(set, 'the entity as it is stored', row)
    return row
  }

  /** @throws ODataError ResourceNotFound when the entity does not exist any more */
  async delete(set: EntitySet, key: Row, version: EntityVersion): Promise<void> {
    const condition = typeof version === 'string' ? { ifMatch: version } : { version }
    const deleted: unknown = await this.writer(set, 'delete')(key, condition, this.call)
    if (typeof deleted !== 'boolean')
      throw invalidProviderResult(set, 'true, or false when there was no such entity', deleted)
    if (!deleted) throw new ODataError('ResourceNotFound')
  }

  canUpdate(set: EntitySet): boolean {
    return this.of(set).update !== undefined
  }

  async link(set: EntitySet, link: LinkChange): Promise<void> {
    await this.writer(set, 'link')(link, this.call)
  }

  /** @throws ODataError ResourceNotFound when the link does not exist */
  async unlink(set: EntitySet, link: LinkChange): Promise<void> {
    const unlinked: unknown = await this.writer(set, 'unlink')(link, this.call)
    if (typeof unlinked !== 'boolean')
      throw invalidProviderResult(set, 'true, or false when there was no such link', unlinked)
    if (!unlinked) throw new ODataError('ResourceNotFound', { message: 'The link does not exist.' })
  }

  /** Returns undefined when the provider does not support change sets. */
  beginChangeSet(willQueue = false): PromiseOrValue<ChangeSet | undefined> {
    const begun: unknown = this.provider.beginChangeSet?.(this.call, willQueue)
    return mapValue(begun, (changeSet) => {
      if (changeSet === undefined || changeSet === null) return undefined
      if (isChangeSet(changeSet)) return changeSet
      throw new TypeError(
        'beginChangeSet() of a provider must return an object with commit() and rollBack().',
      )
    })
  }

  /** Calls without the signal of the request, for cleanup after the client has disconnected. */
  detached(): ProviderCalls {
    const call = new ChangedCall(this.call, { signal: new AbortController().signal })
    const calls = new ProviderCalls(this.provider, call, this.changeSet)
    return this.derive?.(calls) ?? calls
  }

  /** Calls of the same request that belong to a change set. */
  within(changeSet: RunningChangeSet): ProviderCalls {
    const call = new ChangedCall(this.call, { changeSet: changeSet.provided })
    const calls = new ProviderCalls(this.provider, call, changeSet)
    return this.derive?.(calls) ?? calls
  }

  /** @returns the result of the function, or a promise of it */
  callFunction(name: string, parameters: Readonly<Record<string, unknown>>): unknown {
    return this.provider.functions?.[name]?.(parameters, this.call.context, this.call)
  }

  /** Calls a function, in a change set if its handler needs one. */
  runFunction(name: string, parameters: Readonly<Record<string, unknown>>): unknown {
    this.counts?.clear()
    return this.changeSet === undefined && this.provider.functions?.[name]?.transaction === true
      ? this.transact?.(name, parameters)
      : this.callFunction(name, parameters)
  }

  private writer<M extends WriteMethod>(set: EntitySet, method: M): NonNullable<AnyEntitySetProvider[M]> {
    const provider = this.of(set)
    if (this.changeSet?.isRolledBack === true) throw rolledBackError(this.call)
    const write = provider[method]
    if (write === undefined) {
      throw new ODataError('NotImplemented', {
        message: `Entities of '${set.path}' cannot be changed in this way.`,
        cause: new Error(`The provider of '${set.path}' has no method '${method}'.`),
      })
    }
    return write.bind(provider) as NonNullable<AnyEntitySetProvider[M]>
  }

  private of(set: EntitySet): AnyEntitySetProvider & ValueReads {
    const sets = this.provider.entitySets as Readonly<Record<string, AnyEntitySetProvider>>
    const provider = Object.hasOwn(sets, set.path) ? sets[set.path] : undefined
    if (provider === undefined)
      throw new TypeError(`The provider does not have the entity set '${set.path}'.`)
    return provider
  }
}

/** Creates the error for a result that the contract of providers does not allow. */
export function invalidProviderResult(set: EntitySet, expected: string, result: unknown): TypeError {
  const actual = result === null ? 'null' : Array.isArray(result) ? 'an array' : typeof result
  return new TypeError(`The provider of '${set.path}' must return ${expected}, but returned ${actual}.`)
}

/** Returns a number of entities. @throws TypeError for other values */
export function checkedCount(set: EntitySet, count: unknown): number {
  if (typeof count === 'number' && Number.isInteger(count) && count >= 0) return count
  throw invalidProviderResult(set, 'a whole number that is not negative', count)
}

/** Checks rows. @throws TypeError for other values */
export function checkRows(set: EntitySet, rows: unknown): asserts rows is readonly Row[] {
  if (!Array.isArray(rows)) throw invalidProviderResult(set, 'rows in arrays', rows)
  for (const row of rows) if (!isRow(row)) throw invalidProviderResult(set, 'rows that are objects', row)
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Creates the error for a source whose related entities are requested, but that does not exist. */
function absentSource(): ODataError {
  return new ODataError('ResourceNotFound', { message: 'There is no entity with this key.' })
}

function isIterable(value: unknown): value is BatchSource {
  return (
    typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value)
  )
}

function isChangeSet(value: unknown): value is ChangeSet {
  const { commit, rollBack, run = rollBack } = value as Partial<Record<string, unknown>>
  return [commit, rollBack, run].every((member) => typeof member === 'function')
}

/** Returns the key of a row, as methods of a provider get it. */
export function keyOf({ entityType }: EntitySet, row: Row): Row {
  const key: Record<string, unknown> = {}
  for (const { name } of entityType.key) setMember(key, name, memberOf(row, name))
  return key
}
