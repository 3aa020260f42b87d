import type {
  ComplexType,
  EdmModel,
  EntityContainer,
  EntitySet,
  EntityType,
  FunctionImport,
  NavigationProperty,
  Property,
  StructuralType,
} from './edm-model.js'
import { isPrimitive } from './edm-model.js'
import type { SapRestrictions } from './sap-annotations.js'
import { sapRestrictionsOf } from './sap-annotations.js'
import { getOrCreate } from '../util/get-or-create.js'

/** Names that a view hides, by path of the entity set: properties, paths of complex members, navigation properties. */
export type HiddenNames = ReadonlyMap<string, ReadonlySet<string>>

const noNames: ReadonlySet<string> = new Set()

/** The original elements of the elements of views. */
const originals = new WeakMap<object, object>()
/** The entity set that a type of a view belongs to. */
const setsOfTypes = new WeakMap<EntityType, EntitySet>()
const reducedTypes = new WeakSet<EntityType>()

/**
 * A model without some columns of its entity sets. Everything that is bound to a view cannot name, read or serialize a
 * hidden property. Other elements are those of the model, so that providers and annotations recognize them.
 */
export class ModelView {
  readonly model: EdmModel
  private readonly sets = new Map<string, EntitySet>()
  /** The original properties of complex properties that lack members. */
  private readonly reduced: (readonly [Property, Property])[] = []

  /** @param onSet called with every entity set that a name leads to */
  constructor(
    readonly original: EdmModel,
    private readonly hidden: HiddenNames,
    private readonly onSet?: (set: EntitySet) => void,
  ) {
    const entityContainers = original.entityContainers.map((container) => this.container(container))
    const defaultIndex = original.entityContainers.indexOf(original.defaultContainer)
    const defaultContainer = entityContainers[defaultIndex] ?? original.defaultContainer
    this.model = derived(original, { entityContainers, defaultContainer })
  }

  /** Returns true if these are the names that the view hides. */
  hides(names: HiddenNames): boolean {
    if (names.size !== this.hidden.size) return false
    for (const [set, own] of names) {
      const hidden = this.hidden.get(set)
      if (hidden?.size !== own.size) return false
      for (const name of own) if (!hidden.has(name)) return false
    }
    return true
  }

  /** Returns the entity set of the view for one of the model. */
  setOf(set: EntitySet): EntitySet {
    return getOrCreate(this.sets, set.path, () => this.createSet(originalSet(set)))
  }

  /** Returns the restrictions of SAP's annotations for the elements of the view. */
  restrictions(): SapRestrictions | undefined {
    const restrictions = sapRestrictionsOf(this.model)
    if (restrictions === undefined) return undefined
    const properties = new Map(restrictions.properties)
    for (const [copy, property] of this.reduced) {
      const known = properties.get(property)
      if (known !== undefined) properties.set(copy, known)
    }
    return { ...restrictions, properties }
  }

  private found<S extends EntitySet | undefined>(set: S): S {
    if (set === undefined) return set
    this.onSet?.(originalSet(set))
    return this.setOf(set) as S
  }

  private container(container: EntityContainer): EntityContainer {
    const functions = new Map<FunctionImport, FunctionImport>()
    for (const one of container.functionImports) functions.set(one, this.functionImport(one))
    return derived(container, {
      entitySets: container.entitySets.map((set) => this.setOf(set)),
      functionImports: [...functions.values()],
      entitySet: (name) => this.found(container.entitySet(name)),
      functionImport: (name) => {
        const found = container.functionImport(name)
        return found && functions.get(found)
      },
    })
  }

  private functionImport(functionImport: FunctionImport): FunctionImport {
    const { entitySet } = functionImport
    if (entitySet === undefined) return functionImport
    const members = Object.defineProperty({}, 'entitySet', { get: () => this.found(entitySet) })
    return derived(functionImport, members)
  }

  private createSet(set: EntitySet): EntitySet {
    let entityType: EntityType | undefined
    const members: Partial<EntitySet> = {
      get entityType(): EntityType {
        return (entityType ??= typeOf())
      },
      targetOf: (navigation) => this.found(set.targetOf(navigation)),
    }
    const view = derived(set, members)
    const typeOf = (): EntityType =>
      this.entityType(set.entityType, view, this.hidden.get(set.path) ?? noNames)
    return view
  }

  private entityType(type: EntityType, set: EntitySet, hidden: ReadonlySet<string>): EntityType {
    const navigations = type.navigationProperties.filter(({ name }) => !hidden.has(name))
    const isVisible = ({ sourcePath }: EntityType['feedMappings'][number]): boolean =>
      !sourcePath.some((_, index) => hidden.has(sourcePath.slice(0, index + 1).join('/')))
    const view = derived(type, {
      ...this.structure(type, hidden, ''),
      navigationProperties: navigations,
      computedProperties: type.computedProperties.filter(({ name }) => !hidden.has(name)),
      declaredNavigationProperties: type.declaredNavigationProperties.filter(({ name }) => !hidden.has(name)),
      navigationProperty: (name) => (hidden.has(name) ? undefined : type.navigationProperty(name)),
      feedMappings: type.feedMappings.filter(isVisible),
      declaredFeedMappings: type.declaredFeedMappings.filter(isVisible),
      derivedTypes: type.derivedTypes.map((one) => this.entityType(one, set, hidden)),
      isOrInherits: (ancestor) => type.isOrInherits(originalOf(ancestor)),
    })
    setsOfTypes.set(view, set)
    if (hidden.size > 0) reducedTypes.add(view)
    return view
  }

  private structure<T extends StructuralType>(
    type: T,
    hidden: ReadonlySet<string>,
    prefix: string,
  ): Pick<StructuralType, 'properties' | 'declaredProperties' | 'property'> {
    const { properties, declaredProperties } = type
    if (hidden.size === 0) return { properties, declaredProperties, property: (name) => type.property(name) }
    const byName = new Map<string, Property>()
    for (const property of properties) {
      if (!hidden.has(prefix + property.name))
        byName.set(property.name, this.property(property, hidden, prefix))
    }
    const own = new Set(declaredProperties.map(({ name }) => name))
    return {
      properties: [...byName.values()],
      declaredProperties: [...byName.values()].filter(({ name }) => own.has(name)),
      property: (name) => byName.get(name),
    }
  }

  private property(property: Property, hidden: ReadonlySet<string>, prefix: string): Property {
    const { type } = property
    const path = `${prefix}${property.name}/`
    if (isPrimitive(type) || ![...hidden].some((name) => name.startsWith(path))) return property
    const reducedType: ComplexType = derived(type, this.structure(type, hidden, path))
    const copy = derived(property, { type: reducedType })
    this.reduced.push([copy, property])
    return copy
  }
}

/** Returns the original of an entity set of a view. */
export function originalSet(set: EntitySet): EntitySet {
  return originalOf(set)
}

/**
 * Returns the type of the entities that a navigation property leads to; in a view, the type of the view.
 *
 * @param source the type that has the navigation property
 */
export function targetTypeOf(source: StructuralType, navigation: NavigationProperty): EntityType {
  const type = setsOfTypes.get(source as EntityType)?.targetOf(navigation)?.entityType
  if (type === undefined) return navigation.targetType
  const { qualifiedName } = navigation.targetType
  return type.derivedTypes.find((one) => one.qualifiedName === qualifiedName) ?? type
}

/** Returns true if the type lacks properties that rows may have. */
export function hasHiddenNames(type: EntityType): boolean {
  return reducedTypes.has(type)
}

function originalOf<T extends object>(element: T): T {
  return (originals.get(element) as T | undefined) ?? element
}

/** Creates an element with other members. It inherits the rest, because elements of models are frozen. */
function derived<T extends object>(element: T, members: Partial<T>): T {
  const view = Object.create(element, Object.getOwnPropertyDescriptors(members)) as T
  originals.set(view, element)
  return view
}
