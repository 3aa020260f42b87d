import { buildModel } from '../edm/build/build-model.js'
import { ModelErrors } from '../edm/build/model-error.js'
import type { Association, AssociationEnd, EdmModel, Property } from '../edm/edm-model.js'
import type { AssociationDefinition, SchemaDefinition } from '../edm/model-definition.js'
import { definitionOf } from './definition-of-model.js'

/**
 * Adds referential constraints to associations that have none, if the names and types of all key properties of one
 * entity type are also properties of the other one. Documents of SAP systems usually lack constraints.
 *
 * @returns a model of its own; the same model without such associations
 */
export function withInferredConstraints(model: EdmModel): EdmModel {
  const used = model.entityContainers.flatMap((container) =>
    container.associationSets.map(({ association }) => association.qualifiedName),
  )
  const constraints = new Map<string, AssociationDefinition['referentialConstraint']>()
  for (const association of model.associations.values()) {
    const constraint = used.includes(association.qualifiedName) ? inferredConstraint(association) : undefined
    if (constraint !== undefined) constraints.set(association.qualifiedName, constraint)
  }
  if (constraints.size === 0) return model
  const schemaWith = (schema: SchemaDefinition): SchemaDefinition => ({
    ...schema,
    associations: Object.fromEntries(
      Object.entries(schema.associations ?? {}).map(([name, one]) => {
        const referentialConstraint = constraints.get(`${schema.namespace}.${name}`)
        return [name, referentialConstraint === undefined ? one : { ...one, referentialConstraint }]
      }),
    ),
  })
  const definition = definitionOf(model)
  const schemas = definition.schemas?.map(schemaWith)
  const own = definition.namespace === undefined ? {} : schemaWith(definition as SchemaDefinition)
  return buildModel({ ...definition, ...own, ...(schemas && { schemas }) }, new ModelErrors())
}

function inferredConstraint({
  ends,
  referentialConstraint,
}: Association): AssociationDefinition['referentialConstraint'] {
  if (referentialConstraint !== undefined) return undefined
  const [first, second] = ends
  // The end that each dependent requires is the principal.
  const isSecond = second.multiplicity === '1' && first.multiplicity !== '1'
  const directions = isSecond ? [ends, [second, first] as const] : [[second, first] as const, ends]
  const [dependent, principal] = directions.find(([from, to]) => isForeignKey(from, to)) ?? []
  if (dependent === undefined || principal === undefined) return undefined
  const properties = principal.type.key.map(({ name }) => name)
  return {
    principal: { role: principal.role, properties },
    dependent: { role: dependent.role, properties },
    isInferred: true,
  }
}

function isForeignKey(dependent: AssociationEnd, principal: AssociationEnd): boolean {
  const { type } = dependent
  const { key } = principal.type
  if (
    principal.multiplicity === '*' ||
    type.isOrInherits(principal.type) ||
    principal.type.isOrInherits(type)
  )
    return false
  if (!key.every((one) => canHold(type.property(one.name), one))) return false
  // Entities with the same key as their principal are at most one, unless the keys have the same name by coincidence.
  const names = new Set(key.map(({ name }) => name))
  return dependent.multiplicity !== '*' || type.key.some(({ name }) => !names.has(name))
}

const facets = ['maxLength', 'fixedLength', 'precision', 'scale'] as const

/** Returns true if a property can have all values of a key property. */
function canHold(property: Property | undefined, key: Property): boolean {
  return (
    property?.type === key.type &&
    facets.every((facet) => property[facet] === undefined || property[facet] === key[facet])
  )
}
