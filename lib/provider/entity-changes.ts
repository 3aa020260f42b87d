import type { NavigationProperty } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import type { ChangeSet } from './change-set.js'
import type { ProviderCall } from './provider-call.js'

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
