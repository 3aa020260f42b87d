import type { Annotatable } from '../edm/annotations.js'
import type { EdmModel, EntityContainer, Schema } from '../edm/edm-model.js'

/** Yields all elements of a model that can have annotations. */
export function* annotatablesOf(model: EdmModel): Generator<Annotatable> {
  for (const annotatable of elementsOf(model)) yield* withParts(annotatable)
}

function* withParts(annotatable: Annotatable): Generator<Annotatable> {
  yield annotatable
  for (const part of Object.values(annotatable.annotations.parts ?? {})) yield* withParts(part)
}

function* elementsOf(model: EdmModel): Generator<Annotatable> {
  yield model
  yield model.dataServices
  for (const schema of model.schemas) yield* inSchema(schema)
}

function* inSchema(schema: Schema): Generator<Annotatable> {
  yield schema
  yield* schema.usings
  for (const type of schema.entityTypes) {
    yield type
    yield* type.declaredProperties
    yield* type.declaredNavigationProperties
  }
  for (const type of schema.complexTypes) {
    yield type
    yield* type.declaredProperties
  }
  for (const association of schema.associations) {
    yield association
    yield* association.ends
    if (association.referentialConstraint !== undefined) yield association.referentialConstraint
  }
  for (const container of schema.entityContainers) yield* inContainer(container)
}

function* inContainer(container: EntityContainer): Generator<Annotatable> {
  yield container
  yield* container.entitySets
  for (const set of container.associationSets) {
    yield set
    yield* set.ends
  }
  for (const one of container.functionImports) {
    yield one
    yield* one.parameters
  }
}
