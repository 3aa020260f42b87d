import type { ComplexType, Property } from '../edm-model.js'
import { isPrimitive } from '../edm-model.js'
import type { ComplexTypeDefinition, SchemaDefinition } from '../model-definition.js'
import type { Draft } from './annotated.js'
import { annotated } from './annotated.js'
import { buildProperty } from './build-property.js'
import type { ModelFaults } from './model-faults.js'
import { checkName, NameScope } from './name-scope.js'

interface ComplexTypeDraft {
  readonly type: Draft<ComplexType>
  readonly definition: ComplexTypeDefinition
  readonly schema: SchemaDefinition
}

interface FillContext {
  readonly drafts: ReadonlyMap<string, ComplexTypeDraft>
  readonly types: ReadonlyMap<string, ComplexType>
  readonly faults: ModelFaults
  readonly done: Set<ComplexTypeDraft>
  /** Types whose base type is being filled. */
  readonly open: Set<ComplexTypeDraft>
}

/** Builds the complex types of all schemas; they may refer to each other in any order, but not in circles. */
export function buildComplexTypes(
  schemas: readonly SchemaDefinition[],
  faults: ModelFaults,
): ReadonlyMap<string, ComplexType> {
  const drafts = new Map<string, ComplexTypeDraft>()
  for (const schema of schemas) {
    for (const [name, definition] of Object.entries(schema.complexTypes ?? {})) {
      const type = draftOf(name, schema.namespace, definition)
      checkName(name, type.qualifiedName, faults)
      drafts.set(type.qualifiedName, { type, definition, schema })
    }
  }
  const types = new Map<string, ComplexType>([...drafts].map(([name, { type }]) => [name, type]))
  const context = {
    drafts,
    types,
    faults,
    done: new Set<ComplexTypeDraft>(),
    open: new Set<ComplexTypeDraft>(),
  }
  for (const draft of drafts.values()) fill(draft, context)
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

/** Fills a type and its base types, those first. */
function fill(draft: ComplexTypeDraft, context: FillContext): void {
  if (context.done.has(draft)) return
  const { type } = draft
  context.open.add(draft)
  const base = baseOf(draft, context)
  if (base !== undefined) {
    fill(base, context)
    type.baseType = base.type
  }
  context.open.delete(draft)
  context.done.add(draft)
  const declared = declaredProperties(draft, base?.type, context)
  const all = [...(base?.type.properties ?? []), ...declared]
  const byName = new Map(all.map((property) => [property.name, property]))
  type.declaredProperties = declared
  type.properties = all
  type.property = (name) => byName.get(name)
  Object.freeze(type)
}

function baseOf(
  { type, definition, schema }: ComplexTypeDraft,
  { drafts, faults, open }: FillContext,
): ComplexTypeDraft | undefined {
  if (definition.baseType === undefined) return undefined
  const scope = new NameScope(schema, drafts)
  const base = scope.find(definition.baseType)
  if (base !== undefined && !open.has(base)) return base
  faults.add(
    type.qualifiedName,
    base === undefined
      ? `there is no complex type '${definition.baseType}' to derive from.${scope.suggest(definition.baseType)}`
      : 'the type is derived from itself.',
  )
  return undefined
}

function declaredProperties(
  { type: { qualifiedName: place }, definition, schema }: ComplexTypeDraft,
  base: ComplexType | undefined,
  { types, faults }: FillContext,
): readonly Property[] {
  const complexTypes = new NameScope(schema, types)
  const properties: Property[] = []
  for (const [name, one] of Object.entries(definition.properties)) {
    const property = buildProperty(name, one, { place, key: [], complexTypes, faults })
    if (property === undefined) continue
    properties.push(property)
    if (base?.property(name) !== undefined) {
      faults.add(`${place}.${name}`, 'the base type has a property of this name already.')
    }
    if (property.feedMappings.length > 0) {
      faults.add(
        `${place}.${name}`,
        'a feed customization belongs to an entity type: write it there with the path to this member.',
      )
    }
  }
  return properties
}

function contains(outer: ComplexType, wanted: ComplexType, seen: Set<ComplexType>): boolean {
  if (seen.has(outer)) return false
  seen.add(outer)
  return outer.properties.some(
    ({ type }) => !isPrimitive(type) && (type === wanted || contains(type, wanted, seen)),
  )
}
