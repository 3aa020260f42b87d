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
  ConstraintRoleDefinition,
  SchemaDefinition,
} from '../model-definition.js'
import { annotated } from './annotated.js'
import type { ModelErrors } from './model-error.js'
import { checkName, NameScope } from './name-scope.js'

/** Builds the associations of all schemas. @spec MC-CSDL 2.1.8 */
export function buildAssociations(
  schemas: readonly SchemaDefinition[],
  entityTypes: ReadonlyMap<string, EntityType>,
  errors: ModelErrors,
): ReadonlyMap<string, Association> {
  const associations = new Map<string, Association>()
  for (const schema of schemas) {
    for (const [name, definition] of Object.entries(schema.associations ?? {})) {
      const qualifiedName = `${schema.namespace}.${name}`
      checkName(name, qualifiedName, errors)
      const scope = new NameScope(schema, entityTypes, errors)
      const ends = buildEnds(definition, qualifiedName, scope, errors)
      if (ends === undefined) continue
      associations.set(qualifiedName, {
        name,
        namespace: schema.namespace,
        qualifiedName,
        ends,
        referentialConstraint: buildConstraint(definition, ends, qualifiedName, errors),
        ...annotated(definition),
      })
    }
  }
  return associations
}

function buildEnds(
  definition: AssociationDefinition,
  place: string,
  entityTypes: NameScope<EntityType>,
  errors: ModelErrors,
): readonly [AssociationEnd, AssociationEnd] | undefined {
  const ends = Object.entries(definition.ends).map(([role, end]): AssociationEnd | undefined => {
    const type = entityTypes.resolve(end.type, 'entity type', `${place}.${role}`)
    const { multiplicity, onDelete } = end
    return type && { role, type, multiplicity, onDelete, ...annotated(end) }
  })
  if (ends.length !== 2)
    errors.add(place, `an association has two ends with different roles, not ${ends.length}.`)
  const [first, second] = ends
  return first === undefined || second === undefined ? undefined : [first, second]
}

/** @spec MC-CSDL 2.1.11 */
function buildConstraint(
  { referentialConstraint }: AssociationDefinition,
  ends: readonly [AssociationEnd, AssociationEnd],
  place: string,
  errors: ModelErrors,
): ReferentialConstraint | undefined {
  if (referentialConstraint === undefined) return undefined
  const principal = constraintRole(referentialConstraint.principal, ends, `${place} (principal)`, errors)
  const dependent = constraintRole(referentialConstraint.dependent, ends, `${place} (dependent)`, errors)
  if (principal === undefined || dependent === undefined) return undefined
  if (principal.end === dependent.end) {
    errors.add(place, 'principal and dependent of the referential constraint must be different roles.')
  }
  if (principal.properties.length !== dependent.properties.length) {
    errors.add(
      place,
      'principal and dependent of the referential constraint must name the same number of properties.',
    )
    return undefined
  }
  return {
    principal: principal.end,
    principalProperties: principal.properties,
    dependent: dependent.end,
    dependentProperties: dependent.properties,
    ...annotated(referentialConstraint),
    ...(referentialConstraint.isInferred && { isInferred: true }),
  }
}

function constraintRole(
  { role, properties }: ConstraintRoleDefinition,
  ends: readonly [AssociationEnd, AssociationEnd],
  place: string,
  errors: ModelErrors,
): { end: AssociationEnd; properties: readonly Property[] } | undefined {
  const end = ends.find((one) => one.role === role)
  if (end === undefined) {
    const roles = ends.map((one) => one.role)
    errors.add(place, `there is no role '${role}'.${didYouMean(role, roles)}`)
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
    errors.add(place, `'${end.type.name}' has no property '${name}'.${didYouMean(name, names)}`)
  }
  return found.length === properties.length ? { end, properties: found } : undefined
}
