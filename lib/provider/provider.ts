import type { EdmModel } from '../edm/edm-model.js'
import type { EntityOf, EntitySetName, InsertOf, KeyOf, PrimitiveValues, RowOf } from '../edm/infer.js'
import type { Row } from '../evaluation/row.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { ChangeSet } from './change-set.js'
import type { MediaProvider } from './media.js'
import type { ProviderCall } from './provider-call.js'
import type { ChangeSource } from './change-source.js'
import type { EntityChanges } from './entity-changes.js'
import type { KeyQuery } from './expand-branch.js'
import type { FunctionHandlers } from './function-handlers.js'
import type { AggregateQuery, CountQuery, ReadQuery, RelatedQuery } from './provider-queries.js'
import type { Pushdown } from './pushdown.js'
import type { RequestRecords } from './request-records.js'

export type { RequestRecord, RequestRecords } from './request-records.js'
export type { ChangedRow, Changes, ChangeSource, ChangesQuery } from './change-source.js'
export type { AggregateQuery, CountQuery, ReadQuery, RelatedQuery, RelatedTo } from './provider-queries.js'
export type { AutocommitChanges, EntityChanges, LinkChange, WriteCondition } from './entity-changes.js'
export type { FunctionHandler, FunctionHandlers } from './function-handlers.js'
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
