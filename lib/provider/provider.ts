import type { EdmModel, NavigationProperty } from '../edm/edm-model.js'
import type {
  EntityOf,
  EntitySetName,
  FunctionName,
  FunctionParameters,
  FunctionResult,
  InsertOf,
  KeyOf,
  PrimitiveValues,
  RowOf,
} from '../edm/infer.js'
import type { Row } from '../evaluation/row.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { ChangeSet } from './change-set.js'
import type { MediaProvider } from './media.js'
import type { ProviderCall } from './provider-call.js'
import type { ChangeSource } from './change-source.js'
import type { KeyQuery } from './expand-branch.js'
import type { AggregateQuery, CountQuery, ReadQuery, RelatedQuery } from './provider-queries.js'
import type { Pushdown } from './pushdown.js'
import type { RequestRecords } from './request-records.js'

export type { RequestRecord, RequestRecords } from './request-records.js'
export type { ChangedRow, Changes, ChangeSource, ChangesQuery } from './change-source.js'
export type { AggregateQuery, CountQuery, ReadQuery, RelatedQuery, RelatedTo } from './provider-queries.js'
export type { ExpandBranch, KeyQuery } from './expand-branch.js'
export type { Pushdown } from './pushdown.js'

/**
 * The data source of a service. Only `read` of each entity set is required: the service derives the other reads from it,
 * and responds with 405 to changes that the provider has no method for.
 *
 * @typeParam Model type of the model, from which the row types are inferred
 * @typeParam Context type of the per-request context that the option `context` returns
 * @example
 * const provider: Provider<typeof model> = {
 *   entitySets: { Products: { read: () => products } },
 * }
 */
export interface Provider<Model = EdmModel, Context = unknown> {
  /** By name of the entity set; outside of the default container with the container's name: `Archive.Products`. */
  readonly entitySets: {
    readonly [Name in EntitySetName<Model>]: EntitySetProvider<
      RowOf<Model, Name>,
      KeyOf<Model, Name>,
      Context,
      InsertOf<Model, Name, PrimitiveValues>,
      Partial<EntityOf<Model, Name>>
    >
  }
  /** Handlers of the function imports, by name. */
  readonly functions?: FunctionHandlers<Model, Context> | undefined
  /**
   * Begins a transaction. The service passes it in `call.changeSet` to every call that belongs to it, then calls `commit`
   * or `rollBack`. Without this method a request can make a single change only.
   *
   * @param willQueue true if the service calls `send` of the `queue` of the change set, if it has one, before it makes
   * changes in another way
   * @throws ODataError ServiceUnavailable when the store cannot be reached
   */
  beginChangeSet?(call: ProviderCall<Context>, willQueue?: boolean): PromiseOrValue<ChangeSet>
  /**
   * Stores the responses of repeatable requests in change sets. Without it, a service with `repeatableRequests` does not
   * start.
   */
  readonly requestRecords?: RequestRecords<Context> | undefined
  /**
   * Runs synchronous work that reads several times in one snapshot of the data, for example in one transaction. The
   * service calls it for the reads of a batch, when neither `authorize` nor functions exist. Without it each read stands
   * alone.
   *
   * @param work calls methods that read, and returns without waiting for their promises. What is still being read when
   * it returns is read outside of the snapshot.
   * @returns what `work` returned. Calls it once, even when no snapshot can be taken.
   * @throws what `work` throws, and nothing else
   * @example
   * const readSnapshot: Provider['readSnapshot'] = (work) => database.transaction(work).deferred()
   */
  readSnapshot?<T>(work: () => T): T
  /**
   * True if reads wait for another process, such as a database server. The service then starts up to 20 consecutive reads
   * of a batch together; calls of functions start alone. Default: false, so that reads run one after the other.
   */
  readonly concurrentReads?: boolean | undefined
  /**
   * Called when a service starts, with the names of the properties that it computes: the provider need not store them.
   *
   * @param properties names by entity set; sets without computed properties are absent
   */
  setComputed?(properties: ReadonlyMap<string, ReadonlySet<string>>): void
  /**
   * Called when a service starts, with the names of the properties that it groups by and aggregates: the provider must
   * store them.
   *
   * @param properties names by entity set; only analytical sets that group their own rows
   * @throws TypeError if the provider does not store them
   */
  setAggregated?(properties: ReadonlyMap<string, ReadonlySet<string>>): void
  /**
   * Returns a token for the current state of entity sets, which lets the service cache finished pages. As long as the
   * token is the same, every read of these sets for this caller must give the same result.
   *
   * The token must change with every change of their entities, of their media types and of the links that start or end
   * in them, by any process, and must not return to an earlier value. The custom query options of a request are
   * part of the cache key. Whatever else reads depend on, such as `call.context` or the time, must be part of the
   * token. Called before and after a page is read that was requested before, so it should cost less than the page.
   * Without it, and where it returns undefined, nothing is cached.
   *
   * @param entitySets names of the sets that the request reads, including those of `$expand` and of filters
   * @returns undefined if there is no such token now, for example while uncommitted changes are visible
   */
  dataVersion?(
    entitySets: readonly string[],
    call: ProviderCall<Context>,
  ): PromiseOrValue<string | number | undefined>
  /**
   * Called when a service with `pageCache.store` starts. From then on, tokens of `dataVersion` must be the same in all
   * processes that read the same data, and different for other data and other code of the provider. Without this method,
   * such a service does not start.
   */
  shareDataVersion?(): void
  /**
   * Checks that the provider can serve requests now, with a cheap query. `health` calls it for each probe; without it, the
   * provider counts as available.
   *
   * @param call its `signal` is aborted after the time limit of the probe
   * @throws if it cannot serve requests
   * @example
   * const check: Provider['check'] = async ({ signal }) => {
   *   const response = await fetch('https://example.org/ping', { signal })
   *   if (!response.ok) throw new Error(`ping: ${response.status}`)
   * }
   */
  check?(call: Pick<ProviderCall, 'signal'>): PromiseOrValue<void>
}

/**
 * Rows in one array, or in several arrays as they become available. There is never a promise for a single row.
 *
 * @example
 * const batches: Rows = (async function* () {
 *   for (let skip = 0; skip < products.length; skip += 500) yield products.slice(skip, skip + 500)
 * })()
 */
export type Rows<R = Row> = readonly R[] | AsyncIterable<readonly R[]> | Iterable<readonly R[]>

/**
 * Rows with what the store reports about all matches of the query.
 *
 * @example
 * const items: EntitySetProvider = {
 *   async read({ skip = 0, top = 100 }) {
 *     const response = await fetch(`https://example.org/products?offset=${skip}&limit=${top}`)
 *     const { items, total } = (await response.json()) as { items: Row[]; total: number }
 *     const page: RowsPage = { rows: items, count: total, hasMore: skip + items.length < total }
 *     return page
 *   },
 *   pushdown: { paging: true, count: true, pageSize: 100 },
 * }
 */
export interface RowsPage<R = Row> {
  /** The entities, in the requested order. */
  readonly rows: Rows<R>
  /** The number of all matches, before `skip` and `top`. Required for a query with `count`. */
  readonly count?: number | undefined
  /** True if further entities follow the last row. Required with `pushdown.pageSize`. */
  readonly hasMore?: boolean | undefined
}

/**
 * Groups with the number of all groups.
 *
 * @example
 * const page = (groups: Row[], { skip = 0, top = Infinity }: AggregateQuery): GroupsPage => ({
 *   rows: groups.slice(skip, skip + top),
 *   count: groups.length,
 * })
 */
export interface GroupsPage {
  /** The groups, in the requested order. */
  readonly rows: readonly Row[]
  /** The number of all groups, before `skip` and `top`. */
  readonly count: number
}

/**
 * Reads and changes the entities of one entity set.
 *
 * @typeParam R type of a row
 * @typeParam Key type of a key: the key properties with their values
 * @typeParam Context type of the per-request context that the option `context` returns
 * @typeParam New type of the values of a new entity
 * @typeParam Changes type of the values that an update sets
 * @example
 * const items: EntitySetProvider = {
 *   read: ({ top }) => products.slice(0, top),
 *   readByKey: ({ ID }) => products.find((product) => product.ID === ID),
 *   pushdown: { paging: true },
 * }
 */
export interface EntitySetProvider<
  R = Row,
  Key = Row,
  Context = unknown,
  New = Row,
  Changes = Row,
> extends EntityChanges<R, Key, Context, New, Changes> {
  /**
   * Reads the entities that match a query.
   *
   * @param query contains only what `pushdown` accepted. Without `pushdown` it requests all entities: the service filters,
   * sorts and pages.
   * @returns rows, in the requested order, or a page of them; null if `pushdown.sourceKeys` is true and the source does
   * not exist
   */
  read(query: ReadQuery, call: ProviderCall<Context>): PromiseOrValue<Rows<R> | RowsPage<R> | null>
  /**
   * Reads one entity. Without it the service finds the entity with `read`.
   *
   * @returns null or undefined when the entity does not exist
   */
  readByKey?(key: Key, query: KeyQuery, call: ProviderCall<Context>): PromiseOrValue<R | null | undefined>
  /** Counts the entities that match a query. Without it the service reads and counts them. */
  count?(query: CountQuery, call: ProviderCall<Context>): PromiseOrValue<number>
  /**
   * Reads the related entities of several entities in one call, for `$expand`. Used for the navigation properties that
   * `pushdown.navigation` accepts.
   *
   * @returns an array of rows for each of `query.sources.rows`
   */
  readRelated?(query: RelatedQuery, call: ProviderCall<Context>): PromiseOrValue<readonly (readonly R[])[]>
  /**
   * Groups the entities that match a query, and aggregates the values of each group. Used for queries that
   * `pushdown.aggregation` accepts, if `pushdown.filter` accepts all conditions. Without it the service reads the entities
   * and groups them.
   *
   * @returns a row for each group, with the properties of `groupBy` and the measures; no row without entities. With
   * `countOnly`, the number of groups. With `count`, a {@link GroupsPage}, or only the rows: then the service may count the
   * groups by a further call. Undefined if the values cannot be aggregated exactly: then the service groups the entities.
   */
  aggregate?(
    query: AggregateQuery,
    call: ProviderCall<Context>,
  ): PromiseOrValue<readonly Row[] | GroupsPage | number | undefined>
  /** The media resources of media link entries. Without it they have none. */
  readonly media?: MediaProvider<R, Context> | undefined
  /**
   * Returns the ETag of an entity with its quotes, `W/"3"`, for a store whose ETags do not follow from properties. Rows must
   * have what it needs, even if `query.properties` omits it. Updates and deletes then require `If-Match`, and get its ETag
   * in `condition.ifMatch`. Default: the ETag consists of the properties with `concurrencyMode: 'Fixed'`.
   *
   * @returns undefined for an entity without ETag
   */
  etag?(row: R): string | null | undefined
  /**
   * False if the store decides whether updates and deletes of entities with {@link EntitySetProvider.etag} need `If-Match`.
   * Default: true.
   */
  readonly requiresIfMatch?: boolean | undefined
  /** Which parts of a query the provider evaluates. Without it `read` returns all entities. */
  readonly pushdown?: Pushdown | undefined
  /** Reports changes, for delta links. Without it the entity set has none. */
  readonly changes?: ChangeSource<R, Key, Context> | undefined
}

/**
 * The changes that an entity set supports. The service responds with 405 to requests for one that is absent, or with 501
 * if another change needs it, such as a deep insert.
 *
 * @example
 * const changes: EntityChanges = {
 *   insert(product) {
 *     products.push(product)
 *     return product
 *   },
 * }
 */
export interface EntityChanges<R = Row, Key = Row, Context = unknown, New = Row, Changes = Row> {
  /**
   * Inserts an entity.
   *
   * @param entity valid and complete values, except those that the store generates: keys, versions, properties with
   * `computedDefaultValue` and those of `storeDefaults` may be absent
   * @returns the entity as it is stored
   * @throws ODataError Conflict when the key exists
   */
  insert?(entity: New, call: ProviderCall<Context>): PromiseOrValue<R>
  /**
   * Returns true if `insert` also inserts the related entities of a deep insert, in one step: the entity has them in an array
   * with the name of the navigation property, without foreign keys. Not used for sets with hooks or `authorize`. Default:
   * false, so that the service inserts each entity in a change set.
   */
  insertsRelated?(navigation: NavigationProperty): boolean
  /**
   * Returns the paths of properties, such as `Price` and `Size/Unit`, for which the store has default values that the
   * model does not state. The service treats them like properties with `computedDefaultValue`. Default: none.
   *
   * @param isReplacement true for an update by PUT, which leaves these properties unchanged if the client omits them
   */
  storeDefaults?(isReplacement?: boolean): PromiseOrValue<ReadonlySet<string>>
  /** Changes that commit by themselves, which takes less time than a change set. */
  readonly autocommit?: AutocommitChanges<R, Context> | undefined
  /**
   * Sets the given values of an entity, and leaves the other values unchanged.
   *
   * @param condition the version that the entity must have; check it in the same step as the update
   * @returns the entity as it is stored; null or undefined when it does not exist
   * @throws ODataError PreconditionFailed when the entity has another version
   */
  update?(
    key: Key,
    values: Changes,
    condition: WriteCondition,
    call: ProviderCall<Context>,
  ): PromiseOrValue<R | null | undefined>
  /**
   * Deletes an entity and its links. Linked entities stay, unless the model has `onDelete: 'Cascade'`.
   *
   * @returns false when the entity does not exist
   * @throws ODataError PreconditionFailed when the entity has another version, Conflict when other entities need it
   */
  delete?(key: Key, condition: WriteCondition, call: ProviderCall<Context>): PromiseOrValue<boolean>
  /** Links two entities of an association without a foreign key. Does nothing when they are linked already. */
  link?(link: LinkChange, call: ProviderCall<Context>): PromiseOrValue<void>
  /** Removes a link of an association without a foreign key. @returns false when it does not exist */
  unlink?(link: LinkChange, call: ProviderCall<Context>): PromiseOrValue<boolean>
}

/**
 * Changes that commit by themselves, for example as a single statement. The service uses them for the only change of a
 * request, where neither hooks nor `authorize` are called, and for changes in the `queue` of a change set.
 *
 * @example
 * import SQLite from 'better-sqlite3'
 * const database = new SQLite('shop.sqlite')
 * const statement = database.prepare<object, object>('insert into "Items" values (:ID, :Name) returning *')
 * const insert = (entity: object) => statement.get(entity) ?? entity
 * const autocommit: AutocommitChanges<object> = {
 *   replaces: { insert },
 *   insert(entity, respond) {
 *     database.transaction(() => respond(insert(entity)))()
 *     return true
 *   },
 * }
 */
export interface AutocommitChanges<R = Row, Context = unknown> {
  /**
   * The methods of the provider that the methods of this object replace. The service calls them only while the provider
   * has exactly these: a wrapper that overrides `insert` or `beginChangeSet`, for example, is called instead, unless it
   * provides its own `autocommit` as well.
   */
  readonly replaces: {
    insert(entity: Row, call: ProviderCall<Context>): PromiseOrValue<R>
    update?(
      key: Row,
      values: Row,
      condition: WriteCondition,
      call: ProviderCall<Context>,
    ): PromiseOrValue<R | null | undefined>
    delete?(key: Row, condition: WriteCondition, call: ProviderCall<Context>): PromiseOrValue<boolean>
    beginChangeSet?(call: ProviderCall<Context>): PromiseOrValue<ChangeSet>
  }
  /**
   * Inserts an entity without links, and commits.
   *
   * @param entity as for `insert` of the set
   * @param respond creates the response from the entity as it is stored. Call it once, before the commit if that is
   * possible: when it throws, roll back and rethrow the error.
   * @returns false when nothing was inserted: then the service begins a change set and calls `insert` of the set, which
   * finds out why or succeeds
   * @throws ODataError when the entity cannot be inserted, or when it is not known whether it was
   */
  insert(entity: Row, respond: (row: R) => void, call: ProviderCall<Context>): PromiseOrValue<boolean>
  /**
   * Updates an entity, and commits. Needs `update` in `replaces`.
   *
   * @param values as for `update` of the set
   * @returns the entity as it is stored. A store that does not return it returns its new ETag, or `true` without ETag;
   * the service reads the entity if the client wants it. Undefined when nothing was updated: then the service begins a
   * change set and calls `update` of the set, which finds out why or succeeds
   * @throws ODataError when the entity cannot be updated, or when it is not known whether it was
   */
  update?(
    key: Row,
    values: Row,
    condition: WriteCondition,
    call: ProviderCall<Context>,
  ): PromiseOrValue<R | string | true | undefined>
  /**
   * Deletes an entity, and commits. Needs `delete` in `replaces`.
   *
   * @returns false when nothing was deleted: then the service begins a change set and calls `delete` of the set
   * @throws ODataError when the entity cannot be deleted, or when it is not known whether it was
   */
  delete?(key: Row, condition: WriteCondition, call: ProviderCall<Context>): PromiseOrValue<boolean>
}

/**
 * The version that an entity must have for a change to happen.
 *
 * @example
 * const isCurrent = (product: Row, { version = {} }: WriteCondition) =>
 *   Object.entries(version).every(([name, value]) => product[name] === value)
 */
export interface WriteCondition {
  /** Values of the properties with `concurrencyMode: 'Fixed'`. Absent: any version. */
  readonly version?: Row | undefined
  /** The ETag that the entity must have, in a set whose provider has `etag`. Absent: any version. */
  readonly ifMatch?: string | undefined
}

/**
 * Two entities at the ends of a navigation property, by their keys.
 *
 * @example
 * const link = ({ navigation, key, targetKey }: LinkChange) =>
 *   console.log(`Link ${navigation.name}`, key, targetKey)
 */
export interface LinkChange {
  /** Name of the entity set of the source. */
  readonly entitySet: string
  /** Name of the entity set of the target. */
  readonly targetSet: string
  /** The navigation property of the source that leads to the target. */
  readonly navigation: NavigationProperty
  /** The key of the source. */
  readonly key: Row
  /** The key of the target. */
  readonly targetKey: Row
}

/**
 * The handlers of all function imports of a model, by name; outside the default container with the name of the container
 * in front: `Archive.Cheapest`.
 *
 * @typeParam Model type of the model, from which parameters and results are inferred
 * @typeParam Context type of the per-request context that the option `context` returns
 * @example
 * const functions: FunctionHandlers<typeof model> = {
 *   ByName: ({ name }: { name: string }) => products.filter((product) => product.Name === name),
 * }
 * app.use('/shop', odataV2(model, memoryProvider(model, {}, { functions })))
 */
export type FunctionHandlers<Model = EdmModel, Context = unknown> = [FunctionName<Model>] extends [never]
  ? Readonly<Record<string, never>>
  : {
      readonly [Name in FunctionName<Model>]: FunctionHandler<
        Context,
        FunctionParameters<Model, Name>,
        FunctionResult<Model, Name>
      >
    } & Readonly<Record<string, FunctionHandler<Context, never>>>

/**
 * Executes a function import.
 *
 * @param parameters JavaScript values by parameter name; null for absent parameters
 * @param context the per-request context that the option `context` returned
 * @returns a row, a value, an array of rows or values, or a promise of these; nothing for a function without return type
 * @throws ODataError with the status of the response
 * @example const cheapest: FunctionHandler = () => products[0]
 */
export type FunctionHandler<
  Context = unknown,
  Parameters = Readonly<Record<string, unknown>>,
  Result = unknown,
> = {
  // As a method, so that a provider of a typed model is also one of an untyped model.
  handle(parameters: Parameters, context: Context, call: ProviderCall<Context>): PromiseOrValue<Result>
}['handle'] & {
  /** True if the service calls the handler in a change set; see {@link inTransaction}. Default: false */
  readonly transaction?: boolean
}

/**
 * Returns true if a provider uses the entity set objects of another provider. An application may copy a provider and
 * replace some of its entity sets; the `dataVersion` of the original does not cover these.
 *
 * @param provider the object on which `dataVersion` was called
 */
export function hasEntitySetsOf(
  provider: unknown,
  original: Pick<Provider, 'entitySets'>,
  names: readonly string[],
): boolean {
  const { entitySets } = (provider ?? {}) as Partial<Provider>
  const given = (entitySets ?? {}) as Readonly<Record<string, unknown>>
  const own = original.entitySets as Readonly<Record<string, unknown>>
  return names.every((name) => Object.hasOwn(given, name) && given[name] === own[name])
}
