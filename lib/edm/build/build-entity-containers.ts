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
import type {
  AssociationSetDefinition,
  EntityContainerDefinition,
  SchemaDefinition,
} from '../model-definition.js'
import type { Draft } from './annotated.js'
import { annotated } from './annotated.js'
import { buildFunctionImports } from './build-function-imports.js'
import type { ModelFaults } from './model-faults.js'
import { checkName, NameScope } from './name-scope.js'
import { setInRole } from '../edm-model.js'

/** Everything that containers refer to. */
export interface ContainerContext {
  readonly entityTypes: ReadonlyMap<string, EntityType>
  readonly complexTypes: ReadonlyMap<string, ComplexType>
  readonly associations: ReadonlyMap<string, Association>
  readonly faults: ModelFaults
}

/** Builds the containers of one schema. @spec MC-CSDL 2.1.14 */
export function buildEntityContainers(
  schema: SchemaDefinition,
  defaultContainer: string | undefined,
  context: ContainerContext,
): EntityContainer[] {
  return Object.entries(containersOf(schema)).map(([name, definition]) => {
    const qualifiedName = `${schema.namespace}.${name}`
    checkName(name, qualifiedName, context.faults)
    return buildContainer(name, definition, qualifiedName === defaultContainer, schema, context)
  })
}

/** The containers of a schema by name, however the definition gave them. */
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
  // A document says what it says; a definition may leave out what is clear.
  const isLeftOut = definition.associationSets === undefined && schema.xmlNamespace === undefined
  const derived = isLeftOut ? derivedAssociationSets(context.associations.values(), sets, byType) : []
  const associationSets = [...declared, ...derived]
  const targets = new NavigationTargets(associationSets, byType)
  for (const set of sets.values()) {
    set.targetOf = targets.finderFrom(set)
    Object.freeze(set)
  }
  const functions = buildFunctionImports(definition.functionImports ?? {}, {
    ...context,
    schema,
    sets,
    place: qualifiedName,
    addressOf,
  })
  return Object.freeze({
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
  })
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
  const scope = new NameScope(schema, context.entityTypes)
  const sets = new Map<string, Draft<EntitySet>>()
  for (const [name, one] of Object.entries(definition.entitySets ?? {})) {
    const place = `${container}.${name}`
    checkName(name, place, context.faults)
    const entityType = scope.find(one.entityType)
    if (entityType === undefined) {
      const hint = scope.suggest(one.entityType)
      context.faults.add(place, `there is no entity type '${one.entityType}'.${hint}`)
      continue
    }
    sets.set(name, {
      kind: 'EntitySet',
      name,
      container,
      path: addressOf(name),
      ...annotated(one),
      entityType,
      targetOf: () => undefined,
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
  const scope = new NameScope(schema, context.associations)
  const built: AssociationSet[] = []
  for (const [name, one] of Object.entries(definition.associationSets ?? {})) {
    const place = `${container}.${name}`
    checkName(name, place, context.faults)
    const association = scope.find(one.association)
    if (association === undefined) {
      const hint = scope.suggest(one.association)
      context.faults.add(place, `there is no association '${one.association}'.${hint}`)
      continue
    }
    const [first, second] = buildAssociationSetEnds(one, association, sets, place, context.faults)
    if (first === undefined || second === undefined) continue
    built.push(Object.freeze({ name, ...annotated(one), association, ends: [first, second] as const }))
  }
  return built
}

function buildAssociationSetEnds(
  definition: AssociationSetDefinition,
  association: Association,
  sets: ReadonlyMap<string, EntitySet>,
  place: string,
  faults: ModelFaults,
): AssociationSetEnd[] {
  const roles = association.ends.map((end) => end.role)
  const ends: AssociationSetEnd[] = []
  for (const [role, one] of Object.entries(definition.ends)) {
    const { entitySet: setName, ...rest } = typeof one === 'string' ? { entitySet: one } : one
    const entitySet = sets.get(setName)
    const end = association.ends.find((one) => one.role === role) ?? unnamedEnd(association, role, entitySet)
    if (end === undefined) {
      faults.add(
        place,
        `the association '${association.name}' has no role '${role}'.${didYouMean(role, roles)}`,
      )
    } else if (entitySet === undefined) {
      faults.add(place, `there is no entity set '${setName}'.${didYouMean(setName, sets.keys())}`)
    } else if (!entitySet.entityType.isOrInherits(end.type) && !end.type.isOrInherits(entitySet.entityType)) {
      faults.add(
        place,
        `the role '${role}' is of type '${end.type.name}', but '${setName}' holds another type.`,
      )
    } else if (ends.some((other) => other.role === end.role)) {
      // One of them names it, the other one only the set.
      faults.add(place, `both ends have the role '${end.role}'.`)
    } else {
      ends.push(Object.freeze({ role: end.role, ...annotated(rest), entitySet }))
    }
  }
  if (Object.keys(definition.ends).length !== 2) {
    faults.add(place, `an association set names an entity set for both roles, '${roles.join("' and '")}'.`)
  }
  return ends
}

/** Metadata documents may leave the role out when the types of the ends tell it; the set's name then stands for it. */
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
 * The association sets that a definition leaves out because nothing else could stand in them: each end has one entity
 * set of its type. Clients read from the metadata document where a navigation property leads, and need them there.
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
    derived.push(
      Object.freeze({ name, ...annotated({}), association, ends: Object.freeze([first, second] as const) }),
    )
  }
  return derived
}

function onlySetOf({ role, type }: AssociationEnd, byType: SetsByType): AssociationSetEnd | undefined {
  const entitySet = byType.onlyFor(type)
  return entitySet && Object.freeze({ role, ...annotated({}), entitySet })
}

/** Which sets the navigation properties of one container lead to. */
class NavigationTargets {
  private readonly associationSets = new Map<Association, AssociationSet[]>()

  constructor(
    associationSets: Iterable<AssociationSet>,
    private readonly sets: SetsByType,
  ) {
    for (const one of associationSets) {
      const same = this.associationSets.get(one.association)
      if (same === undefined) this.associationSets.set(one.association, [one])
      else same.push(one)
    }
  }

  /** The target from one set, looked up once for each property. */
  finderFrom(source: EntitySet): (navigation: NavigationProperty) => EntitySet | undefined {
    const known = new Map<NavigationProperty, EntitySet | undefined>()
    return (navigation) => {
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
    // Documents without association sets are common; one set of the type leaves no doubt.
    if (matching === undefined) return this.sets.onlyFor(targetType)
    return setInRole(matching, toEnd.role)
  }
}

/** The entity sets of a container, to be found by what they hold. */
class SetsByType {
  private readonly sets = new Map<EntityType, EntitySet[]>()

  constructor(sets: Iterable<EntitySet>) {
    for (const set of sets) {
      const same = this.sets.get(set.entityType)
      if (same === undefined) this.sets.set(set.entityType, [set])
      else same.push(set)
    }
  }

  /** The one set that entities of a type can be in; undefined when there are several, or none. */
  onlyFor(type: EntityType): EntitySet | undefined {
    const found: EntitySet[] = []
    for (let one: EntityType | undefined = type; one !== undefined; one = one.baseType) {
      found.push(...(this.sets.get(one) ?? []))
    }
    return found.length === 1 ? found[0] : undefined
  }
}
