import { ODataError } from '../errors/odata-error.js'
import type {
  Association,
  AssociationEnd,
  AssociationSet,
  EdmModel,
  EntitySet,
  EntityType,
  ReferentialConstraint,
} from './edm-model.js'
import { entitySetsOf, setInRole } from './edm-model.js'
import type { PrimitiveTypeName } from './primitive-types/primitive-type-name.js'
import { primitiveTypes } from './primitive-types/primitive-types.js'
import { computeOnce } from '../util/get-or-create.js'

type Values = Readonly<Record<string, unknown>>

/** A referential constraint between two entity sets. @spec MC-CSDL 2.1.11 */
export interface ForeignKey {
  readonly constraint: ReferentialConstraint
  readonly principal: EntitySet
  readonly dependent: EntitySet
  /** The names of the dependent properties for error messages. */
  readonly names: string
  /** True if deleting the principal deletes its dependents. */
  readonly cascades: boolean
  /** True if a dependent may have no principal. */
  readonly isOptional: boolean
  /** True if a principal has at most one dependent. */
  readonly isSingle: boolean
}

/** An association without foreign key and its entity sets, in the order of its ends. */
export interface LinkedSets {
  readonly association: Association
  readonly sets: readonly [EntitySet, EntitySet]
}

/** Returns the foreign keys between the entity sets of a model. */
export const foreignKeysOf = computeOnce(findForeignKeys)

/** Returns the associations without foreign key between the entity sets of a model. */
export const linkedSetsOf = computeOnce(findLinkedSets)

function findForeignKeys(model: EdmModel): readonly ForeignKey[] {
  return associationSetsOf(model).flatMap((associationSet) => {
    const constraint = associationSet.association.referentialConstraint
    if (constraint === undefined) return []
    const principal = setInRole(associationSet, constraint.principal.role)
    const dependent = setInRole(associationSet, constraint.dependent.role)
    if (principal === undefined || dependent === undefined) return []
    const { dependentProperties } = constraint
    const isNullable = dependentProperties.every(({ nullable, isKey }) => nullable && !isKey)
    return [
      {
        constraint,
        principal,
        dependent,
        names: dependentProperties.map(({ name }) => name).join(', '),
        cascades: constraint.principal.onDelete === 'Cascade',
        isOptional: constraint.principal.multiplicity !== '1' && isNullable,
        isSingle: constraint.dependent.multiplicity !== '*',
      },
    ]
  })
}

function findLinkedSets(model: EdmModel): readonly LinkedSets[] {
  const found = new Map<string, LinkedSets>()
  const add = (association: Association, first?: EntitySet, second?: EntitySet): void => {
    if (association.referentialConstraint !== undefined || first === undefined || second === undefined) return
    const name = [association.qualifiedName, first.path, second.path].join('/')
    if (!found.has(name)) found.set(name, { association, sets: [first, second] })
  }
  for (const associationSet of associationSetsOf(model)) {
    const { association } = associationSet
    const [first, second] = association.ends.map(({ role }) => setInRole(associationSet, role))
    add(association, first, second)
  }
  // Without association sets, navigation properties have a target if only one set is possible.
  for (const set of entitySetsOf(model)) {
    const types = [set.entityType, ...set.entityType.derivedTypes]
    for (const navigation of types.flatMap((type) => type.navigationProperties)) {
      const { association, fromEnd } = navigation
      const target = set.targetOf(navigation)
      if (fromEnd === association.ends[0]) add(association, set, target)
      else add(association, target, set)
    }
  }
  return [...found.values()]
}

function associationSetsOf({ entityContainers }: EdmModel): readonly AssociationSet[] {
  return entityContainers.flatMap(({ associationSets }) => associationSets)
}

/** Formats the address of an entity for error messages: `Products(7)` or `Lines(Order=1,No=2)`. */
export function entityName({ path, entityType }: EntitySet, values: Values): string {
  const literals = entityType.key.map(({ name, type }, _index, { length }) => {
    const literal = primitiveTypes[type as PrimitiveTypeName].formatLiteral(values[name])
    return length === 1 ? literal : `${name}=${literal}`
  })
  return `${path}(${literals.join(',')})`
}

/**
 * Returns the error for an entity without a link that an association without foreign key requires.
 *
 * @param type the type of the entity
 * @returns undefined if the association does not apply to the type, or if the type has no navigation property for it, so
 * that a client that adds an entity cannot name the other one
 */
export function missingLink(
  { path }: EntitySet,
  type: EntityType,
  own: AssociationEnd,
  other: AssociationEnd,
): ODataError | undefined {
  if (!type.isOrInherits(own.type)) return undefined
  const navigation = type.navigationProperties.find(({ toEnd }) => toEnd === other)
  if (navigation === undefined) return undefined
  // The message omits the key: the caller may not be permitted to read the entity.
  return new ODataError('BadRequest', {
    message: `An entity of '${path}' must be linked: '${navigation.name}' requires an entity.`,
  })
}

/** Returns the error for a foreign key of a missing entity. */
export function missingPrincipal(names: string, principal: EntitySet): ODataError {
  return conflict(`Property '${names}': '${principal.path}' has no entity with this key.`)
}

/** Returns the error for a unique foreign key whose value another dependent has. */
export function takenPrincipal(names: string, dependent: EntitySet): ODataError {
  // The message omits the key: the caller may not be permitted to read the entity.
  return conflict(`Property '${names}': another entity of '${dependent.path}' already has this value.`)
}

/** Returns the error for deleting an entity that others refer to. It omits keys: the caller may not be permitted to read them. */
export function neededBy({ path }: EntitySet, other: EntitySet): ODataError {
  return conflict(`Entities of '${other.path}' refer to this entity of '${path}'.`)
}

function conflict(message: string): ODataError {
  return new ODataError('Conflict', { message })
}
