import { didYouMean } from '../../errors/suggestions.js'
import type {
  Association,
  AssociationEnd,
  EntityType,
  Property,
  ReferentialConstraint,
} from '../edm-model.js'
import type {
  AssociationDefinition,
  AssociationEndDefinition,
  ConstraintRoleDefinition,
  SchemaDefinition,
} from '../model-definition.js'
import { annotated } from './annotated.js'
import type { ModelFaults } from './model-faults.js'
import { checkName, NameScope } from './name-scope.js'

/** Builds the associations of all schemas. @spec MC-CSDL 2.1.8 */
export function buildAssociations(
  schemas: readonly SchemaDefinition[],
  entityTypes: ReadonlyMap<string, EntityType>,
  faults: ModelFaults,
): ReadonlyMap<string, Association> {
  const associations = new Map<string, Association>()
  for (const schema of schemas) {
    for (const [name, definition] of Object.entries(schema.associations ?? {})) {
      const qualifiedName = `${schema.namespace}.${name}`
      checkName(name, qualifiedName, faults)
      const ends = buildEnds(definition, qualifiedName, new NameScope(schema, entityTypes), faults)
      if (ends === undefined) continue
      associations.set(
        qualifiedName,
        Object.freeze({
          name,
          namespace: schema.namespace,
          qualifiedName,
          ...annotated(definition),
          ends,
          referentialConstraint: buildConstraint(definition, ends, qualifiedName, faults),
        }),
      )
    }
  }
  return associations
}

function buildEnds(
  definition: AssociationDefinition,
  place: string,
  entityTypes: NameScope<EntityType>,
  faults: ModelFaults,
): readonly [AssociationEnd, AssociationEnd] | undefined {
  const ends = Object.entries(definition.ends ?? {}).map(([role, end]) =>
    buildEnd(role, end, place, entityTypes, faults),
  )
  if (ends.length !== 2)
    faults.add(place, `an association has two ends with different roles, not ${ends.length}.`)
  const [first, second] = ends
  return first === undefined || second === undefined ? undefined : [first, second]
}

function buildEnd(
  role: string,
  definition: AssociationEndDefinition,
  place: string,
  entityTypes: NameScope<EntityType>,
  faults: ModelFaults,
): AssociationEnd | undefined {
  const type = entityTypes.find(definition.type)
  if (type === undefined) {
    const hint = entityTypes.suggest(definition.type)
    faults.add(`${place}.${role}`, `there is no entity type '${definition.type}'.${hint}`)
    return undefined
  }
  return Object.freeze({
    role,
    ...annotated(definition),
    type,
    multiplicity: definition.multiplicity,
    onDelete: definition.onDelete,
  })
}

/** @spec MC-CSDL 2.1.11 */
function buildConstraint(
  { referentialConstraint }: AssociationDefinition,
  ends: readonly [AssociationEnd, AssociationEnd],
  place: string,
  faults: ModelFaults,
): ReferentialConstraint | undefined {
  if (referentialConstraint === undefined) return undefined
  const principal = constraintRole(referentialConstraint.principal, ends, `${place} (principal)`, faults)
  const dependent = constraintRole(referentialConstraint.dependent, ends, `${place} (dependent)`, faults)
  if (principal === undefined || dependent === undefined) return undefined
  if (principal.end === dependent.end) {
    faults.add(place, 'principal and dependent of the referential constraint must be different roles.')
  }
  if (principal.properties.length !== dependent.properties.length) {
    faults.add(
      place,
      'principal and dependent of the referential constraint must name the same number of properties.',
    )
    return undefined
  }
  return Object.freeze({
    ...annotated(referentialConstraint),
    principal: principal.end,
    principalProperties: principal.properties,
    dependent: dependent.end,
    dependentProperties: dependent.properties,
  })
}

function constraintRole(
  { role, properties }: ConstraintRoleDefinition,
  ends: readonly [AssociationEnd, AssociationEnd],
  place: string,
  faults: ModelFaults,
): { end: AssociationEnd; properties: readonly Property[] } | undefined {
  const end = ends.find((one) => one.role === role)
  if (end === undefined) {
    const roles = ends.map((one) => one.role)
    faults.add(place, `there is no role '${role}'.${didYouMean(role, roles)}`)
    return undefined
  }
  const found: Property[] = []
  for (const name of properties) {
    const property = end.type.property(name)
    if (property !== undefined) {
      found.push(property)
      continue
    }
    const names = end.type.properties.map((one) => one.name)
    faults.add(place, `'${end.type.name}' has no property '${name}'.${didYouMean(name, names)}`)
  }
  return found.length === properties.length ? { end, properties: found } : undefined
}
