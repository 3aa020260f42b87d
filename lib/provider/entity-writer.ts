import type { EntitySet, EntityType, NavigationProperty } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import type { EntitySource } from '../query/request-target.js'
import { AssociationWriter } from './association-writer.js'
import type { DataAccess } from './data-access.js'
import type { EntityChange, LinkedEntities } from './entity-change.js'
import { keyOf } from './key-of.js'
import type { ProviderCalls } from './provider-calls.js'
import { valuesToInsert, valuesToMerge, valuesToReplace } from './write-values.js'

/** How an update treats what it does not name: `replace` sets it back, `merge` leaves it. */
export type UpdateMode = 'replace' | 'merge'

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

  constructor(
    private readonly calls: ProviderCalls,
    readonly access: DataAccess,
  ) {
    this.associations = new AssociationWriter(calls, access)
  }

  /** Adds an entity and what is to be added with it; links it to what exists. Returns it as it is stored. */
  async insert(set: EntitySet, change: EntityChange, from?: NewFrom): Promise<Row> {
    const values = { ...change.values }
    const source = from === undefined ? undefined : await this.access.entity(from.source)
    if (source !== undefined && from !== undefined) {
      // The new entity is at the other end: seen from there the source is what it refers to.
      Object.assign(values, this.associations.foreignKeyOfTarget(from.navigation, source))
    }
    return this.insertWith(set, change, values, async (row) => {
      if (source === undefined || from === undefined) return
      await this.associations.completeLink(from.source.set, from.navigation, source, set, row)
    })
  }

  /** @returns the entity as it is stored */
  async update(
    set: EntitySet,
    current: Row,
    change: EntityChange,
    mode: UpdateMode,
    version?: Row,
  ): Promise<Row> {
    const type = typeOfRow(current, set.entityType)
    const { values, links } = change
    const changed =
      mode === 'replace' ? valuesToReplace(type, values, current) : valuesToMerge(type, values, current)
    for (const [name, linked] of links) {
      const navigation = navigationOf(type, name)
      if (linked.kind === 'New' || navigation.isCollection) {
        throw new ODataError('BadRequest', {
          message: `'${name}': an update can only link a single entity that exists.`,
        })
      }
      Object.assign(changed, await this.associations.foreignKeyFor(navigation, linked))
    }
    const row = await this.calls.update(set, keyOf(set, current), changed, version)
    for (const [name, linked] of links) await this.linkAfterwards(set, row, navigationOf(type, name), linked)
    return row
  }

  async delete(set: EntitySet, current: Row, version?: Row): Promise<void> {
    await this.calls.delete(set, keyOf(set, current), version)
  }

  private async insertWith(
    set: EntitySet,
    { type, values: given, links }: EntityChange,
    start: Record<string, unknown>,
    afterwards: (row: Row) => Promise<void>,
  ): Promise<Row> {
    if (type.abstract) throw new ODataError('BadRequest', { message: `'${type.qualifiedName}' is abstract.` })
    const values = { ...given, ...start }
    for (const [name, linked] of links) {
      const navigation = navigationOf(type, name)
      const before = await this.insertPrincipal(set, navigation, linked)
      Object.assign(values, before ?? (await this.associations.foreignKeyFor(navigation, linked)))
    }
    const complete = valuesToInsert(type, values)
    const entity = type === set.entityType ? complete : { $type: type.qualifiedName, ...complete }
    await this.access.permitNew(set, entity)
    const row = await this.calls.insert(set, entity)
    await afterwards(row)
    for (const [name, linked] of links) await this.linkAfterwards(set, row, navigationOf(type, name), linked)
    return row
  }

  /** A new entity that this one refers to must be there before it. */
  private async insertPrincipal(
    set: EntitySet,
    navigation: NavigationProperty,
    linked: LinkedEntities,
  ): Promise<Row | undefined> {
    const [entity] = linked.kind === 'New' ? linked.entities : []
    if (entity === undefined || !this.associations.isDependent(navigation)) return undefined
    const target = this.associations.targetOf(set, navigation)
    const row = await this.insertWith(target, entity, {}, () => Promise.resolve())
    return this.associations.foreignKeyOfSource(navigation, row)
  }

  /** What could not be said by the values of the entity itself. */
  private async linkAfterwards(
    set: EntitySet,
    row: Row,
    navigation: NavigationProperty,
    linked: LinkedEntities,
  ): Promise<void> {
    if (this.associations.isDependent(navigation)) return
    const target = this.associations.targetOf(set, navigation)
    if (linked.kind === 'None') {
      await this.associations.unlinkAll(set, row, navigation)
    } else if (linked.kind === 'Existing') {
      for (const entity of linked.entities) {
        await this.associations.link(set, row, navigation, target, await this.associations.existing(entity))
      }
    } else {
      for (const entity of linked.entities) {
        const start = this.associations.foreignKeyOfTarget(navigation, row)
        await this.insertWith(target, entity, start, async (child) => {
          await this.associations.completeLink(set, navigation, row, target, child)
        })
      }
    }
  }
}

function navigationOf(type: EntityType, name: string): NavigationProperty {
  const navigation = type.navigationProperty(name)
  if (navigation === undefined) throw new TypeError(`'${type.name}' has no navigation property '${name}'.`)
  return navigation
}
