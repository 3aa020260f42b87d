import type { EdmModel, NavigationProperty } from '../edm/edm-model.js'
import type { EntitySetName, KeyOf, RowOf } from '../edm/infer.js'
import type { Row } from '../evaluation/row.js'
import type { Expression, OrderByTerm } from '../query/expression.js'
import type { SeekPosition } from '../query/entity-query.js'
import type { MaybePromise } from '../util/maybe-promise.js'
import type { ChangeSet } from './change-set.js'
import type { MediaProvider } from './media.js'
import type { ProviderCall } from './provider-call.js'

/**
 * Where the data of a service comes from. The one required member of each entity set reads it; everything else is
 * derived from that, or answered with 501, until a provider does it itself.
 *
 * @typeParam Model type of the model, from which the rows are inferred
 * @typeParam Context what the service's `context` option returns
 * @example
 * const provider: Provider<typeof model> = {
 *   entitySets: { Products: { read: () => products } },
 * }
 */
export interface Provider<Model = EdmModel, Context = unknown> {
  /** By the name of the set; outside the default container with the container in front: `Archive.Products`. */
  readonly entitySets: {
    readonly [Name in EntitySetName<Model>]: EntitySetProvider<
      RowOf<Model, Name>,
      KeyOf<Model, Name>,
      Context
    >
  }
  /** Begins changes that happen all or not at all. Without it a request can make one change only. */
  beginChangeSet?(call: ProviderCall<Context>): MaybePromise<ChangeSet>
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
   * readSnapshot: (work) => database.transaction(work).deferred()
   */
  readSnapshot?<T>(work: () => T): T
  /** Handlers of the function imports. */
  readonly functions?: Readonly<Record<string, FunctionHandler<Context>>> | undefined
  /**
   * Returns a token for the current state of entity sets, which lets the service cache finished pages. As long as the
   * token is the same, every read of these sets for this caller must give the same result.
   *
   * The token must change with every change of their entities, of their media types and of the links that start or end
   * in them, whoever makes it, and must not return to an earlier value. The custom query options of a request are
   * part of the cache key. Whatever else reads depend on, such as `call.context` or the time, must be part of the
   * token. Called before a page is read and after it, so it should cost less than the page. Without it, and where it
   * returns undefined, nothing is cached.
   *
   * @param entitySets names of the sets that the request reads, including those of `$expand` and of filters
   * @returns undefined if there is no such token now, for example while uncommitted changes are visible
   */
  dataVersion?(
    entitySets: readonly string[],
    call: ProviderCall<Context>,
  ): MaybePromise<string | number | undefined>
}

/**
 * Rows in arrays: one array, or several as they become available. Never a promise for each row.
 */
export type Rows<R = Row> = readonly R[] | AsyncIterable<readonly R[]> | Iterable<readonly R[]>

/** Reads, and perhaps more, one entity set. */
export interface EntitySetProvider<R = Row, Key = Row, Context = unknown> {
  /**
   * Reads the entities that a query asks for. A query never asks for what `pushdown` did not accept: a provider
   * without it is asked for everything, and the service filters, sorts and pages itself.
   */
  read(query: ReadQuery, call: ProviderCall<Context>): MaybePromise<Rows<R>>
  /** Reads one entity; null or undefined when there is none. Without it, it is searched for among all. */
  readByKey?(key: Key, query: KeyQuery, call: ProviderCall<Context>): MaybePromise<R | null | undefined>
  /** Counts the entities that match. Without it they are read and counted. */
  count?(query: CountQuery, call: ProviderCall<Context>): MaybePromise<number>
  /**
   * Reads what is related to several entities at once, for `$expand`: one array of rows for each of
   * `query.sources.rows`. Used for the navigation properties that `pushdown.navigation` accepts.
   */
  readRelated?(query: RelatedQuery, call: ProviderCall<Context>): MaybePromise<readonly (readonly R[])[]>
  /** The media resources of media link entries. Without it they have none. */
  readonly media?: MediaProvider<R, Context> | undefined
  /** What the provider can do itself. Without it `read` is asked for everything. */
  readonly pushdown?: Pushdown | undefined
  /**
   * Adds an entity and returns it as it is stored, with everything that the store fills in. Values of properties are
   * checked already; a key may be missing that the store makes itself. Without it a set cannot be added to.
   *
   * @throws ODataError Conflict when there is an entity with this key
   */
  insert?(entity: Row, call: ProviderCall<Context>): MaybePromise<R>
  /** Inserts single entities synchronously, in less time than a change set takes. */
  readonly insertSync?: SyncInsert<R, Context> | undefined
  /**
   * Sets properties of an entity, the others staying as they are, and returns it as it is stored.
   *
   * @returns null or undefined when there is no such entity
   * @throws ODataError PreconditionFailed when the entity is not in the version that `condition` names
   */
  update?(
    key: Key,
    values: Row,
    condition: WriteCondition,
    call: ProviderCall<Context>,
  ): MaybePromise<R | null | undefined>
  /**
   * Removes an entity, what is linked to it staying, unless the model says that it goes too.
   *
   * @returns false when there is no such entity
   * @throws ODataError PreconditionFailed, and Conflict when another entity needs it
   */
  delete?(key: Key, condition: WriteCondition, call: ProviderCall<Context>): MaybePromise<boolean>
  /** Links entities over an association that has no foreign key. To link what is linked already does nothing. */
  link?(link: LinkChange, call: ProviderCall<Context>): MaybePromise<void>
  /** @returns false when they were not linked */
  unlink?(link: LinkChange, call: ProviderCall<Context>): MaybePromise<boolean>
}

/**
 * Inserts an entity in one synchronous transaction. The service uses it for an insert without links that is the only
 * change of its request, where neither hooks nor `authorize` are called.
 *
 * @example
 * import SQLite from 'better-sqlite3'
 * const database = new SQLite('shop.sqlite')
 * const statement = database.prepare<object, object>('insert into "Items" values (:ID, :Name) returning *')
 * const insert = (entity: object) => statement.get(entity) ?? entity
 * const insertSync: SyncInsert<object> = {
 *   replaces: { insert },
 *   run(entity, respond) {
 *     database.transaction(() => respond(insert(entity)))()
 *     return true
 *   },
 * }
 */
export interface SyncInsert<R = Row, Context = unknown> {
  /**
   * The methods of the provider that `run` stands in for. The service calls `run` only while the provider has exactly
   * these: a wrapper that overrides `insert` or `beginChangeSet` is called instead of `run`, unless it provides its own
   * `insertSync` as well.
   */
  readonly replaces: {
    insert(entity: Row, call: ProviderCall<Context>): MaybePromise<R>
    beginChangeSet?(call: ProviderCall<Context>): MaybePromise<ChangeSet>
  }
  /**
   * Inserts an entity, and commits before it returns.
   *
   * @param entity as for `insert`
   * @param respond creates the response from the entity as it is stored. Call it once, before the commit; when it throws,
   * roll back and rethrow the error.
   * @returns false when nothing was inserted: then the service begins a change set and calls `insert`, which finds out why
   * or succeeds
   * @throws ODataError when the entity cannot be inserted
   */
  run(entity: Row, respond: (row: R) => void, call: ProviderCall<Context>): boolean
}

/** The version in which an entity must be for a change to happen; to be looked at together with the change. */
export interface WriteCondition {
  /** Values of the concurrency tokens. Absent: any version will do. */
  readonly version?: Row | undefined
}

/** Two entities at the ends of a navigation property, by their keys. */
export interface LinkChange {
  /** Names of the sets that the navigation starts from and leads to. */
  readonly entitySet: string
  readonly targetSet: string
  readonly navigation: NavigationProperty
  readonly key: Row
  readonly targetKey: Row
}

/**
 * What a provider can do itself. Each part is offered to it and is only handed over when it was accepted; all the
 * rest the service does, with the same result.
 */
export interface Pushdown {
  /** Whether the provider can evaluate a condition. Offered one by one: those of `a and b` are two. */
  filter?(condition: Expression): boolean
  /**
   * Whether the provider can sort by these terms, of which the last are always the key, and can start behind a
   * given place in that order.
   */
  orderBy?(terms: readonly OrderByTerm[]): boolean
  /** Whether the provider can skip and limit. It is only asked to when nothing before that is left to do. */
  readonly paging?: boolean
  /** Whether `read`, `count` and `readRelated` can start from entities of another set. */
  navigation?(navigation: NavigationProperty): boolean
  /**
   * False when `read` ignores the custom query option `search`: on sets with `sap:searchable="true"` the service then
   * responds with 400. A wrapper whose `read` searches sets it to true.
   */
  readonly search?: boolean
}

/** Which entities are wanted. */
export interface CountQuery {
  /** Name of the set as in the model. */
  readonly entitySet: string
  /** Only entities that make this true. Absent: all. */
  readonly filter?: Expression | undefined
  /** Only entities related to this one. */
  readonly source?: RelatedTo | undefined
}

/** Which entities are wanted, in which order, and what of them. */
export interface ReadQuery extends CountQuery, KeyQuery {
  /** The terms to sort by, the key at the end. Absent: any order will do. */
  readonly orderBy?: readonly OrderByTerm[] | undefined
  /** Only entities behind this place in the order: a value for each term. */
  readonly seek?: SeekPosition | undefined
  /** How many entities to leave out at the start. */
  readonly skip?: number | undefined
  /** How many entities to return at most. */
  readonly top?: number | undefined
}

/** What of an entity is wanted. */
export interface KeyQuery {
  /** The properties that will be looked at; others may be left out of the rows. Absent: all. */
  readonly properties?: ReadonlySet<string> | undefined
}

/** The entities at the other end of a navigation property. */
export interface RelatedTo {
  /** Name of the set that the navigation starts from. */
  readonly entitySet: string
  readonly navigation: NavigationProperty
  readonly row: Row
}

/** The same for several entities; `top` counts for each of them. */
export interface RelatedQuery extends Omit<ReadQuery, 'source'> {
  readonly sources: {
    readonly entitySet: string
    readonly navigation: NavigationProperty
    readonly rows: readonly Row[]
  }
}

/**
 * Does what a function import promises: returns a row, a value, or an array of them.
 *
 * @param parameters JavaScript values by parameter name; null for those that were not given
 */
export type FunctionHandler<Context = unknown> = (
  parameters: Readonly<Record<string, unknown>>,
  context: Context,
  call: ProviderCall<Context>,
) => unknown
