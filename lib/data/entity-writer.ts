import type { EntitySet, EntityType, NavigationProperty, Property } from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import type { StoreDefaults } from '../evaluation/write-values.js'
import { newEntity, valuesToInsert, valuesToMerge, valuesToReplace } from '../evaluation/write-values.js'

import type { EntitySource } from '../query/request-target.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { catchValue, isPromiseLike, mapValue } from '../util/promise-or-value.js'
import { getOrCreate } from '../util/get-or-create.js'
import { TimeSlice } from '../util/time-slice.js'
import {
  AssociationWriter,
  foreignKeyOfSource,
  foreignKeyOfTarget,
  isDependent,
  requireChangeSet,
  targetOf,
  withoutKey,
} from './association-writer.js'
import type { HooksBySet } from './check-hooks.js'
import type { DataReader } from './data-reader.js'
import type { EntityChange, LinkedEntities } from './entity-change.js'
import { keyOf } from './provider-calls.js'
import type { AuthorizedInsert } from './insert-check.js'
import { checkSameSource } from './insert-check.js'
import { HookedWriter } from './hooked-writer.js'
import { withLinkHint } from './link-hint.js'
import { MediaWriter } from './media-writer.js'
import type { NestedInsert } from './nested-insert.js'
import { nestedInsert, withNested } from './nested-insert.js'
import type { AutocommitMethod } from './can-write.js'
import type { EntityVersion, ProviderCalls, UpdatedEntity } from './provider-calls.js'

/** How an update treats properties without a value: `replace` resets them, `merge` leaves them unchanged. */
export type UpdateMode = 'replace' | 'merge'

/** Conditions of an update. */
interface UpdateConditions {
  /** The version that the entity must still have. */
  readonly version?: EntityVersion
  /** Authorizes the changed entity; throws when the caller may not change the entity to this. */
  readonly authorizeChange?: ((changed: Row) => Promise<void>) | undefined
}

/** The entity and navigation property that a new entity is reached from. */
interface NewFrom {
  readonly source: EntitySource
  readonly navigation: NavigationProperty
}

/**
 * Authorizes and makes changes of entities.
 *
 * @spec MS-ODATA 2.2.7 (data modification)
 */
export class EntityWriter {
  private readonly writes: HookedWriter

  constructor(
    readonly calls: ProviderCalls,
    readonly reader: DataReader,
    hooks: HooksBySet | undefined,
  ) {
    this.writes = new HookedWriter(calls, hooks, reader.columns)
  }

  get associations(): AssociationWriter {
    return new AssociationWriter(this.calls, this.reader, this.writes)
  }

  get media(): MediaWriter {
    return new MediaWriter(this.calls, this.reader, this.writes)
  }

  /** True if an error rolls back all changes. */
  get canRollBack(): boolean {
    const { changeSet } = this.calls.call
    return changeSet !== undefined && changeSet.queue?.isFinal !== true
  }

  /** Returns the properties that the provider generates when an insert omits them, except those of the model. */
  storeDefaults(set: EntitySet): PromiseOrValue<StoreDefaults | undefined> {
    return this.calls.storeDefaults(set)
  }

  /** Inserts an entity, inserts or links the entities that its body contains, and returns the entity as it is stored. */
  insert(set: EntitySet, change: EntityChange, from?: NewFrom): PromiseOrValue<Row> {
    if (from === undefined && change.links.length > 0 && !this.reader.hasAuthorize)
      return this.insertDeep(set, change)
    requireChangeSet(
      this.calls,
      countWrites(change) + (from === undefined || hasForeignKey(from.navigation) ? 0 : 1),
    )
    return from === undefined ? this.insertTree(set, change, {}) : this.insertFrom(set, change, from)
  }

  /** Inserts an entity with related ones in one step if the provider can, otherwise in several. */
  private async insertDeep(set: EntitySet, change: EntityChange): Promise<Row> {
    const canNest = (target: EntitySet): boolean => !this.writes.hasHooks(target, 'insert')
    const whole = await nestedInsert(this.calls, set, change, canNest)
    if (whole !== undefined) return this.insertOne(set, whole.change, whole.change.values, '', whole.nested)
    requireChangeSet(this.calls, countWrites(change))
    return this.insertTree(set, change, {})
  }

  /**
   * Inserts an entity without links and without a change set; see {@link needsNoChangeSet}.
   *
   * @param respond creates the response from the entity as it is stored
   * @returns undefined when nothing was inserted: then call `insert`
   */
  autocommitInsert<T>(
    set: EntitySet,
    { type, values, whenTaken, links }: EntityChange,
    respond: (row: Row) => T,
  ): PromiseOrValue<T | undefined> {
    if (type.abstract || links.length > 0 || whenTaken !== undefined) return undefined
    const defaults = this.calls.storeDefaults(set)
    if (isPromiseLike(defaults)) return undefined
    const entity = newEntity(set, type, valuesToInsert(type, values, 'complete', '', defaults))
    return this.calls.autocommitInsert(set, entity, respond)
  }

  /**
   * Updates an entity without a change set; see {@link needsNoChangeSet}.
   *
   * @param current at least the key of the entity
   * @returns undefined when nothing was updated: then call `update`
   */
  autocommitUpdate(
    set: EntitySet,
    current: Row,
    { type, values, links }: EntityChange,
    mode: UpdateMode,
    version: EntityVersion,
  ): PromiseOrValue<UpdatedEntity | undefined> {
    // Members of complex values are merged with the present ones.
    if (links.length > 0 || (mode === 'merge' && hasComplexValue(type, values))) return undefined
    const defaults = this.calls.storeDefaults(set, mode === 'replace')
    if (isPromiseLike(defaults)) return undefined
    let changed: Row
    try {
      changed =
        mode === 'replace'
          ? valuesToReplace(type, values, current, 'complete', defaults)
          : valuesToMerge(type, values, current)
    } catch {
      // The entity may be absent, or have another version: errors that precede this one.
      return undefined
    }
    return this.calls.autocommitUpdate(set, keyOf(set, current), changed, version)
  }

  /**
   * Deletes an entity without a change set; see {@link needsNoChangeSet}.
   *
   * @param current at least the key of the entity
   * @returns false when nothing was deleted: then call `delete`
   */
  autocommitDelete(set: EntitySet, current: Row, version: EntityVersion): PromiseOrValue<boolean> {
    return this.calls.autocommitDelete(set, keyOf(set, current), version)
  }

  /** Returns true if a change has no other steps than its call of the provider: no hooks and no `authorize`. */
  needsNoChangeSet(set: EntitySet, method: AutocommitMethod): boolean {
    return (
      set.entityType.computedProperties.length === 0 &&
      !this.reader.hasAuthorize &&
      !this.writes.hasHooks(set, method)
    )
  }

  private async insertFrom(
    set: EntitySet,
    change: EntityChange,
    { source, navigation }: NewFrom,
  ): Promise<Row> {
    const { associations } = this
    const row = await this.reader.linkable(source)
    if (row === undefined) {
      throw new ODataError('ResourceNotFound', { message: 'The navigation source does not exist.' })
    }
    this.reader.columns?.checkLink(source.set, navigation, set)
    const inserted = await this.insertTree(set, change, foreignKeyOfTarget(navigation, row))
    await associations.completeLink(source.set, navigation, row, set, inserted)
    return inserted
  }

  /** Updates an entity and its links, and returns the entity as it is stored. */
  async update(
    set: EntitySet,
    current: Row,
    change: EntityChange,
    mode: UpdateMode,
    { version, authorizeChange }: UpdateConditions,
  ): Promise<Row> {
    const type = typeOfRow(current, set.entityType)
    const { values, links } = change
    const isReplacement = mode === 'replace'
    const changed = isReplacement
      ? valuesToReplace(
          type,
          values,
          current,
          this.writes.completeness(set, 'beforeUpdate'),
          await this.calls.storeDefaults(set, true),
        )
      : valuesToMerge(type, values, current)
    for (const [name, linked] of links) {
      const navigation = navigationOf(type, name)
      if (linked.kind === 'New' || navigation.isCollection) {
        throw new ODataError('BadRequest', {
          message: `'${name}': an update can only link a single existing entity.`,
        })
      }
      const authorized = await this.associations.authorize(set, current, navigation, linked)
      const foreignKey = await this.associations.foreignKeyFor(navigation, linked, authorized)
      Object.assign(changed, withoutKey(set, current, foreignKey))
    }
    requireChangeSet(this.calls, countWrites(change))
    // Without a rollback, the change must be authorized before it is made.
    if (!this.canRollBack) await authorizeChange?.({ ...current, ...changed })
    const row = await this.writes.update(set, current, { values: changed, version, isReplacement })
    for (const [name, linked] of links) await this.linkAfterwards(set, row, navigationOf(type, name), linked)
    if (this.canRollBack) await authorizeChange?.(row)
    return row
  }

  async delete(set: EntitySet, current: Row, version: EntityVersion): Promise<void> {
    await this.reader.deletions?.check(set, current)
    return this.writes.delete(set, current, version)
  }

  /**
   * Inserts an entity with the entities that its body contains.
   *
   * @param foreignKey refers to the entity that the new entity is reached from
   * @param path of the entity in the body, such as `Items[0]/`; empty for the body itself
   */
  private insertTree(
    set: EntitySet,
    change: EntityChange,
    foreignKey: Record<string, unknown>,
    path = '',
  ): PromiseOrValue<Row> {
    const { type, values, links } = change
    if (type.abstract) throw new ODataError('BadRequest', { message: `'${type.qualifiedName}' is abstract.` })
    const all = { ...values, ...foreignKey }
    return links.length === 0
      ? this.insertOne(set, change, all, path)
      : this.insertLinked(set, change, all, foreignKey, path)
  }

  /** Inserts an entity without the entities that it is linked to. */
  private insertOne(
    set: EntitySet,
    { type, whenTaken }: EntityChange,
    values: Row,
    path: string,
    nested?: NestedInsert['nested'],
  ): PromiseOrValue<Row> {
    const authorized: AuthorizedInsert = {}
    const createEntity = (otherValues?: Row): PromiseOrValue<Row> => {
      const given = { ...values, ...otherValues }
      if (path === '') return this.completeEntity(set, type, given, path, authorized)
      return catchValue(
        () => this.completeEntity(set, type, given, path, authorized),
        (thrown) => {
          throw withLinkHint(thrown, set, type, given)
        },
      )
    }
    const createOther = whenTaken && (() => createEntity(whenTaken))
    const insert = (entity: Row): PromiseOrValue<Row> =>
      this.writes.insert(
        set,
        nested === undefined ? entity : withNested(entity, nested),
        createOther,
        authorized.check,
      )
    if (!this.writes.isConcealing) return mapValue(createEntity(), insert)
    return this.writes.concealing(() => mapValue(createEntity(), insert))
  }

  /** @param values completed by the foreign keys of links */
  private async insertLinked(
    set: EntitySet,
    change: EntityChange,
    values: Record<string, unknown>,
    ownForeignKey: Record<string, unknown>,
    path: string,
  ): Promise<Row> {
    const { type, links } = change
    const { associations } = this
    for (const [name, linked] of links) {
      const navigation = navigationOf(type, name)
      const authorized = await associations.authorize(set, undefined, navigation, linked)
      const principal = await this.insertPrincipal(set, navigation, linked, path)
      const foreignKey = principal ?? (await associations.foreignKeyFor(navigation, linked, authorized))
      checkSameSource(type, navigation, ownForeignKey, foreignKey)
      Object.assign(values, foreignKey)
    }
    const row = await this.insertOne(set, change, values, path)
    for (const [name, linked] of links) {
      await this.linkAfterwards(set, row, navigationOf(type, name), linked, path)
    }
    return row
  }

  /** Completes the values of a new entity by defaults and hooks, and authorizes the insert. */
  private completeEntity(
    set: EntitySet,
    type: EntityType,
    given: Row,
    path: string,
    authorized: AuthorizedInsert,
  ): PromiseOrValue<Row> {
    const completeness = this.writes.completeness(set, 'beforeInsert')
    return mapValue(this.calls.storeDefaults(set), (defaults) => {
      const entity = newEntity(set, type, valuesToInsert(type, given, completeness, path, defaults))
      if (completeness === 'complete' && !this.reader.hasAuthorize) return entity
      return this.authorizeEntity(set, entity, completeness === 'given', path, authorized)
    })
  }

  private async authorizeEntity(
    set: EntitySet,
    entity: Row,
    isHooked: boolean,
    path: string,
    authorized: AuthorizedInsert,
  ): Promise<Row> {
    // A caller who may not insert any entity must not cause calls of hooks.
    if (isHooked) await this.reader.authorizeInsert(set)
    const complete = isHooked ? await this.writes.beforeInsert(set, entity, path) : entity
    authorized.check = await this.reader.authorizeInsert(set, complete, this.canRollBack)
    return complete
  }

  /** Inserts the new entity that this one refers to first, and returns the foreign key. */
  private async insertPrincipal(
    set: EntitySet,
    navigation: NavigationProperty,
    linked: LinkedEntities,
    path: string,
  ): Promise<Row | undefined> {
    const [entity] = linked.kind === 'New' ? linked.entities : []
    if (entity === undefined || !isDependent(navigation)) return undefined
    const row = await this.insertTree(targetOf(set, navigation), entity, {}, `${path}${navigation.name}/`)
    return foreignKeyOfSource(navigation, row)
  }

  /** Makes the links that are not foreign keys of the entity itself. */
  private async linkAfterwards(
    set: EntitySet,
    row: Row,
    navigation: NavigationProperty,
    linked: LinkedEntities,
    path = '',
  ): Promise<void> {
    if (isDependent(navigation)) return
    const { associations } = this
    const target = targetOf(set, navigation)
    const slice = new TimeSlice(this.calls.call)
    if (linked.kind === 'None') {
      await associations.unlinkAll(set, row, navigation)
    } else if (linked.kind === 'Existing') {
      for (const entity of linked.entities) {
        if (slice.shouldYield()) await slice.yield()
        await associations.link(set, row, navigation, target, await associations.existing(entity))
      }
    } else {
      const { name, isCollection } = navigation
      for (const [index, entity] of linked.entities.entries()) {
        if (slice.shouldYield()) await slice.yield()
        const foreignKey = foreignKeyOfTarget(navigation, row)
        const innerPath = `${path}${name}${isCollection ? `[${index}]` : ''}/`
        const child = await this.insertTree(target, entity, foreignKey, innerPath)
        await associations.completeLink(set, navigation, row, target, child)
      }
    }
  }
}

/** Returns the number of provider calls that an insert, or an update with links, takes. */
function countWrites({ type, links }: EntityChange): number {
  let count = 1
  for (const [name, linked] of links) {
    const navigation = navigationOf(type, name)
    if (linked.kind === 'New') {
      for (const entity of linked.entities) count += countWrites(entity) + (hasForeignKey(navigation) ? 0 : 1)
    } else if (!isDependent(navigation)) count += linked.kind === 'None' ? 1 : linked.entities.length
  }
  return count
}

/**
 * Returns true if a foreign key stores the links of a navigation property. Otherwise linking takes a provider call of
 * its own.
 */
function hasForeignKey({ association }: NavigationProperty): boolean {
  return association.referentialConstraint !== undefined
}

function navigationOf(type: EntityType, name: string): NavigationProperty {
  const navigation = type.navigationProperty(name)
  if (navigation === undefined) throw new TypeError(`'${type.name}' has no navigation property '${name}'.`)
  return navigation
}

const complexProperties = new WeakMap<EntityType, readonly Property[]>()

function hasComplexValue(type: EntityType, values: Row): boolean {
  const complex = getOrCreate(complexProperties, type, () =>
    type.properties.filter((one) => !isPrimitive(one.type)),
  )
  return complex.some(({ name }) => Object.hasOwn(values, name))
}
