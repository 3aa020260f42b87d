import { didYouMean } from '../../errors/suggestions.js'
import type { ComplexType, EntityType, NavigationProperty, Property } from '../edm-model.js'
import { isPrimitive } from '../edm-model.js'
import type { EntityTypeDefinition, SchemaDefinition } from '../model-definition.js'
import type { Draft } from './annotated.js'
import { annotated } from './annotated.js'
import { buildProperty, feedMapping } from './build-property.js'
import type { ModelFaults } from './model-faults.js'
import { checkName, NameScope } from './name-scope.js'

/** An entity type whose navigation properties are still to come, since associations need the types first. */
export interface EntityTypeDraft {
  readonly type: Draft<EntityType>
  readonly definition: EntityTypeDefinition
  readonly schema: SchemaDefinition
}

/** Builds the entity types of all schemas, base types before derived ones. @spec MC-CSDL 2.1.2 */
export function buildEntityTypes(
  schemas: readonly SchemaDefinition[],
  complexTypes: ReadonlyMap<string, ComplexType>,
  faults: ModelFaults,
): ReadonlyMap<string, EntityTypeDraft> {
  const drafts = new Map<string, EntityTypeDraft>()
  for (const schema of schemas) {
    for (const [name, definition] of Object.entries(schema.entityTypes ?? {})) {
      const type = draftOf(name, schema.namespace, definition)
      checkName(name, type.qualifiedName, faults)
      drafts.set(type.qualifiedName, { type, definition, schema })
    }
  }
  const done = new Set<EntityTypeDraft>()
  for (const draft of drafts.values()) fill(draft, { drafts, complexTypes, faults, done, open: new Set() })
  return drafts
}

interface FillContext {
  readonly drafts: ReadonlyMap<string, EntityTypeDraft>
  readonly complexTypes: ReadonlyMap<string, ComplexType>
  readonly faults: ModelFaults
  readonly done: Set<EntityTypeDraft>
  /** Types whose base types are being filled at the moment: meeting one again is a circle. */
  readonly open: Set<EntityTypeDraft>
}

function draftOf(name: string, namespace: string, definition: EntityTypeDefinition): Draft<EntityType> {
  return {
    kind: 'EntityType',
    name,
    namespace,
    qualifiedName: `${namespace}.${name}`,
    ...annotated(definition),
    abstract: definition.abstract ?? false,
    openType: definition.openType ?? false,
    hasStream: definition.hasStream ?? false,
    declaresStream: definition.hasStream ?? false,
    properties: [],
    declaredProperties: [],
    key: [],
    navigationProperties: [],
    declaredNavigationProperties: [],
    derivedTypes: [],
    concurrencyTokens: [],
    feedMappings: [],
    declaredFeedMappings: [],
    property: () => undefined,
    navigationProperty: () => undefined,
    isOrInherits: () => false,
  }
}

function fill(draft: EntityTypeDraft, context: FillContext): void {
  if (context.done.has(draft)) return
  context.open.add(draft)
  const base = baseOf(draft, context)
  if (base !== undefined) fill(base, context)
  context.open.delete(draft)
  context.done.add(draft)
  inherit(draft.type, base?.type)
  fillProperties(draft, context)
  fillKey(draft, base?.type, context)
  draft.type.declaredFeedMappings = (draft.definition.feedMappings ?? []).map((one) =>
    feedMapping(one, one.sourcePath.split('/')),
  )
  const own = draft.type.declaredProperties.flatMap((property) => property.feedMappings)
  draft.type.feedMappings = [...(base?.type.feedMappings ?? []), ...own, ...draft.type.declaredFeedMappings]
}

function baseOf(
  { type, definition, schema }: EntityTypeDraft,
  context: FillContext,
): EntityTypeDraft | undefined {
  if (definition.baseType === undefined) return undefined
  const scope = new NameScope(schema, context.drafts)
  const base = scope.find(definition.baseType)
  if (base === undefined) {
    const hint = scope.suggest(definition.baseType)
    context.faults.add(
      type.qualifiedName,
      `there is no entity type '${definition.baseType}' to derive from.${hint}`,
    )
    return undefined
  }
  if (context.open.has(base)) {
    context.faults.add(type.qualifiedName, 'the type is derived from itself.')
    return undefined
  }
  return base
}

function inherit(type: Draft<EntityType>, base: EntityType | undefined): void {
  type.isOrInherits = (ancestor) => {
    for (let one: EntityType | undefined = type; one !== undefined; one = one.baseType) {
      if (one === ancestor) return true
    }
    return false
  }
  if (base === undefined) return
  type.baseType = base
  type.hasStream ||= base.hasStream
  for (let one: EntityType | undefined = base; one !== undefined; one = one.baseType) {
    ;(one as Draft<EntityType>).derivedTypes = [...one.derivedTypes, type]
  }
}

function fillProperties({ type, definition, schema }: EntityTypeDraft, context: FillContext): void {
  const inherited = type.baseType?.properties ?? []
  const key = definition.key ?? []
  const complexTypes = new NameScope(schema, context.complexTypes)
  const declared: Property[] = []
  for (const [name, one] of Object.entries(definition.properties ?? {})) {
    const property = buildProperty(name, one, {
      place: type.qualifiedName,
      key,
      complexTypes,
      faults: context.faults,
    })
    if (property === undefined) continue
    if (type.baseType?.property(name) !== undefined) {
      context.faults.add(
        `${type.qualifiedName}.${name}`,
        'the base type has a property of this name already.',
      )
    }
    declared.push(property)
  }
  const all = [...inherited, ...declared]
  const byName = new Map(all.map((property) => [property.name, property]))
  type.declaredProperties = declared
  type.properties = all
  type.property = (name) => byName.get(name)
  type.concurrencyTokens = all.filter(
    (property) => property.concurrencyMode === 'Fixed' && isPrimitive(property.type),
  )
}

function fillKey(
  { type, definition }: EntityTypeDraft,
  base: EntityType | undefined,
  context: FillContext,
): void {
  const place = type.qualifiedName
  if (definition.baseType !== undefined) {
    if (definition.key !== undefined)
      context.faults.add(place, 'a derived type takes its key from the base type.')
    type.key = base?.key ?? []
    return
  }
  if (definition.key === undefined || definition.key.length === 0) {
    context.faults.add(place, 'an entity type needs a key: name its properties, for instance ["ID"].')
  }
  const key: Property[] = []
  for (const name of definition.key ?? []) {
    const property = type.property(name)
    if (property === undefined) {
      const hint = didYouMean(name, Object.keys(definition.properties ?? {}))
      context.faults.add(place, `the key names a property '${name}' that does not exist.${hint}`)
    } else if (!isPrimitive(property.type)) {
      context.faults.add(place, `the key property '${name}' must be of a simple type.`)
    } else if (key.includes(property)) {
      context.faults.add(place, `the key names the property '${name}' twice.`)
    } else {
      key.push(property)
    }
  }
  type.key = key
}

/** Puts the navigation properties into a type and freezes it; base types come first. */
export function finishEntityType(type: Draft<EntityType>, declared: readonly NavigationProperty[]): void {
  const all = [...(type.baseType?.navigationProperties ?? []), ...declared]
  const byName = new Map(all.map((navigation) => [navigation.name, navigation]))
  type.declaredNavigationProperties = declared
  type.navigationProperties = all
  type.navigationProperty = (name) => byName.get(name)
  Object.freeze(type)
}
