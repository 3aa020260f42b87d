import type { EntitySet, NavigationProperty } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import type { EntitySource } from '../query/request-target.js'
import type { DataAccess } from './data-access.js'
import type { LinkedEntities } from './entity-change.js'
import { keyOf } from './key-of.js'
import type { ProviderCalls } from './provider-calls.js'
import type { LinkChange } from './provider.js'

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
    private readonly access: DataAccess,
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
    const row = await this.access.findEntity(entity, 'read')
    if (row !== undefined) return row
    throw new ODataError('BadRequest', {
      message: `The body links to an entity of '${entity.set.path}' that does not exist.`,
    })
  }

  async link(
    set: EntitySet,
    source: Row,
    navigation: NavigationProperty,
    targetSet: EntitySet,
    target: Row,
  ): Promise<void> {
    if (this.isDependent(navigation)) {
      await this.calls.update(set, keyOf(set, source), this.foreignKeyOfSource(navigation, target), undefined)
      return
    }
    if (navigation.association.referentialConstraint === undefined) {
      await this.calls.link(set, linkOf(set, source, navigation, targetSet, target))
      return
    }
    if (!navigation.isCollection) await this.unlinkAll(set, source, navigation)
    const values = this.foreignKeyOfTarget(navigation, source)
    await this.calls.update(targetSet, keyOf(targetSet, target), values, undefined)
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
      await this.calls.update(
        set,
        keyOf(set, source),
        this.foreignKeyOfSource(navigation, undefined),
        undefined,
      )
    } else if (navigation.association.referentialConstraint !== undefined) {
      const values = this.foreignKeyOfTarget(navigation, undefined)
      await this.calls.update(targetSet, keyOf(targetSet, target), values, undefined)
    } else {
      await this.calls.unlink(set, linkOf(set, source, navigation, targetSet, target))
    }
  }

  /** Unlinks what a single-valued navigation property leads to. */
  async unlinkAll(set: EntitySet, source: Row, navigation: NavigationProperty): Promise<void> {
    const target = this.targetOf(set, navigation)
    for (const row of await this.access.relatedRows(set, source, navigation, target)) {
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
