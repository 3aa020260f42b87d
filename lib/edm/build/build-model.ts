import { csdl2Namespace } from '../../xml/namespaces.js'
import type {
  EdmModel,
  EntityContainer,
  Schema,
  Association,
  AssociationEnd,
  EntityType,
  NavigationProperty,
} from '../edm-model.js'
import type { ModelDefinition, SchemaDefinition, NavigationPropertyDefinition } from '../model-definition.js'
import { annotated } from './annotated.js'
import { buildAssociations } from './build-associations.js'
import { buildComplexTypes } from './build-complex-types.js'
import { buildEntityContainers, containersOf } from './build-entity-containers.js'
import { buildEntityTypes, finishEntityType } from './build-entity-types.js'
import { checkFeedMappings } from './check-feed-mappings.js'
import type { ModelFaults } from './model-faults.js'
import { didYouMean } from '../../errors/suggestions.js'
import type { Draft } from './annotated.js'
import type { EntityTypeDraft } from './build-entity-types.js'
import { checkPropertyName, NameScope } from './name-scope.js'

/**
 * Resolves every name of a definition and freezes the result.
 *
 * @param faults faults that the definition was read with already
 * @throws ModelError with all faults of the definition
 */
export function buildModel(definition: ModelDefinition, faults: ModelFaults): EdmModel {
  const schemas = schemasOf(definition, faults)
  checkTypeNames(schemas, faults)
  const complexTypes = buildComplexTypes(schemas, faults)
  const drafts = buildEntityTypes(schemas, complexTypes, faults)
  const entityTypes = new Map([...drafts].map(([name, { type }]) => [name, type]))
  const associations = buildAssociations(schemas, entityTypes, faults)
  buildNavigationProperties(drafts, associations, faults)
  for (const type of entityTypes.values()) checkFeedMappings(type, faults)
  const defaultContainer = defaultContainerOf(schemas, faults)
  const context = { entityTypes, complexTypes, associations, faults }
  const built = schemas.map((schema): Schema => {
    const own = <T extends { readonly namespace: string }>(all: ReadonlyMap<string, T>): T[] =>
      [...all.values()].filter((one) => one.namespace === schema.namespace)
    return {
      namespace: schema.namespace,
      alias: schema.alias,
      ...annotated(schema),
      xmlNamespace: schema.xmlNamespace ?? csdl2Namespace,
      usings: (schema.usings ?? []).map((using) => ({ ...using, ...annotated(using) })),
      entityTypes: own(entityTypes),
      complexTypes: own(complexTypes),
      associations: own(associations),
      entityContainers: buildEntityContainers(schema, defaultContainer, context),
    }
  })
  faults.check()
  const entityContainers = built.flatMap((schema) => schema.entityContainers)
  return deepFreeze({
    kind: 'EdmModel',
    ...annotated(definition.edmx),
    dataServiceVersion: definition.dataServiceVersion ?? versionNeeded([...entityTypes.values()]),
    dataServices: annotated(definition.dataServices),
    schemas: built,
    defaultContainer: entityContainers.find((one) => one.isDefault) as EntityContainer,
    entityContainers,
    entityTypes,
    complexTypes,
    associations,
  } as const)
}

function schemasOf(definition: ModelDefinition, faults: ModelFaults): readonly SchemaDefinition[] {
  const { schemas = [], namespace, edmx, dataServices, ...single } = definition
  const all = namespace === undefined ? schemas : [{ ...single, namespace }, ...schemas]
  if (all.length === 0)
    faults.add('model', "the model is empty: give a 'namespace' with its types, or 'schemas'.")
  const seen = new Set<string>()
  for (const schema of all) {
    if (seen.has(schema.namespace)) faults.add(schema.namespace, 'two schemas have this namespace.')
    seen.add(schema.namespace)
  }
  return all
}

/** Within a namespace entity types, complex types and associations share their names. */
function checkTypeNames(schemas: readonly SchemaDefinition[], faults: ModelFaults): void {
  for (const { namespace, entityTypes = {}, complexTypes = {}, associations = {} } of schemas) {
    const seen = new Set<string>()
    for (const name of [entityTypes, complexTypes, associations].flatMap((one) => Object.keys(one))) {
      if (seen.has(name)) faults.add(`${namespace}.${name}`, 'the schema has two types of this name.')
      seen.add(name)
    }
  }
}

/** The qualified name of the one container that needs no qualification in addresses. */
function defaultContainerOf(schemas: readonly SchemaDefinition[], faults: ModelFaults): string | undefined {
  const all = schemas.flatMap((schema) =>
    Object.entries(containersOf(schema)).map(([name, { default: marked }]) => ({
      name: `${schema.namespace}.${name}`,
      marked,
    })),
  )
  const marked = all.filter((one) => one.marked === true)
  if (all.length === 0) faults.add('model', 'there is no entity container, and so there is nothing to serve.')
  else if (marked.length > 1) {
    faults.add(
      'model',
      `only one of ${marked.map(({ name }) => `'${name}'`).join(', ')} can be the default container.`,
    )
  } else if (marked.length === 0 && all.length > 1) {
    faults.add(
      'model',
      `one of ${all.map(({ name }) => `'${name}'`).join(', ')} must be the default container.`,
    )
  }
  return (marked[0] ?? all[0])?.name
}

/** Version 1.0 unless a property leaves the content for good. @spec MS-ODATA 2.2.3.7.2.1 */
function versionNeeded(
  types: readonly { feedMappings: readonly { keepInContent: boolean }[] }[],
): '1.0' | '2.0' {
  return types.some(({ feedMappings }) => feedMappings.some((mapping) => !mapping.keepInContent))
    ? '2.0'
    : '1.0'
}

/** Adds the navigation properties to all entity types and finishes them. @spec MC-CSDL 2.1.4 */
function buildNavigationProperties(
  drafts: ReadonlyMap<string, EntityTypeDraft>,
  associations: ReadonlyMap<string, Association>,
  faults: ModelFaults,
): void {
  const built: Draft<NavigationProperty>[] = []
  const finished = new Set<EntityType>()
  const finish = (draft: EntityTypeDraft): void => {
    if (finished.has(draft.type)) return
    finished.add(draft.type)
    const base = draft.type.baseType && drafts.get(draft.type.baseType.qualifiedName)
    if (base !== undefined) finish(base)
    const own = navigationPropertiesOf(draft, associations, faults)
    built.push(...own)
    finishEntityType(draft.type, own)
  }
  for (const draft of drafts.values()) finish(draft)
  findPartners(built)
}

/** Lets the properties that lead to and fro over an association know each other, and freezes them. */
function findPartners(navigations: readonly Draft<NavigationProperty>[]): void {
  const firstFrom = new Map<AssociationEnd, NavigationProperty>()
  for (const navigation of navigations) {
    const { fromEnd, toEnd } = navigation
    if (fromEnd !== toEnd && !firstFrom.has(fromEnd)) firstFrom.set(fromEnd, navigation)
  }
  for (const navigation of navigations) {
    navigation.partner = firstFrom.get(navigation.toEnd)
    Object.freeze(navigation)
  }
}

function navigationPropertiesOf(
  { type, definition, schema }: EntityTypeDraft,
  associations: ReadonlyMap<string, Association>,
  faults: ModelFaults,
): Draft<NavigationProperty>[] {
  const scope = new NameScope(schema, associations)
  const built: Draft<NavigationProperty>[] = []
  for (const { name } of type.declaredProperties) {
    if (type.baseType?.navigationProperty(name) === undefined) continue
    faults.add(
      `${type.qualifiedName}.${name}`,
      'the base type has a navigation property of this name already.',
    )
  }
  for (const [name, one] of Object.entries(definition.navigationProperties ?? {})) {
    const place = `${type.qualifiedName}.${name}`
    checkPropertyName(name, place, faults)
    if (type.property(name) !== undefined || type.baseType?.navigationProperty(name) !== undefined) {
      faults.add(place, 'the type has another property of this name.')
    }
    const navigation = buildNavigationProperty(name, one, { type, scope, place, faults })
    if (navigation !== undefined) built.push(navigation)
  }
  return built
}

interface NavigationContext {
  readonly type: EntityType
  readonly scope: NameScope<Association>
  readonly place: string
  readonly faults: ModelFaults
}

function buildNavigationProperty(
  name: string,
  definition: NavigationPropertyDefinition,
  { type, scope, place, faults }: NavigationContext,
): Draft<NavigationProperty> | undefined {
  const association = scope.find(definition.relationship)
  if (association === undefined) {
    const hint = scope.suggest(definition.relationship)
    faults.add(place, `there is no association '${definition.relationship}'.${hint}`)
    return undefined
  }
  const fromEnd = endWithRole(association, definition.fromRole, place, faults)
  const toEnd = endWithRole(association, definition.toRole, place, faults)
  if (fromEnd === undefined || toEnd === undefined) return undefined
  if (fromEnd === toEnd) faults.add(place, 'FromRole and ToRole must be different roles.')
  if (!type.isOrInherits(fromEnd.type)) {
    faults.add(place, `the role '${fromEnd.role}' belongs to '${fromEnd.type.name}', not to '${type.name}'.`)
  }
  return {
    kind: 'NavigationProperty',
    name,
    ...annotated(definition),
    association,
    fromEnd,
    toEnd,
    targetType: toEnd.type,
    isCollection: toEnd.multiplicity === '*',
    partner: undefined,
  }
}

function endWithRole(
  association: Association,
  role: string,
  place: string,
  faults: ModelFaults,
): AssociationEnd | undefined {
  const end = association.ends.find((one) => one.role === role)
  if (end === undefined) {
    const roles = association.ends.map((one) => one.role)
    faults.add(
      place,
      `the association '${association.name}' has no role '${role}'.${didYouMean(role, roles)}`,
    )
  }
  return end
}

/**
 * Freezes plain data all the way down and returns it: objects, arrays and what maps hold. Whatever has a class of its
 * own, such as dates and bytes, is left as it is. Objects may refer to each other in circles.
 */
export function deepFreeze<T>(value: T): T {
  const seen = new Set<object>()
  // A list and no recursion: in a model each type leads to the next, thousands deep.
  const open: object[] = []
  const add = (member: unknown): void => {
    if (typeof member !== 'object' || member === null || seen.has(member)) return
    seen.add(member)
    open.push(member)
  }
  add(value)
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one instanceof Map) one.forEach(add)
    else if (isPlain(one)) Object.values(Object.freeze(one)).forEach(add)
  }
  return value
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Array.isArray(value)
}
