import { didYouMean } from '../../errors/suggestions.js'
import type {
  Association,
  AssociationEnd,
  AssociationSet,
  AssociationSetEnd,
  ComplexType,
  EntityContainer,
  EntitySet,
  EntityType,
  NavigationProperty,
} from '../edm-model.js'
import { setInRole } from '../edm-model.js'
import type {
  AssociationSetDefinition,
  EntityContainerDefinition,
  SchemaDefinition,
} from '../model-definition.js'
import type { Draft } from './annotated.js'
import { annotated } from './annotated.js'
import { buildFunctionImports } from './build-function-imports.js'
import type { ModelErrors } from './model-error.js'
import { checkName, NameScope } from './name-scope.js'
import { groupBy } from '../../util/get-or-create.js'

/** The elements to which containers refer. */
interface ContainerContext {
  readonly entityTypes: ReadonlyMap<string, EntityType>
  readonly complexTypes: ReadonlyMap<string, ComplexType>
  readonly associations: ReadonlyMap<string, Association>
  readonly errors: ModelErrors
}

/** Builds the containers of one schema. @spec MC-CSDL 2.1.14 */
export function buildEntityContainers(
  schema: SchemaDefinition,
  defaultContainer: string | undefined,
  context: ContainerContext,
): EntityContainer[] {
  return Object.entries(containersOf(schema)).map(([name, definition]) => {
    const qualifiedName = `${schema.namespace}.${name}`
    checkName(name, qualifiedName, context.errors)
    return buildContainer(name, definition, qualifiedName === defaultContainer, schema, context)
  })
}

/** Returns the containers of a schema by name, from both forms of a definition. */
export function containersOf(schema: SchemaDefinition): Readonly<Record<string, EntityContainerDefinition>> {
  const { entityContainer, entityContainers = {} } = schema
  if (entityContainer === undefined) return entityContainers
  const { name = 'Container', ...definition } = entityContainer
  return { [name]: definition, ...entityContainers }
}

function buildContainer(
  name: string,
  definition: EntityContainerDefinition,
  isDefault: boolean,
  schema: SchemaDefinition,
  context: ContainerContext,
): EntityContainer {
  const qualifiedName = `${schema.namespace}.${name}`
  const addressOf = (member: string): string => (isDefault ? member : `${name}.${member}`)
  const sets = buildEntitySets(definition, { container: qualifiedName, addressOf, schema, context })
  const declared = buildAssociationSets(definition, qualifiedName, sets, schema, context)
  const byType = new SetsByType(sets.values())
  // Only definitions in code may omit association sets: those of metadata documents are preserved as they are.
  const isOmitted = definition.associationSets === undefined && schema.xmlNamespace === undefined
  const derived = isOmitted ? derivedAssociationSets(context.associations.values(), sets, byType) : []
  const associationSets = [...declared, ...derived]
  const targets = new NavigationTargets(associationSets, byType)
  for (const set of sets.values()) set.targetOf = targets.finderFrom(set)
  const functions = buildFunctionImports(definition.functionImports ?? {}, {
    ...context,
    schema,
    sets,
    place: qualifiedName,
    addressOf,
  })
  return {
    name,
    namespace: schema.namespace,
    qualifiedName,
    ...annotated(definition),
    isDefault,
    extends: definition.extends,
    entitySets: [...sets.values()],
    associationSets,
    functionImports: [...functions.values()],
    entitySet: (one: string) => sets.get(one),
    functionImport: (one: string) => functions.get(one),
  }
}

interface SetContext {
  readonly container: string
  readonly addressOf: (member: string) => string
  readonly schema: SchemaDefinition
  readonly context: ContainerContext
}

function buildEntitySets(
  definition: EntityContainerDefinition,
  { container, addressOf, schema, context }: SetContext,
): Map<string, Draft<EntitySet>> {
  const scope = new NameScope(schema, context.entityTypes, context.errors)
  const sets = new Map<string, Draft<EntitySet>>()
  for (const [name, one] of Object.entries(definition.entitySets ?? {})) {
    const place = `${container}.${name}`
    checkName(name, place, context.errors)
    const entityType = scope.resolve(one.entityType, 'entity type', place)
    if (entityType === undefined) continue
    sets.set(name, {
      kind: 'EntitySet',
      name,
      container,
      path: addressOf(name),
      entityType,
      targetOf: () => undefined,
      ...annotated(one),
    })
  }
  return sets
}

/** @spec MC-CSDL 2.1.19 */
function buildAssociationSets(
  definition: EntityContainerDefinition,
  container: string,
  sets: ReadonlyMap<string, EntitySet>,
  schema: SchemaDefinition,
  context: ContainerContext,
): AssociationSet[] {
  const scope = new NameScope(schema, context.associations, context.errors)
  const built: AssociationSet[] = []
  for (const [name, one] of Object.entries(definition.associationSets ?? {})) {
    const place = `${container}.${name}`
    checkName(name, place, context.errors)
    const association = scope.resolve(one.association, 'association', place)
    if (association === undefined) continue
    const [first, second] = buildAssociationSetEnds(one, association, sets, place, context.errors)
    if (first === undefined || second === undefined) continue
    built.push({ name, association, ends: [first, second], ...annotated(one) })
  }
  return built
}

function buildAssociationSetEnds(
  definition: AssociationSetDefinition,
  association: Association,
  sets: ReadonlyMap<string, EntitySet>,
  place: string,
  errors: ModelErrors,
): AssociationSetEnd[] {
  const roles = association.ends.map((end) => end.role)
  const ends: AssociationSetEnd[] = []
  for (const [role, one] of Object.entries(definition.ends)) {
    const { entitySet: setName, ...rest } = typeof one === 'string' ? { entitySet: one } : one
    const entitySet = sets.get(setName)
    const end = association.ends.find((one) => one.role === role) ?? unnamedEnd(association, role, entitySet)
    if (end === undefined) {
      errors.add(
        place,
        `the association '${association.name}' has no role '${role}'.${didYouMean(role, roles)}`,
      )
    } else if (entitySet === undefined) {
      errors.add(place, `there is no entity set '${setName}'.${didYouMean(setName, sets.keys())}`)
    } else if (!entitySet.entityType.isOrInherits(end.type) && !end.type.isOrInherits(entitySet.entityType)) {
      errors.add(
        place,
        `the role '${role}' is of type '${end.type.name}', but '${setName}' has another entity type.`,
      )
    } else if (ends.some((other) => other.role === end.role)) {
      // One end names the role, the other one only the set.
      errors.add(place, `both ends have the role '${end.role}'.`)
    } else {
      ends.push({ role: end.role, entitySet, ...annotated(rest) })
    }
  }
  if (Object.keys(definition.ends).length !== 2) {
    errors.add(place, `an association set names an entity set for both roles, '${roles.join("' and '")}'.`)
  }
  return ends
}

/**
 * Finds the end of an association for a role that the metadata document omits. The name of the set replaces the role
 * in the definition.
 */
function unnamedEnd(
  association: Association,
  role: string,
  set: EntitySet | undefined,
): AssociationEnd | undefined {
  if (set === undefined || role !== set.name) return undefined
  const candidates = association.ends.filter((end) => set.entityType.isOrInherits(end.type))
  return candidates.length === 1 ? candidates[0] : undefined
}

/**
 * Derives omitted association sets where each end has exactly one entity set of its type. Clients need them in the
 * metadata document to find the targets of navigation properties.
 *
 * @spec MC-CSDL 2.1.19
 */
function derivedAssociationSets(
  associations: Iterable<Association>,
  sets: ReadonlyMap<string, EntitySet>,
  byType: SetsByType,
): AssociationSet[] {
  const names = new Set(sets.keys())
  const derived: AssociationSet[] = []
  for (const association of associations) {
    const [first, second] = association.ends.map((end) => onlySetOf(end, byType))
    if (first === undefined || second === undefined) continue
    const name = names.has(association.name) ? `${association.name}Set` : association.name
    if (names.has(name)) continue
    names.add(name)
    derived.push({ name, ...annotated({}), association, ends: [first, second] })
  }
  return derived
}

function onlySetOf({ role, type }: AssociationEnd, byType: SetsByType): AssociationSetEnd | undefined {
  const entitySet = byType.onlyFor(type)
  return entitySet && { role, ...annotated({}), entitySet }
}

/** Finds the target sets of navigation properties within one container. */
class NavigationTargets {
  private readonly associationSets: ReadonlyMap<Association, AssociationSet[]>

  constructor(
    associationSets: Iterable<AssociationSet>,
    private readonly sets: SetsByType,
  ) {
    this.associationSets = groupBy(associationSets, ({ association }) => association)
  }

  /** Returns a function that finds the targets from one set and caches them. */
  finderFrom(source: EntitySet): (navigation: NavigationProperty) => EntitySet | undefined {
    let known: Map<NavigationProperty, EntitySet | undefined> | undefined
    return (navigation) => {
      known ??= new Map()
      if (!known.has(navigation)) known.set(navigation, this.find(source, navigation))
      return known.get(navigation)
    }
  }

  private find(
    source: EntitySet,
    { association, fromEnd, toEnd, targetType }: NavigationProperty,
  ): EntitySet | undefined {
    const matching = this.associationSets
      .get(association)
      ?.find(({ ends }) => ends.some((end) => end.role === fromEnd.role && end.entitySet === source))
    // Documents without association sets are common; the target is unambiguous if only one set has the type.
    return matching === undefined ? this.sets.onlyFor(targetType) : setInRole(matching, toEnd.role)
  }
}

/** The entity sets of a container by entity type. */
class SetsByType {
  private readonly sets: ReadonlyMap<EntityType, EntitySet[]>

  constructor(sets: Iterable<EntitySet>) {
    this.sets = groupBy(sets, ({ entityType }) => entityType)
  }

  /** Returns the only set that can contain entities of a type; undefined if there are several or none. */
  onlyFor(type: EntityType): EntitySet | undefined {
    const found: EntitySet[] = []
    for (let one: EntityType | undefined = type; one !== undefined; one = one.baseType) {
      found.push(...(this.sets.get(one) ?? []))
    }
    return found.length === 1 ? found[0] : undefined
  }
}
