import type { EntitySet, EntityType, NavigationProperty } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import type { EntitySource } from '../query/request-target.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { catchValue, mapValue } from '../util/promise-or-value.js'
import { TimeSlice } from '../util/time-slice.js'
import { AssociationWriter, requireChangeSet } from './association-writer.js'
import type { HooksBySet } from './check-hooks.js'
import type { DataReader } from './data-reader.js'
import type { EntityChange, LinkedEntities } from './entity-change.js'
import { HookedWriter } from './hooked-writer.js'
import { withLinkHint } from './link-hint.js'
import { MediaWriter } from './media-writer.js'
import type { ProviderCalls } from './provider-calls.js'
import { isSameValue, valuesToInsert, valuesToMerge, valuesToReplace } from '../evaluation/write-values.js'

/** How an update treats what it does not name: `replace` sets it back, `merge` leaves it. */
export type UpdateMode = 'replace' | 'merge'

/** What must be so for an update to happen. */
export interface UpdateConditions {
  /** The entity in the version that it must still have; absent when any will do. */
  readonly version?: Row | undefined
  /** Asks whether the caller may make the entity what it becomes. */
  readonly permit?: ((changed: Row) => Promise<void>) | undefined
}

/** From which entity, over which navigation property, a new one is reached. */
export interface NewFrom {
  readonly source: EntitySource
  readonly navigation: NavigationProperty
}

/**
 * Changes entities. What may be changed is asked of the application, what is read on the way comes through the same
 * door as everything that is read.
 *
 * @spec MS-ODATA 2.2.7 (data modification)
 */
export class EntityWriter {
  readonly associations: AssociationWriter
  readonly media: MediaWriter
  private readonly writes: HookedWriter

  constructor(
    private readonly calls: ProviderCalls,
    readonly reader: DataReader,
    hooks: HooksBySet | undefined,
  ) {
    this.writes = new HookedWriter(calls, hooks)
    this.associations = new AssociationWriter(calls, reader, this.writes)
    this.media = new MediaWriter(calls, reader, this.writes)
  }

  /** Whether what has been done is taken back when something fails. */
  get isTakenBack(): boolean {
    return this.calls.call.changeSet !== undefined
  }

  /** Adds an entity and what is to be added with it; links it to what exists. Returns it as it is stored. */
  insert(set: EntitySet, change: EntityChange, from?: NewFrom): PromiseOrValue<Row> {
    requireChangeSet(this.calls, writesOf(change) + (from !== undefined && isLinked(from.navigation) ? 1 : 0))
    return from === undefined ? this.insertWith(set, change, {}) : this.insertFrom(set, change, from)
  }

  /**
   * Inserts an entity without links and without a change set, where the provider can and neither hooks nor `authorize`
   * are called.
   *
   * @param respond creates the response from the entity as it is stored
   * @returns undefined when nothing was inserted: then call `insert`
   */
  autocommitInsert<T>(
    set: EntitySet,
    { type, values, whenTaken, links }: EntityChange,
    respond: (row: Row) => T,
  ): PromiseOrValue<T | undefined> {
    if (
      !this.calls.canAutocommitInsert(set) ||
      type.abstract ||
      links.length > 0 ||
      whenTaken !== undefined
    ) {
      return undefined
    }
    if (this.reader.hasAuthorize || this.writes.areInsertsHooked(set)) return undefined
    return this.calls.autocommitInsert(set, newEntity(set, type, valuesToInsert(type, values)), respond)
  }

  private async insertFrom(set: EntitySet, change: EntityChange, from: NewFrom): Promise<Row> {
    const source = await this.associations.linkable(from.source)
    if (source === undefined) {
      throw new ODataError('ResourceNotFound', { message: 'There is no entity to add one to.' })
    }
    // The new entity is at the other end: seen from there the source is what it refers to.
    const values = this.associations.foreignKeyOfTarget(from.navigation, source)
    const row = await this.insertWith(set, change, values)
    await this.associations.completeLink(from.source.set, from.navigation, source, set, row)
    return row
  }

  /** @returns the entity as it is stored */
  async update(
    set: EntitySet,
    current: Row,
    change: EntityChange,
    mode: UpdateMode,
    { version, permit }: UpdateConditions = {},
  ): Promise<Row> {
    const type = typeOfRow(current, set.entityType)
    const { values, links } = change
    const isReplacement = mode === 'replace'
    const changed = isReplacement
      ? valuesToReplace(type, values, current, this.writes.completeness(set, 'beforeUpdate'))
      : valuesToMerge(type, values, current)
    for (const [name, linked] of links) {
      const navigation = navigationOf(type, name)
      if (linked.kind === 'New' || navigation.isCollection) {
        throw new ODataError('BadRequest', {
          message: `'${name}': an update can only link a single entity that exists.`,
        })
      }
      await this.associations.permit(set, current, navigation, linked)
      const foreignKey = await this.associations.foreignKeyFor(navigation, linked)
      Object.assign(changed, this.associations.withoutKey(set, current, foreignKey))
    }
    requireChangeSet(this.calls, writesOf(change))
    // What cannot be taken back is asked about as far as it is known beforehand.
    if (!this.isTakenBack) await permit?.({ ...current, ...changed })
    const row = await this.writes.update(set, current, { values: changed, version, isReplacement })
    for (const [name, linked] of links) await this.linkAfterwards(set, row, navigationOf(type, name), linked)
    if (this.isTakenBack) await permit?.(row)
    return row
  }

  async delete(set: EntitySet, current: Row, version?: Row): Promise<void> {
    await this.writes.delete(set, current, version)
  }

  /**
   * @param start foreign key by which the entity hangs on the one over which it is reached
   * @param place of the entity in the body, such as `Items[0]/`; nothing for the body itself
   */
  private insertWith(
    set: EntitySet,
    change: EntityChange,
    start: Record<string, unknown>,
    place = '',
  ): PromiseOrValue<Row> {
    const { type, values, links } = change
    if (type.abstract) throw new ODataError('BadRequest', { message: `'${type.qualifiedName}' is abstract.` })
    const all = { ...values, ...start }
    return links.length === 0
      ? this.insertOne(set, change, all, place)
      : this.insertLinked(set, change, all, start, place)
  }

  /** The entity alone, with all the values that it has. */
  private insertOne(
    set: EntitySet,
    { type, whenTaken }: EntityChange,
    values: Row,
    place: string,
  ): PromiseOrValue<Row> {
    const entityWith = (more?: Row): PromiseOrValue<Row> =>
      this.entityToInsert(set, type, { ...values, ...more }, place)
    const otherwise = whenTaken && (() => entityWith(whenTaken))
    return mapValue(entityWith(), (entity) => this.writes.insert(set, entity, otherwise))
  }

  /** @param values are added to by what links say of foreign keys */
  private async insertLinked(
    set: EntitySet,
    change: EntityChange,
    values: Record<string, unknown>,
    start: Record<string, unknown>,
    place: string,
  ): Promise<Row> {
    const { type, links } = change
    for (const [name, linked] of links) {
      const navigation = navigationOf(type, name)
      await this.associations.permit(set, undefined, navigation, linked)
      const before = await this.insertPrincipal(set, navigation, linked, place)
      const foreignKey = before ?? (await this.associations.foreignKeyFor(navigation, linked))
      checkSamePlace(type, navigation, start, foreignKey)
      Object.assign(values, foreignKey)
    }
    const row = await this.insertOne(set, change, values, place)
    for (const [name, linked] of links) {
      await this.linkAfterwards(set, row, navigationOf(type, name), linked, place)
    }
    return row
  }

  /** An entity with all that it needs, which the caller may make. */
  private entityToInsert(set: EntitySet, type: EntityType, given: Row, place: string): PromiseOrValue<Row> {
    if (place === '') return this.completeEntity(set, type, given, place)
    return catchValue(
      () => this.completeEntity(set, type, given, place),
      (thrown) => {
        throw withLinkHint(thrown, set, type, given)
      },
    )
  }

  private completeEntity(set: EntitySet, type: EntityType, given: Row, place: string): PromiseOrValue<Row> {
    const completeness = this.writes.completeness(set, 'beforeInsert')
    const values = valuesToInsert(type, given, completeness, place)
    const entity = newEntity(set, type, values)
    const complete = completeness === 'given' ? this.completedByHook(set, entity, place) : entity
    return mapValue(complete, (made) => mapValue(this.reader.permitNew(set, made), () => made))
  }

  private async completedByHook(set: EntitySet, entity: Row, place: string): Promise<Row> {
    // Whoever may make none at all is not worth a hook.
    await this.reader.permitNew(set)
    return this.writes.beforeInsert(set, entity, place)
  }

  /** A new entity that this one refers to must be there before it. */
  private async insertPrincipal(
    set: EntitySet,
    navigation: NavigationProperty,
    linked: LinkedEntities,
    place: string,
  ): Promise<Row | undefined> {
    const [entity] = linked.kind === 'New' ? linked.entities : []
    if (entity === undefined || !this.associations.isDependent(navigation)) return undefined
    const target = this.associations.targetOf(set, navigation)
    const row = await this.insertWith(target, entity, {}, `${place}${navigation.name}/`)
    return this.associations.foreignKeyOfSource(navigation, row)
  }

  /** What could not be said by the values of the entity itself. */
  private async linkAfterwards(
    set: EntitySet,
    row: Row,
    navigation: NavigationProperty,
    linked: LinkedEntities,
    place = '',
  ): Promise<void> {
    if (this.associations.isDependent(navigation)) return
    const target = this.associations.targetOf(set, navigation)
    const slice = new TimeSlice(this.calls.call)
    if (linked.kind === 'None') {
      await this.associations.unlinkAll(set, row, navigation)
    } else if (linked.kind === 'Existing') {
      for (const entity of linked.entities) {
        if (slice.shouldYield()) await slice.yield()
        await this.associations.link(set, row, navigation, target, await this.associations.existing(entity))
      }
    } else {
      const { name, isCollection } = navigation
      for (const [index, entity] of linked.entities.entries()) {
        if (slice.shouldYield()) await slice.yield()
        const start = this.associations.foreignKeyOfTarget(navigation, row)
        const inside = `${place}${name}${isCollection ? `[${index}]` : ''}/`
        const child = await this.insertWith(target, entity, start, inside)
        await this.associations.completeLink(set, navigation, row, target, child)
      }
    }
  }
}

function newEntity({ entityType }: EntitySet, type: EntityType, values: Row): Row {
  return type === entityType ? values : { $type: type.qualifiedName, ...values }
}

/** How many calls of the provider it takes to insert an entity, or to update one that names links. */
function writesOf({ type, links }: EntityChange): number {
  let count = 1
  for (const [name, linked] of links) {
    const navigation = navigationOf(type, name)
    const { referentialConstraint } = navigation.association
    const isDependent = referentialConstraint?.dependent === navigation.fromEnd
    if (linked.kind === 'New') {
      for (const entity of linked.entities) count += writesOf(entity) + (isLinked(navigation) ? 1 : 0)
    } else if (!isDependent) count += linked.kind === 'None' ? 1 : linked.entities.length
  }
  return count
}

/** True when no foreign key links the entities: it takes a call of its own. */
function isLinked({ association }: NavigationProperty): boolean {
  return association.referentialConstraint === undefined
}

/** @throws ODataError BadRequest when a body links an entity elsewhere than where it is added */
function checkSamePlace(
  type: EntityType,
  { name: navigation }: NavigationProperty,
  start: Row,
  foreignKey: Row,
): void {
  for (const [name, value] of Object.entries(foreignKey)) {
    const property = type.property(name)
    if (property === undefined || !Object.hasOwn(start, name)) continue
    if (!isSameValue(property, start[name], value)) {
      throw new ODataError('BadRequest', {
        message: `'${navigation}' leads to another entity than the one that this one is added to.`,
      })
    }
  }
}

function navigationOf(type: EntityType, name: string): NavigationProperty {
  const navigation = type.navigationProperty(name)
  if (navigation === undefined) throw new TypeError(`'${type.name}' has no navigation property '${name}'.`)
  return navigation
}
