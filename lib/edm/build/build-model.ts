import { csdl2Namespace } from '../../xml/namespaces.js'
import { didYouMean } from '../../errors/suggestions.js'
import type {
  Association,
  AssociationEnd,
  EdmModel,
  EntityContainer,
  EntityType,
  NavigationProperty,
  Schema,
} from '../edm-model.js'
import type { ModelDefinition, NavigationPropertyDefinition, SchemaDefinition } from '../model-definition.js'
import type { Draft } from './annotated.js'
import { annotated } from './annotated.js'
import { buildAssociations } from './build-associations.js'
import { buildEntityContainers, containersOf } from './build-entity-containers.js'
import type { EntityTypeDraft } from './build-types.js'
import { addNavigationProperties, buildComplexTypes, buildEntityTypes } from './build-types.js'
import { addGeneratedEtags } from './generated-etags.js'
import { checkFeedMappings } from './check-feed-mappings.js'
import type { ModelErrors } from './model-error.js'
import { checkPropertyName, NameScope } from './name-scope.js'

/**
 * Resolves the names of a definition and freezes the resulting model.
 *
 * @param errors the errors found so far
 * @throws ModelError with all errors of the definition
 */
export function buildModel(definition: ModelDefinition, errors: ModelErrors): EdmModel {
  const declared = schemasOf(definition, errors)
  const schemas = shareAliases(declared)
  checkTypeNames(schemas, errors)
  const complexTypes = buildComplexTypes(schemas, errors)
  const drafts = buildEntityTypes(schemas, complexTypes, errors)
  const entityTypes = new Map([...drafts].map(([name, { type }]) => [name, type]))
  const associations = buildAssociations(schemas, entityTypes, errors)
  buildNavigationProperties(drafts, associations, errors)
  for (const type of entityTypes.values()) checkFeedMappings(type, errors)
  const defaultContainer = defaultContainerOf(schemas, errors)
  const context = { entityTypes, complexTypes, associations, errors }
  const built = schemas.map((schema, index): Schema => {
    const own = <T extends { readonly namespace: string }>(all: ReadonlyMap<string, T>): T[] =>
      [...all.values()].filter((one) => one.namespace === schema.namespace)
    return {
      namespace: schema.namespace,
      alias: schema.alias,
      ...annotated(schema),
      xmlNamespace: schema.xmlNamespace ?? csdl2Namespace,
      usings: (declared[index]?.usings ?? []).map((using) => ({ ...using, ...annotated(using) })),
      entityTypes: own(entityTypes),
      complexTypes: own(complexTypes),
      associations: own(associations),
      entityContainers: buildEntityContainers(schema, defaultContainer, context),
    }
  })
  errors.check()
  const { generateEtags } = definition
  if (generateEtags === true)
    addGeneratedEtags(
      [...drafts.values()].map(({ type }) => type),
      built,
    )
  const entityContainers = built.flatMap((schema) => schema.entityContainers)
  return deepFreeze({
    kind: 'EdmModel',
    ...annotated(definition.edmx),
    dataServiceVersion: definition.dataServiceVersion ?? minimumVersion(entityTypes),
    dataServices: annotated(definition.dataServices),
    schemas: built,
    defaultContainer: entityContainers.find((one) => one.isDefault) as EntityContainer,
    entityContainers,
    entityTypes,
    complexTypes,
    associations,
    ...(generateEtags === true ? { generateEtags } : {}),
  } as const)
}

function schemasOf(definition: ModelDefinition, errors: ModelErrors): readonly SchemaDefinition[] {
  const { schemas = [], namespace, edmx, dataServices, generateEtags: _, ...single } = definition
  const all = namespace === undefined ? schemas : [{ ...single, namespace }, ...schemas]
  if (all.length === 0)
    errors.add('model', "the model is empty: it needs a 'namespace' and its types, or 'schemas'.")
  const seen = new Set<string>()
  for (const schema of all) {
    if (seen.has(schema.namespace)) errors.add(schema.namespace, 'two schemas have this namespace.')
    seen.add(schema.namespace)
  }
  return all
}

/**
 * Lets schemas use the aliases of other schemas without `<Using>`, as documents of other servers do. Namespaces and own
 * aliases have precedence.
 */
function shareAliases(schemas: readonly SchemaDefinition[]): readonly SchemaDefinition[] {
  const namespaces = new Set(schemas.map(({ namespace }) => namespace))
  const shared = schemas.flatMap(({ namespace, alias }) =>
    alias === undefined || namespaces.has(alias) ? [] : [{ namespace, alias }],
  )
  if (shared.length === 0 || schemas.length === 1) return schemas
  return schemas.map((schema) => ({ ...schema, usings: [...(schema.usings ?? []), ...shared] }))
}

/**
 * Reports types of a namespace with the same name. Entity types, complex types and associations share one set of
 * names.
 */
function checkTypeNames(schemas: readonly SchemaDefinition[], errors: ModelErrors): void {
  for (const { namespace, entityTypes = {}, complexTypes = {}, associations = {} } of schemas) {
    const seen = new Set<string>()
    for (const name of [entityTypes, complexTypes, associations].flatMap((one) => Object.keys(one))) {
      if (seen.has(name)) errors.add(`${namespace}.${name}`, 'the schema has two types with this name.')
      seen.add(name)
    }
  }
}

/** Returns the qualified name of the container whose members are addressed without qualification. */
function defaultContainerOf(schemas: readonly SchemaDefinition[], errors: ModelErrors): string | undefined {
  const all = schemas.flatMap((schema) =>
    Object.entries(containersOf(schema)).map(([name, { default: marked }]) => ({
      name: `${schema.namespace}.${name}`,
      marked,
    })),
  )
  const marked = all.filter((one) => one.marked === true)
  if (all.length === 0) errors.add('model', 'there is no entity container.')
  else if (marked.length > 1) {
    errors.add('model', `only one of ${quotedNames(marked)} can be the default container.`)
  } else if (marked.length === 0 && all.length > 1) {
    errors.add('model', `one of ${quotedNames(all)} must be the default container.`)
  }
  return (marked[0] ?? all[0])?.name
}

function quotedNames(all: readonly { readonly name: string }[]): string {
  return all.map(({ name }) => `'${name}'`).join(', ')
}

/** Returns the version that a model needs: 2.0 if a feed mapping removes a property from the content. @spec MS-ODATA 2.2.3.7.2.1 */
export function minimumVersion(entityTypes: EdmModel['entityTypes']): '1.0' | '2.0' {
  const mappings = [...entityTypes.values()].flatMap(({ feedMappings }) => feedMappings)
  return mappings.some(({ keepInContent }) => !keepInContent) ? '2.0' : '1.0'
}

/** Builds the navigation properties of all entity types. @spec MC-CSDL 2.1.4 */
function buildNavigationProperties(
  drafts: ReadonlyMap<string, EntityTypeDraft>,
  associations: ReadonlyMap<string, Association>,
  errors: ModelErrors,
): void {
  const built: Draft<NavigationProperty>[] = []
  const visited = new Set<EntityTypeDraft>()
  const visit = (draft: EntityTypeDraft): void => {
    if (visited.has(draft)) return
    visited.add(draft)
    const base = draft.type.baseType && drafts.get(draft.type.baseType.qualifiedName)
    if (base !== undefined) visit(base)
    const own = navigationPropertiesOf(draft, associations, errors)
    built.push(...own)
    addNavigationProperties(draft.type, own)
  }
  drafts.forEach(visit)
  setPartners(built)
}

/** Connects the navigation properties of both directions of an association. */
function setPartners(navigations: readonly Draft<NavigationProperty>[]): void {
  const firstFrom = new Map<AssociationEnd, NavigationProperty>()
  for (const navigation of navigations) {
    const { fromEnd, toEnd } = navigation
    if (fromEnd !== toEnd && !firstFrom.has(fromEnd)) firstFrom.set(fromEnd, navigation)
  }
  for (const navigation of navigations) navigation.partner = firstFrom.get(navigation.toEnd)
}

function navigationPropertiesOf(
  { type, definition, schema }: EntityTypeDraft,
  associations: ReadonlyMap<string, Association>,
  errors: ModelErrors,
): Draft<NavigationProperty>[] {
  const scope = new NameScope(schema, associations, errors)
  const built: Draft<NavigationProperty>[] = []
  for (const { name } of type.declaredProperties) {
    if (type.baseType?.navigationProperty(name) === undefined) continue
    const place = `${type.qualifiedName}.${name}`
    errors.add(place, 'the base type already has a navigation property with this name.')
  }
  for (const [name, one] of Object.entries(definition.navigationProperties ?? {})) {
    const place = `${type.qualifiedName}.${name}`
    checkPropertyName(name, place, errors)
    if (type.property(name) !== undefined || type.baseType?.navigationProperty(name) !== undefined) {
      errors.add(place, 'the type has another property with this name.')
    }
    const navigation = buildNavigationProperty(name, one, { type, scope, place, errors })
    if (navigation !== undefined) built.push(navigation)
  }
  return built
}

interface NavigationContext {
  readonly type: EntityType
  readonly scope: NameScope<Association>
  readonly place: string
  readonly errors: ModelErrors
}

function buildNavigationProperty(
  name: string,
  definition: NavigationPropertyDefinition,
  { type, scope, place, errors }: NavigationContext,
): Draft<NavigationProperty> | undefined {
  const association = scope.resolve(definition.relationship, 'association', place)
  if (association === undefined) return undefined
  const fromEnd = endWithRole(association, definition.fromRole, place, errors)
  const toEnd = endWithRole(association, definition.toRole, place, errors)
  if (fromEnd === undefined || toEnd === undefined) return undefined
  if (fromEnd === toEnd) errors.add(place, 'FromRole and ToRole must be different roles.')
  if (!type.isOrInherits(fromEnd.type)) {
    const { qualifiedName } = fromEnd.type
    errors.add(
      place,
      `the role '${fromEnd.role}' belongs to '${qualifiedName}', not to '${type.qualifiedName}'.`,
    )
  }
  return {
    kind: 'NavigationProperty',
    name,
    association,
    fromEnd,
    toEnd,
    targetType: toEnd.type,
    isCollection: toEnd.multiplicity === '*',
    partner: undefined,
    ...annotated(definition),
  }
}

function endWithRole(
  association: Association,
  role: string,
  place: string,
  errors: ModelErrors,
): AssociationEnd | undefined {
  const end = association.ends.find((one) => one.role === role)
  if (end === undefined) {
    const roles = association.ends.map((one) => one.role)
    errors.add(
      place,
      `the association '${association.name}' has no role '${role}'.${didYouMean(role, roles)}`,
    )
  }
  return end
}

/**
 * Freezes plain objects, arrays and the values of maps recursively. Instances of other classes, such as dates and
 * bytes, are not frozen. Objects may have cycles.
 */
export function deepFreeze<T>(value: T): T {
  const seen = new Set<object>()
  // Iterative: chains of references between the types of a model would exceed the stack.
  const pending: object[] = []
  const add = (member: unknown): void => {
    if (typeof member !== 'object' || member === null || seen.has(member)) return
    seen.add(member)
    pending.push(member)
  }
  add(value)
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    if (one instanceof Map) one.forEach(add)
    else if (isPlain(one)) Object.values(Object.freeze(one)).forEach(add)
  }
  return value
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null || Array.isArray(value)
}
