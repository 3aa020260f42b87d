import type { Annotatable } from '../edm/annotations.js'
import type { EdmModel, Schema } from '../edm/edm-model.js'

/** Returns all elements of a model that can have annotations, with their parts. */
export function* annotatablesOf(model: EdmModel): Generator<Annotatable> {
  const elements = [model, model.dataServices, ...model.schemas.flatMap(elementsOf)]
  for (const element of elements) yield* withParts(element)
}

function* withParts(annotatable: Annotatable): Generator<Annotatable> {
  yield annotatable
  for (const part of Object.values(annotatable.annotations.parts ?? {})) yield* withParts(part)
}

function elementsOf(schema: Schema): Annotatable[] {
  const { usings, entityTypes, complexTypes, associations, entityContainers } = schema
  return [
    schema,
    ...usings,
    ...entityTypes.flatMap((type) => [
      type,
      ...type.declaredProperties,
      ...type.declaredNavigationProperties,
    ]),
    ...complexTypes.flatMap((type) => [type, ...type.declaredProperties]),
    ...associations.flatMap((one) => [one, ...one.ends, ...[one.referentialConstraint ?? []].flat()]),
    ...entityContainers.flatMap((container) => [
      container,
      ...container.entitySets,
      ...container.associationSets.flatMap((set) => [set, ...set.ends]),
      ...container.functionImports.flatMap((one) => [one, ...one.parameters]),
    ]),
  ]
}
