import type { ComplexType, Property } from '../edm-model.js'
import { isPrimitive } from '../edm-model.js'
import type { ComplexTypeDefinition, SchemaDefinition } from '../model-definition.js'
import type { Draft } from './annotated.js'
import { annotated } from './annotated.js'
import { buildProperty } from './build-property.js'
import type { ModelFaults } from './model-faults.js'
import { checkName, NameScope } from './name-scope.js'

/** Builds the complex types of all schemas; they may refer to each other in any order, but not in circles. */
export function buildComplexTypes(
  schemas: readonly SchemaDefinition[],
  faults: ModelFaults,
): ReadonlyMap<string, ComplexType> {
  const types = new Map<string, ComplexType>()
  const drafts = new Map<
    Draft<ComplexType>,
    { definition: ComplexTypeDefinition; schema: SchemaDefinition }
  >()
  for (const schema of schemas) {
    for (const [name, definition] of Object.entries(schema.complexTypes ?? {})) {
      const draft = draftOf(name, schema.namespace, definition)
      checkName(name, draft.qualifiedName, faults)
      types.set(draft.qualifiedName, draft)
      drafts.set(draft, { definition, schema })
    }
  }
  for (const [draft, { definition, schema }] of drafts) {
    fill(draft, definition, new NameScope(schema, types), faults)
  }
  for (const type of types.values()) {
    if (contains(type, type, new Set())) faults.add(type.qualifiedName, 'the complex type contains itself.')
  }
  return types
}

function draftOf(name: string, namespace: string, definition: ComplexTypeDefinition): Draft<ComplexType> {
  return {
    kind: 'ComplexType',
    name,
    namespace,
    qualifiedName: `${namespace}.${name}`,
    ...annotated(definition),
    properties: [],
    declaredProperties: [],
    property: () => undefined,
  }
}

function fill(
  draft: Draft<ComplexType>,
  definition: ComplexTypeDefinition,
  complexTypes: NameScope<ComplexType>,
  faults: ModelFaults,
): void {
  const properties: Property[] = []
  for (const [name, one] of Object.entries(definition.properties)) {
    const property = buildProperty(name, one, { place: draft.qualifiedName, key: [], complexTypes, faults })
    if (property === undefined) continue
    properties.push(property)
    if (property.feedMappings.length > 0) {
      faults.add(
        `${draft.qualifiedName}.${name}`,
        'a feed customisation belongs to an entity type: write it there with the path to this member.',
      )
    }
  }
  const byName = new Map(properties.map((property) => [property.name, property]))
  draft.declaredProperties = properties
  draft.properties = properties
  draft.property = (name) => byName.get(name)
  Object.freeze(draft)
}

function contains(outer: ComplexType, wanted: ComplexType, seen: Set<ComplexType>): boolean {
  if (seen.has(outer)) return false
  seen.add(outer)
  return outer.properties.some(
    ({ type }) => !isPrimitive(type) && (type === wanted || contains(type, wanted, seen)),
  )
}
