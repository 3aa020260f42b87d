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
import { setInRole } from './edm-model.js'
import type { PrimitiveTypeName } from './primitive-types/primitive-type-name.js'
import { primitiveTypes } from './primitive-types/primitive-types.js'

type Values = Readonly<Record<string, unknown>>

/** A referential constraint between two entity sets. @spec MC-CSDL 2.1.11 */
export interface ForeignKey {
  readonly constraint: ReferentialConstraint
  readonly principal: EntitySet
  readonly dependent: EntitySet
  /** The dependent properties in messages. */
  readonly names: string
  /** Whether deleting the principal deletes its dependents. */
  readonly cascades: boolean
  /** Whether a dependent may have no principal. */
  readonly isOptional: boolean
  /** Whether a principal has one dependent at most. */
  readonly isSingle: boolean
}

/** An association without foreign key between two entity sets, which stand in the order of its ends. */
export interface LinkedSets {
  readonly association: Association
  readonly sets: readonly [EntitySet, EntitySet]
}

/** The foreign keys between the entity sets of a model. */
export function foreignKeysOf(model: EdmModel): readonly ForeignKey[] {
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

/** The associations without foreign key between the entity sets of a model. */
export function linkedSetsOf(model: EdmModel): readonly LinkedSets[] {
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
  // Navigation properties lead somewhere without an association set, too, where only one set is possible.
  for (const set of model.entityContainers.flatMap(({ entitySets }) => entitySets)) {
    for (const navigation of [set.entityType, ...set.entityType.derivedTypes].flatMap(
      (type) => type.navigationProperties,
    )) {
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

/** An entity in messages: `Products(7)` or `Lines(Order=1,No=2)`. */
export function entityName({ path, entityType }: EntitySet, values: Values): string {
  const literals = entityType.key.map(({ name, type }, _index, { length }) => {
    const literal = primitiveTypes[type as PrimitiveTypeName].formatLiteral(values[name])
    return length === 1 ? literal : `${name}=${literal}`
  })
  return `${path}(${literals.join(',')})`
}

/**
 * The error about an entity that is not linked over an association without foreign key, at whose other end there must
 * be one.
 *
 * @param type the type of the entity
 * @returns undefined when entities of this type are not at the end of the association
 */
export function missingLink(
  { path }: EntitySet,
  type: EntityType,
  own: AssociationEnd,
  other: AssociationEnd,
): ODataError | undefined {
  if (!type.isOrInherits(own.type)) return undefined
  const navigation = type.navigationProperties.find(({ toEnd }) => toEnd === other)
  // The message omits the key: the caller may not be permitted to read the entity.
  return new ODataError('BadRequest', {
    message: `An entity of '${path}' must be linked: '${navigation?.name ?? other.role}' needs an entity.`,
  })
}

/** The error about a foreign key that refers to no entity. */
export function missingPrincipal(names: string, principal: EntitySet): ODataError {
  return conflict(`Property '${names}': there is no such entity in '${principal.path}'.`)
}

/** The error about a foreign key of which another dependent has the value. */
export function takenPrincipal(names: string, dependent: EntitySet): ODataError {
  // The message omits the key: the caller may not be permitted to read the entity.
  return conflict(`Property '${names}': another entity of '${dependent.path}' has it already.`)
}

/** The error about an entity that cannot be deleted. It omits the keys: the caller may not be permitted to read them. */
export function neededBy({ path }: EntitySet, other: EntitySet): ODataError {
  return conflict(`An entity of '${path}' is needed by an entity of '${other.path}'.`)
}

function conflict(message: string): ODataError {
  return new ODataError('Conflict', { message })
}
