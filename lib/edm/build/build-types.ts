import { didYouMean } from '../../errors/suggestions.js'
import type { ComplexType, EntityType, NavigationProperty, Property } from '../edm-model.js'
import { isPrimitive } from '../edm-model.js'
import type { ComplexTypeDefinition, EntityTypeDefinition, SchemaDefinition } from '../model-definition.js'
import type { Draft } from './annotated.js'
import { annotated } from './annotated.js'
import { buildProperty, feedMapping } from './build-property.js'
import type { ModelErrors } from './model-error.js'
import { checkName, NameScope } from './name-scope.js'

interface TypeDraft<Type, Definition> {
  readonly type: Draft<Type>
  readonly definition: Definition
  readonly schema: SchemaDefinition
}

/** An entity type without its navigation properties, which need the associations, which need the entity types. */
export type EntityTypeDraft = TypeDraft<EntityType, EntityTypeDefinition>

type ComplexTypeDraft = TypeDraft<ComplexType, ComplexTypeDefinition>

/** Builds the complex types of all schemas. @spec MC-CSDL 2.1.7 */
export function buildComplexTypes(
  schemas: readonly SchemaDefinition[],
  errors: ModelErrors,
): ReadonlyMap<string, ComplexType> {
  const drafts = new Map<string, ComplexTypeDraft>()
  for (const schema of schemas) {
    for (const [name, definition] of Object.entries(schema.complexTypes ?? {})) {
      const type = emptyComplexType(name, schema, definition)
      checkName(name, type.qualifiedName, errors)
      drafts.set(type.qualifiedName, { type, definition, schema })
    }
  }
  const types = new Map<string, ComplexType>([...drafts].map(([name, { type }]) => [name, type]))
  baseTypesFirst(drafts, 'complex type', errors, (draft, base) => {
    draft.type.baseType = base?.type
    declareProperties(draft, types, errors)
    for (const { name, feedMappings } of draft.type.declaredProperties) {
      if (feedMappings.length === 0) continue
      errors.add(
        `${draft.type.qualifiedName}.${name}`,
        'feed mappings belong to entity types: add this one there, with the path to this property.',
      )
    }
  })
  for (const type of types.values()) {
    if (contains(type, type, new Set())) errors.add(type.qualifiedName, 'the complex type contains itself.')
  }
  return types
}

/** Builds the entity types of all schemas, without navigation properties. @spec MC-CSDL 2.1.2 */
export function buildEntityTypes(
  schemas: readonly SchemaDefinition[],
  complexTypes: ReadonlyMap<string, ComplexType>,
  errors: ModelErrors,
): ReadonlyMap<string, EntityTypeDraft> {
  const drafts = new Map<string, EntityTypeDraft>()
  for (const schema of schemas) {
    for (const [name, definition] of Object.entries(schema.entityTypes ?? {})) {
      const type = emptyEntityType(name, schema, definition)
      checkName(name, type.qualifiedName, errors)
      drafts.set(type.qualifiedName, { type, definition, schema })
    }
  }
  baseTypesFirst(drafts, 'entity type', errors, (draft, base) => {
    const { type, definition } = draft
    type.baseType = base?.type
    inherit(type)
    declareProperties(draft, complexTypes, errors, definition.key)
    type.key = buildKey(draft, errors)
    type.concurrencyTokens = nonEmpty(
      type.properties.filter(
        (property) => property.concurrencyMode === 'Fixed' && isPrimitive(property.type),
      ),
    )
    type.declaredFeedMappings = nonEmpty(
      (definition.feedMappings ?? none).map((one) => feedMapping(one, one.sourcePath.split('/'))),
    )
    type.feedMappings = nonEmpty([
      ...(type.baseType?.feedMappings ?? none),
      ...type.declaredProperties.flatMap((property) => property.feedMappings),
      ...type.declaredFeedMappings,
    ])
  })
  for (const { type } of drafts.values()) {
    const own = [...type.properties, ...type.derivedTypes.flatMap((one) => one.declaredProperties)]
    type.computedProperties = nonEmpty(own.filter(({ computed }) => computed !== undefined))
  }
  const types = [...drafts.values()].map(({ type }) => type)
  const mayScan = types.some((one) => one.computedProperties.some(({ computed }) => computed?.scan === true))
  for (const type of types) type.mayScan = mayScan
  return drafts
}

const none: readonly never[] = Object.freeze([])
const findNothing = (): undefined => undefined

function emptyComplexType(
  name: string,
  { namespace }: SchemaDefinition,
  definition: ComplexTypeDefinition,
): Draft<ComplexType> {
  return {
    kind: 'ComplexType',
    name,
    namespace,
    qualifiedName: `${namespace}.${name}`,
    properties: none,
    declaredProperties: none,
    property: findNothing,
    ...annotated(definition),
  }
}

function emptyEntityType(
  name: string,
  schema: SchemaDefinition,
  definition: EntityTypeDefinition,
): Draft<EntityType> {
  const { abstract = false, openType = false, hasStream = false } = definition
  const { namespace } = schema
  return {
    kind: 'EntityType',
    name,
    namespace,
    qualifiedName: `${namespace}.${name}`,
    properties: none,
    declaredProperties: none,
    property: findNothing,
    baseType: undefined,
    abstract,
    openType,
    hasStream,
    declaresStream: hasStream,
    key: none,
    navigationProperties: none,
    declaredNavigationProperties: none,
    derivedTypes: none,
    computedProperties: none,
    mayScan: false,
    concurrencyTokens: none,
    feedMappings: none,
    declaredFeedMappings: none,
    navigationProperty: findNothing,
    isOrInherits: () => false,
    ...annotated(definition),
  }
}

/** Replaces an empty list by one that all types share. */
function nonEmpty<Member>(members: readonly Member[]): readonly Member[] {
  return members.length === 0 ? none : members
}

/** Completes all types, each one after its base type. */
function baseTypesFirst<Draft extends ComplexTypeDraft | EntityTypeDraft>(
  drafts: ReadonlyMap<string, Draft>,
  kind: string,
  errors: ModelErrors,
  complete: (draft: Draft, base: Draft | undefined) => void,
): void {
  const started = new Set<Draft>()
  const completed = new Set<Draft>()
  const visit = (draft: Draft): void => {
    if (completed.has(draft)) return
    started.add(draft)
    const base = baseOf(draft)
    if (base !== undefined) visit(base)
    completed.add(draft)
    complete(draft, base)
  }
  const baseOf = ({ type, definition, schema }: Draft): Draft | undefined => {
    if (definition.baseType === undefined) return undefined
    const scope = new NameScope(schema, drafts, errors)
    const base = scope.resolve(definition.baseType, kind, type.qualifiedName, ' to derive from')
    if (base === undefined || !started.has(base) || completed.has(base)) return base
    errors.add(type.qualifiedName, 'the type is derived from itself.')
    return undefined
  }
  drafts.forEach(visit)
}

function declareProperties(
  { type, definition, schema }: ComplexTypeDraft | EntityTypeDraft,
  complexTypes: ReadonlyMap<string, ComplexType>,
  errors: ModelErrors,
  key: readonly string[] = [],
): void {
  const { baseType, qualifiedName: place } = type
  const scope = new NameScope(schema, complexTypes, errors)
  const built: Property[] = []
  for (const [name, one] of Object.entries(definition.properties ?? {})) {
    const property = buildProperty(name, one, { place, key, complexTypes: scope, errors })
    if (property === undefined) continue
    built.push(property)
    if (baseType?.property(name) === undefined) continue
    errors.add(`${place}.${name}`, 'the base type already has a property with this name.')
  }
  // A copy has no spare capacity.
  const declared = built.slice()
  const all = baseType === undefined ? declared : [...baseType.properties, ...declared]
  type.declaredProperties = declared
  type.properties = all
  type.property = finderOf(all)
}

function contains(outer: ComplexType, wanted: ComplexType, visited: Set<ComplexType>): boolean {
  if (visited.has(outer)) return false
  visited.add(outer)
  return outer.properties.some(
    ({ type }) => !isPrimitive(type) && (type === wanted || contains(type, wanted, visited)),
  )
}

function inherit(type: Draft<EntityType>): void {
  type.isOrInherits = (ancestor) => {
    for (let one: EntityType | undefined = type; one !== undefined; one = one.baseType) {
      if (one === ancestor) return true
    }
    return false
  }
  type.hasStream ||= type.baseType?.hasStream ?? false
  for (let base: Draft<EntityType> | undefined = type.baseType; base !== undefined; base = base.baseType) {
    base.derivedTypes = [...base.derivedTypes, type]
  }
}

function buildKey({ type, definition }: EntityTypeDraft, errors: ModelErrors): readonly Property[] {
  const { qualifiedName: place, baseType } = type
  const { key: names = [] } = definition
  if (definition.baseType !== undefined) {
    if (definition.key !== undefined) errors.add(place, 'a derived type takes its key from the base type.')
    return baseType?.key ?? []
  }
  if (names.length === 0) {
    errors.add(place, 'an entity type needs a key: name its properties, for instance ["ID"].')
  }
  const key: Property[] = []
  for (const name of names) {
    const property = type.property(name)
    if (property === undefined) {
      const hint = didYouMean(name, Object.keys(definition.properties ?? {}))
      errors.add(place, `the key names a property '${name}' that does not exist.${hint}`)
    } else if (!isPrimitive(property.type)) {
      errors.add(place, `the key property '${name}' must be of a simple type.`)
    } else if (key.includes(property)) {
      errors.add(place, `the key names the property '${name}' twice.`)
    } else {
      key.push(property)
    }
  }
  return key
}

/** Adds the navigation properties to a type whose base type already has its own. */
export function addNavigationProperties(
  type: Draft<EntityType>,
  declared: readonly NavigationProperty[],
): void {
  const { baseType } = type
  const all = baseType === undefined ? declared : [...baseType.navigationProperties, ...declared]
  type.declaredNavigationProperties = declared
  type.navigationProperties = all
  type.navigationProperty = finderOf(all)
}

/** Calls of a finder before it creates a map. */
const SCANS = 8

/**
 * Returns a function that finds the last member with a name. It creates a map after some calls: most types of a large
 * model are only looked up while the model is built, and maps would take a fifth of its memory.
 */
function finderOf<Member extends { readonly name: string }>(
  members: readonly Member[],
): (name: string) => Member | undefined {
  let byName: ReadonlyMap<string, Member> | undefined
  let scans = 0
  return (name) => {
    if (byName === undefined && scans++ < SCANS) return members.findLast((one) => one.name === name)
    byName ??= new Map(members.map((one) => [one.name, one]))
    return byName.get(name)
  }
}
