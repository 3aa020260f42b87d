import type { EntitySet, NavigationProperty, Property } from '../edm/edm-model.js'
import { nameOfType } from '../edm/edm-model.js'
import { convertKey } from '../edm/convert-key.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import { isSameValue } from '../evaluation/write-values.js'
import type { LinkChange } from '../provider/provider.js'
import type { EntitySource } from '../query/request-target.js'
import { describeValue } from '../util/describe-value.js'
import type { DataReader } from './data-reader.js'
import type { LinkedEntities } from './entity-change.js'
import type { HookedWriter } from './hooked-writer.js'
import type { ProviderCalls } from './provider-calls.js'
import { keyOf } from './provider-calls.js'

type Values = Record<string, unknown>

/**
 * Links and unlinks entities: by the foreign key if the association has a referential constraint, else by the link
 * methods of the provider.
 *
 * @spec MS-ODATA 2.2.7.4 (links)
 */
export class AssociationWriter {
  constructor(
    private readonly calls: ProviderCalls,
    private readonly reader: DataReader,
    private readonly writes: HookedWriter,
  ) {}

  /**
   * Returns the foreign key that links in a body set.
   *
   * @param authorized the entity that {@link authorize} has read
   */
  async foreignKeyFor(
    navigation: NavigationProperty,
    linked: LinkedEntities,
    authorized: Row | undefined,
  ): Promise<Values> {
    if (!isDependent(navigation) || linked.kind === 'New') return {}
    if (linked.kind === 'None') {
      checkOptional(navigation)
      return foreignKeyOfSource(navigation, undefined)
    }
    const [entity] = linked.entities
    return entity === undefined
      ? {}
      : foreignKeyOfSource(navigation, authorized ?? (await this.existing(entity)))
  }

  /** Reads an entity that a body links to. @throws ODataError BadRequest when it does not exist */
  async existing(entity: EntitySource): Promise<Row> {
    const row = await this.reader.linkable(entity)
    if (row !== undefined) return row
    throw new ODataError('BadRequest', {
      message: `The body links to an entity of '${entity.set.path}' that does not exist.`,
    })
  }

  /**
   * Authorizes the links that a body adds and removes, before anything is changed.
   *
   * @param current the entity before the change; undefined for a new entity
   * @returns the last entity to link, if it has been read
   * @throws ODataError Forbidden
   */
  async authorize(
    set: EntitySet,
    current: Row | undefined,
    navigation: NavigationProperty,
    linked: LinkedEntities,
  ): Promise<Row | undefined> {
    if (!this.reader.hasAuthorize) return undefined
    const { links } = this.reader
    let row: Row | undefined
    const target = targetOf(set, navigation)
    if (linked.kind === 'None') {
      if (current !== undefined) await links.authorizeReplacement(set, current, navigation, target)
    } else if (linked.kind === 'Existing') {
      if (current !== undefined && linked.entities.length > 0) await links.authorizeLink(set, current)
      for (const entity of linked.entities) {
        row = await this.existing(entity)
        await links.authorizeMove(set, current, navigation, target, row)
      }
    }
    this.reader.columns?.checkLink(set, navigation, target)
    return row
  }

  async link(
    set: EntitySet,
    source: Row,
    navigation: NavigationProperty,
    targetSet: EntitySet,
    target: Row,
  ): Promise<void> {
    this.reader.columns?.checkLink(set, navigation, targetSet)
    if (isDependent(navigation)) {
      await this.setForeignKey(set, source, foreignKeyOfSource(navigation, target))
      return
    }
    if (navigation.association.referentialConstraint === undefined) {
      await this.calls.link(set, linkOf(set, source, navigation, targetSet, target))
      return
    }
    if (!navigation.isCollection) await this.unlinkOthers(set, source, navigation, targetSet, target)
    await this.setForeignKey(targetSet, target, foreignKeyOfTarget(navigation, source))
  }

  /** Updates a foreign key unless it has the same values already. */
  private async setForeignKey(set: EntitySet, row: Row, foreignKey: Values): Promise<void> {
    const values = withoutKey(set, row, foreignKey)
    const type = typeOfRow(row, set.entityType)
    const isSame = Object.entries(values).every(([name, value]) => {
      const property = type.property(name)
      return property !== undefined && isSameValue(property, value, row[name])
    })
    if (!isSame) await this.writes.update(set, row, { values })
  }

  /** Unlinks the entity that the new target of a single-valued navigation property replaces. */
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

  /** Links an entity that has been inserted, unless its foreign key links it already. */
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

  /** @throws ODataError BadRequest when one of the entities requires the link */
  async unlink(
    set: EntitySet,
    source: Row,
    navigation: NavigationProperty,
    targetSet: EntitySet,
    target: Row,
  ): Promise<void> {
    this.reader.columns?.checkLink(set, navigation, targetSet)
    checkOptional(navigation)
    if (isDependent(navigation)) {
      await this.writes.update(set, source, { values: foreignKeyOfSource(navigation, undefined) })
    } else if (navigation.association.referentialConstraint !== undefined) {
      await this.writes.update(targetSet, target, { values: foreignKeyOfTarget(navigation, undefined) })
    } else {
      await this.calls.unlink(set, linkOf(set, source, navigation, targetSet, target))
    }
  }

  /** Removes the link of a single-valued navigation property. */
  async unlinkAll(set: EntitySet, source: Row, navigation: NavigationProperty): Promise<void> {
    const target = targetOf(set, navigation)
    for (const row of await this.reader.linkedRows(set, source, navigation, target)) {
      await this.unlink(set, source, navigation, target, row)
    }
  }
}

/** Refuses several changes that could not be rolled back together. @throws ODataError NotImplemented */
export function requireChangeSet({ call }: ProviderCalls, changes: number): void {
  const { changeSet } = call
  if (changes < 2 || (changeSet !== undefined && changeSet.queue?.isFinal !== true)) return
  throw new ODataError('NotImplemented', {
    message: 'This service can make only one change in a request. Send the changes in separate requests.',
  })
}

export function targetOf(set: EntitySet, navigation: NavigationProperty): EntitySet {
  const target = set.targetOf(navigation)
  if (target !== undefined) return target
  throw new ODataError('NotImplemented', {
    message: `The model does not define the entity set of '${navigation.name}'.`,
  })
}

/** Returns true if the entity with the navigation property has the foreign key. */
export function isDependent({ association, fromEnd }: NavigationProperty): boolean {
  return association.referentialConstraint?.dependent === fromEnd
}

/** Returns the foreign key of a source that refers to a target. */
export function foreignKeyOfSource(navigation: NavigationProperty, target: Row | undefined): Values {
  return foreignKey(navigation, navigation.fromEnd, target)
}

/** Returns the foreign key of a target that refers to a source. */
export function foreignKeyOfTarget(navigation: NavigationProperty, source: Row | undefined): Values {
  return foreignKey(navigation, navigation.toEnd, source)
}

function foreignKey(
  { association: { referentialConstraint: constraint } }: NavigationProperty,
  dependent: NavigationProperty['fromEnd'],
  principal: Row | undefined,
): Values {
  if (constraint?.dependent !== dependent) return {}
  const { dependentProperties, principalProperties } = constraint
  const valueFor = (own: Property, key: Property | undefined): unknown => {
    const value = principal?.[key?.name ?? ''] ?? null
    const converted = key === undefined ? value : convertKey(value, key, own)
    if (converted !== undefined) return converted
    throw new ODataError('BadRequest', {
      message: `'${own.name}' is ${nameOfType(own.type)}, which cannot store the key ${describeValue(value)}.`,
    })
  }
  return Object.fromEntries(
    dependentProperties.map((own, index) => [own.name, valueFor(own, principalProperties[index])]),
  )
}

/**
 * Returns the values of a foreign key without properties that are also part of the key of the entity.
 *
 * @throws ODataError BadRequest when the key would change
 */
export function withoutKey(set: EntitySet, row: Row, foreignKeyValues: Values): Values {
  const values = { ...foreignKeyValues }
  for (const property of set.entityType.key) {
    const { name } = property
    if (!Object.hasOwn(values, name)) continue
    if (!isSameValue(property, values[name], row[name])) {
      throw new ODataError('BadRequest', {
        message: `'${name}' is part of the key, which cannot change. The link of this entity cannot change either.`,
      })
    }
    Reflect.deleteProperty(values, name)
  }
  return values
}

function checkOptional({ name, fromEnd, toEnd, association }: NavigationProperty): void {
  const mandatory = [fromEnd, toEnd].find(({ multiplicity }) => multiplicity === '1')
  const constraint = association.referentialConstraint
  const isRequired = constraint?.dependentProperties.some(({ nullable, isKey }) => !nullable || isKey)
  if (mandatory === undefined && isRequired !== true) return
  throw new ODataError('BadRequest', {
    message: `'${name}' requires a linked entity. Link another entity, or delete this one.`,
  })
}

function linkOf(
  set: EntitySet,
  source: Row,
  navigation: NavigationProperty,
  targetSet: EntitySet,
  target: Row,
): LinkChange {
  return {
    entitySet: set.path,
    targetSet: targetSet.path,
    navigation,
    key: keyOf(set, source),
    targetKey: keyOf(targetSet, target),
  }
}
