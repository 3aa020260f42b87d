import type { EntitySet, NavigationProperty } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import type { EntitySource } from '../query/request-target.js'
import type { DataReader } from './data-reader.js'
import type { LinkedEntities } from './entity-change.js'
import type { HookedWriter } from './hooked-writer.js'
import { keyOf } from './key-of.js'
import type { ProviderCalls } from './provider-calls.js'
import type { LinkChange } from '../provider/provider.js'
import { isSameValue } from '../evaluation/write-values.js'

type Values = Record<string, unknown>

/**
 * Links and unlinks entities: by the foreign key where the association has a referential constraint, else by the
 * provider's own links.
 *
 * @spec MS-ODATA 2.2.7.4 (links)
 */
export class AssociationWriter {
  constructor(
    private readonly calls: ProviderCalls,
    private readonly reader: DataReader,
    private readonly writes: HookedWriter,
  ) {}

  targetOf(set: EntitySet, navigation: NavigationProperty): EntitySet {
    const target = set.targetOf(navigation)
    if (target !== undefined) return target
    throw new ODataError('NotImplemented', {
      message: `The model does not say which entity set '${navigation.name}' leads to.`,
    })
  }

  /** True when the entity that the navigation property belongs to holds the foreign key. */
  isDependent(navigation: NavigationProperty): boolean {
    const constraint = navigation.association.referentialConstraint
    return constraint !== undefined && constraint.dependent === navigation.fromEnd
  }

  /** The foreign key of a source that is to refer to a target. */
  foreignKeyOfSource(navigation: NavigationProperty, target: Row | undefined): Values {
    const constraint = navigation.association.referentialConstraint
    if (constraint === undefined || constraint.dependent !== navigation.fromEnd) return {}
    return foreignKey(constraint.dependentProperties, constraint.principalProperties, target)
  }

  /** The foreign key of a target that is to refer to a source. */
  foreignKeyOfTarget(navigation: NavigationProperty, source: Row | undefined): Values {
    const constraint = navigation.association.referentialConstraint
    if (constraint === undefined || constraint.dependent !== navigation.toEnd) return {}
    return foreignKey(constraint.dependentProperties, constraint.principalProperties, source)
  }

  /** The foreign key that a body says by a link rather than by values. */
  async foreignKeyFor(navigation: NavigationProperty, linked: LinkedEntities): Promise<Values> {
    if (!this.isDependent(navigation) || linked.kind === 'New') return {}
    if (linked.kind === 'None') {
      this.checkOptional(navigation)
      return this.foreignKeyOfSource(navigation, undefined)
    }
    const [entity] = linked.entities
    return entity === undefined ? {} : this.foreignKeyOfSource(navigation, await this.existing(entity))
  }

  /** An entity that a body refers to. @throws ODataError BadRequest when there is none */
  async existing(entity: EntitySource): Promise<Row> {
    const row = await this.linkable(entity)
    if (row !== undefined) return row
    throw new ODataError('BadRequest', {
      message: `The body links to an entity of '${entity.set.path}' that does not exist.`,
    })
  }

  /** An entity that the caller may link; undefined when there is none. */
  async linkable(entity: EntitySource): Promise<Row | undefined> {
    const row = await this.reader.findEntity(entity, 'link')
    if (row === undefined || !this.reader.links.hasAuthorize) return row
    // A filter that hides an entity need not name links too: what cannot be read cannot be linked.
    return (await this.reader.findEntity(entity, 'read')) === undefined ? undefined : row
  }

  /**
   * Asks about the links that come and go by what a body says of a navigation property, before anything is changed.
   *
   * @param current the entity as it is; undefined when it is new
   * @throws ODataError Forbidden
   */
  async permit(
    set: EntitySet,
    current: Row | undefined,
    navigation: NavigationProperty,
    linked: LinkedEntities,
  ): Promise<void> {
    const { links } = this.reader
    if (!links.hasAuthorize || linked.kind === 'New') return
    const target = this.targetOf(set, navigation)
    if (linked.kind === 'None') {
      if (current !== undefined) await links.permitReplaced(set, current, navigation, target)
      return
    }
    if (current !== undefined && linked.entities.length > 0) await links.permitLink(set, current)
    for (const entity of linked.entities) {
      await links.permitMove(set, current, navigation, target, await this.existing(entity))
    }
  }

  async link(
    set: EntitySet,
    source: Row,
    navigation: NavigationProperty,
    targetSet: EntitySet,
    target: Row,
  ): Promise<void> {
    if (this.isDependent(navigation)) {
      await this.setForeignKey(set, source, this.foreignKeyOfSource(navigation, target))
      return
    }
    if (navigation.association.referentialConstraint === undefined) {
      await this.calls.link(set, linkOf(set, source, navigation, targetSet, target))
      return
    }
    if (!navigation.isCollection) await this.unlinkOthers(set, source, navigation, targetSet, target)
    await this.setForeignKey(targetSet, target, this.foreignKeyOfTarget(navigation, source))
  }

  /**
   * What of a foreign key can be written to an entity that exists: all but what is part of its key too.
   *
   * @throws ODataError BadRequest when that would change
   */
  withoutKey(set: EntitySet, row: Row, foreignKey: Values): Values {
    const values = { ...foreignKey }
    for (const property of set.entityType.key) {
      const { name } = property
      if (!Object.hasOwn(values, name)) continue
      if (!isSameValue(property, values[name], row[name])) {
        throw new ODataError('BadRequest', {
          message: `'${name}' is part of the key, which cannot change: this entity stays linked as it is.`,
        })
      }
      Reflect.deleteProperty(values, name)
    }
    return values
  }

  /** To link what is linked already changes nothing. */
  private async setForeignKey(set: EntitySet, row: Row, foreignKey: Values): Promise<void> {
    const values = this.withoutKey(set, row, foreignKey)
    const type = typeOfRow(row, set.entityType)
    const isSame = Object.entries(values).every(([name, value]) => {
      const property = type.property(name)
      return property !== undefined && isSameValue(property, value, row[name])
    })
    if (!isSame) await this.writes.update(set, row, { values })
  }

  /** Where only one entity can be linked, the new one takes the place of the old one. */
  private async unlinkOthers(
    set: EntitySet,
    source: Row,
    navigation: NavigationProperty,
    targetSet: EntitySet,
    target: Row,
  ): Promise<void> {
    for (const other of await this.reader.linkedRows(set, source, navigation, targetSet)) {
      const isTarget = targetSet.entityType.key.every((key) =>
        isSameValue(key, other[key.name], target[key.name]),
      )
      if (isTarget) continue
      requireChangeSet(this.calls, 2)
      await this.unlink(set, source, navigation, targetSet, other)
    }
  }

  /** Links an entity that was made with its foreign key already, if there is one. */
  async completeLink(
    set: EntitySet,
    navigation: NavigationProperty,
    source: Row,
    targetSet: EntitySet,
    target: Row,
  ): Promise<void> {
    const constraint = navigation.association.referentialConstraint
    if (constraint?.dependent === navigation.toEnd) return
    await this.link(set, source, navigation, targetSet, target)
  }

  /** @throws ODataError BadRequest when one of the two cannot be without the other */
  async unlink(
    set: EntitySet,
    source: Row,
    navigation: NavigationProperty,
    targetSet: EntitySet,
    target: Row,
  ): Promise<void> {
    this.checkOptional(navigation)
    if (this.isDependent(navigation)) {
      await this.writes.update(set, source, { values: this.foreignKeyOfSource(navigation, undefined) })
    } else if (navigation.association.referentialConstraint !== undefined) {
      await this.writes.update(targetSet, target, { values: this.foreignKeyOfTarget(navigation, undefined) })
    } else {
      await this.calls.unlink(set, linkOf(set, source, navigation, targetSet, target))
    }
  }

  /** Unlinks what a single-valued navigation property leads to. */
  async unlinkAll(set: EntitySet, source: Row, navigation: NavigationProperty): Promise<void> {
    const target = this.targetOf(set, navigation)
    for (const row of await this.reader.linkedRows(set, source, navigation, target)) {
      await this.unlink(set, source, navigation, target, row)
    }
  }

  private checkOptional({ name, fromEnd, toEnd, association }: NavigationProperty): void {
    const mandatory = [fromEnd, toEnd].find(({ multiplicity }) => multiplicity === '1')
    const constraint = association.referentialConstraint
    const isFixed = constraint?.dependentProperties.some(({ nullable, isKey }) => !nullable || isKey) ?? false
    if (mandatory === undefined && !isFixed) return
    throw new ODataError('BadRequest', {
      message: `'${name}': an entity must be linked here. Link another one, or delete the entity.`,
    })
  }
}

/**
 * Several changes are only made when they can be taken back together.
 *
 * @throws ODataError NotImplemented
 */
export function requireChangeSet({ call }: ProviderCalls, changes: number): void {
  if (changes < 2 || call.changeSet !== undefined) return
  throw new ODataError('NotImplemented', {
    message: 'This service can make only one change at a time: send them one by one.',
  })
}

function foreignKey(
  to: readonly { readonly name: string }[],
  from: readonly { readonly name: string }[],
  row: Row | undefined,
): Values {
  return Object.fromEntries(to.map(({ name }, index) => [name, row?.[from[index]?.name ?? ''] ?? null]))
}

function linkOf(
  set: EntitySet,
  source: Row,
  navigation: NavigationProperty,
  targetSet: EntitySet,
  target: Row,
): LinkChange {
  const key = keyOf(set, source)
  return {
    entitySet: set.path,
    targetSet: targetSet.path,
    navigation,
    key,
    targetKey: keyOf(targetSet, target),
  }
}
