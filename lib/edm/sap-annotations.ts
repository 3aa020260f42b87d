import type { Annotatable } from './annotations.js'
import { sapAnnotation } from './annotations.js'
import type {
  AssociationSet,
  ComplexType,
  EdmModel,
  EntitySet,
  EntityType,
  NavigationProperty,
  Property,
} from './edm-model.js'
import { isPrimitive } from './edm-model.js'
import { computeOnce } from '../util/get-or-create.js'

/** The path of a Boolean property within an entity. */
export type BooleanPath = readonly Property[]

/** The restrictions of an entity set. */
export interface SetRestrictions {
  readonly notCreatable: boolean
  readonly notUpdatable: boolean
  readonly notDeletable: boolean
  /** If present, only entities where it is true can be updated. */
  readonly updatablePath: BooleanPath | undefined
  /** If present, only entities where it is true can be deleted. */
  readonly deletablePath: BooleanPath | undefined
  readonly notTopable: boolean
  readonly notCountable: boolean
  readonly notAddressable: boolean
  readonly notSearchable: boolean
  readonly requiresFilter: boolean
  /** The paths of the properties that `$filter` must contain: `Address/Zip`. */
  readonly requiredInFilter: readonly string[]
}

const filterRestrictions = ['single-value', 'multi-value', 'interval'] as const

/** Restricts the comparisons of a property in `$filter`. */
export type FilterRestriction = (typeof filterRestrictions)[number]

/** The restrictions of a property. */
export interface PropertyRestrictions {
  readonly notCreatable: boolean
  readonly notUpdatable: boolean
  readonly notSortable: boolean
  readonly notFilterable: boolean
  readonly filterRestriction: FilterRestriction | undefined
}

/** The restrictions of a navigation property. */
interface NavigationRestrictions {
  readonly notCreatable: boolean
  /** If present, related entities can be created only for entities where it is true. */
  readonly creatablePath: BooleanPath | undefined
  readonly notFilterable: boolean
}

/** The restrictions of the links of an association set. */
export interface LinkRestrictions {
  readonly notCreatable: boolean
  readonly notUpdatable: boolean
  readonly notDeletable: boolean
}

/** The restrictions that the annotations of a model define. */
export interface SapRestrictions {
  readonly sets: ReadonlyMap<EntitySet, SetRestrictions>
  readonly properties: ReadonlyMap<Property, PropertyRestrictions>
  readonly navigations: ReadonlyMap<NavigationProperty, NavigationRestrictions>
  readonly associationSets: ReadonlyMap<AssociationSet, LinkRestrictions>
}

/**
 * Reads the restrictions of SAP's annotations of a model, once for each model. Ignores invalid annotations: models come
 * from other systems, and an annotation must not prevent a service from starting.
 *
 * @returns undefined if nothing is restricted, so that such models have no overhead
 * @example sapRestrictionsOf(model)?.sets.get(orders)?.notDeletable
 * @spec SAP annotations for OData version 2.0
 */
export const sapRestrictionsOf = computeOnce(readRestrictions)

/**
 * Returns the restrictions that a service enforces.
 *
 * @param enforced the option `sapRestrictions` of the service
 */
export function enforcedRestrictions(
  restrictions: SapRestrictions | undefined,
  enforced: boolean | 'relaxed',
): SapRestrictions | undefined {
  if (enforced === 'relaxed' && restrictions !== undefined) {
    const relaxed = { notAddressable: false, requiresFilter: false, requiredInFilter: [] }
    const sets = [...restrictions.sets].map(([set, one]) => [set, { ...one, ...relaxed }] as const)
    return { ...restrictions, sets: new Map(sets) }
  }
  return enforced === false ? undefined : restrictions
}

/** Returns the restrictions of the links of a navigation property between two entity sets. */
export function linkRestrictions(
  { associationSets }: SapRestrictions,
  source: EntitySet,
  { association, fromEnd, toEnd }: NavigationProperty,
  target: EntitySet,
): LinkRestrictions | undefined {
  for (const [one, restrictions] of associationSets) {
    if (one.association !== association) continue
    const isAt = (role: string, set: EntitySet): boolean =>
      one.ends.some((end) => end.role === role && end.entitySet.path === set.path)
    if (isAt(fromEnd.role, source) && isAt(toEnd.role, target)) return restrictions
  }
  return undefined
}

function readRestrictions(model: EdmModel): SapRestrictions | undefined {
  const entityTypes = [...model.entityTypes.values()]
  const types = [...entityTypes, ...model.complexTypes.values()]
  const containers = model.entityContainers
  const restrictions: SapRestrictions = Object.freeze({
    sets: restricted(
      containers.flatMap(({ entitySets }) => entitySets),
      ofSet,
    ),
    properties: new Map(
      types.flatMap((type) => [...restricted(type.declaredProperties, (one) => ofProperty(one, type))]),
    ),
    navigations: new Map(
      entityTypes.flatMap((type) => [
        ...restricted(type.declaredNavigationProperties, (one) => ofNavigation(one, type)),
      ]),
    ),
    associationSets: restricted(
      containers.flatMap(({ associationSets }) => associationSets),
      ofLinks,
    ),
  })
  return Object.values(restrictions).some(({ size }: ReadonlyMap<unknown, unknown>) => size > 0)
    ? restrictions
    : undefined
}

/** Returns the restrictions of the restricted elements. */
function restricted<Element, Restrictions extends object>(
  elements: readonly Element[],
  read: (element: Element) => Restrictions,
): ReadonlyMap<Element, Restrictions> {
  const map = new Map<Element, Restrictions>()
  for (const element of elements) {
    const restrictions = Object.freeze(read(element))
    if (Object.values(restrictions).some(restricts)) map.set(element, restrictions)
  }
  return map
}

function restricts(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== false && value !== undefined
}

function ofSet(set: EntitySet): SetRestrictions {
  const { entityType } = set
  return {
    notCreatable: isAnnotated(set, 'creatable', 'false'),
    notUpdatable: isAnnotated(set, 'updatable', 'false'),
    notDeletable: isAnnotated(set, 'deletable', 'false'),
    updatablePath: booleanPath(set, 'updatable-path', entityType),
    deletablePath: booleanPath(set, 'deletable-path', entityType),
    notTopable: isAnnotated(set, 'topable', 'false'),
    notCountable: isAnnotated(set, 'countable', 'false'),
    notAddressable: isAnnotated(set, 'addressable', 'false'),
    notSearchable: isAnnotated(set, 'searchable', 'false'),
    requiresFilter: isAnnotated(set, 'requires-filter', 'true'),
    requiredInFilter: requiredPaths(entityType.properties, ''),
  }
}

/** Returns true if clients may use the query option `search` on a set. */
export function isSearchable(set: EntitySet): boolean {
  return isAnnotated(set, 'searchable', 'true')
}

function ofProperty(property: Property, type: EntityType | ComplexType): PropertyRestrictions {
  const restriction = sapAnnotation(property, 'filter-restriction')
  return {
    // The values of computed properties are ignored, so that clients can send back what they have read.
    notCreatable: property.computed === undefined && isAnnotated(property, 'creatable', 'false'),
    notUpdatable: property.computed === undefined && isAnnotated(property, 'updatable', 'false'),
    notSortable: isAnnotated(property, 'sortable', 'false'),
    notFilterable: isNotFilterable(property, type),
    filterRestriction: filterRestrictions.find((one) => one === restriction),
  }
}

function ofNavigation(navigation: NavigationProperty, source: EntityType): NavigationRestrictions {
  return {
    notCreatable: isAnnotated(navigation, 'creatable', 'false'),
    creatablePath: booleanPath(navigation, 'creatable-path', source),
    notFilterable: isNotFilterable(navigation, source),
  }
}

function isNotFilterable(member: Property | NavigationProperty, type: EntityType | ComplexType): boolean {
  return isAnnotated(member, 'filterable', 'false') && !isDraftFilterMember(type, member.name)
}

function ofLinks(set: AssociationSet): LinkRestrictions {
  return {
    notCreatable: isAnnotated(set, 'creatable', 'false'),
    notUpdatable: isAnnotated(set, 'updatable', 'false'),
    notDeletable: isAnnotated(set, 'deletable', 'false'),
  }
}

function isAnnotated(element: Annotatable, name: string, value: 'true' | 'false'): boolean {
  return sapAnnotation(element, name) === value
}

/** Resolves an annotation whose value is the path of a Boolean property; returns undefined for other paths. */
function booleanPath(element: Annotatable, name: string, type: EntityType): BooleanPath | undefined {
  const path: Property[] = []
  let owner: EntityType | ComplexType | undefined = type
  for (const step of (sapAnnotation(element, name) ?? '').split('/')) {
    const property: Property | undefined = owner?.property(step)
    if (property === undefined) return undefined
    path.push(property)
    owner = isPrimitive(property.type) ? undefined : property.type
  }
  return path.at(-1)?.type === 'Edm.Boolean' ? Object.freeze(path) : undefined
}

function requiredPaths(properties: readonly Property[], prefix: string): readonly string[] {
  const paths = properties.flatMap((property) => {
    const path = prefix + property.name
    if (!isPrimitive(property.type)) return requiredPaths(property.type.properties, `${path}/`)
    return isAnnotated(property, 'required-in-filter', 'true') ? [path] : []
  })
  return Object.freeze(paths)
}

const DRAFT_ENTITY_MEMBERS: ReadonlySet<string> = new Set([
  'IsActiveEntity',
  'HasActiveEntity',
  'HasDraftEntity',
  'SiblingEntity',
  'DraftAdministrativeData',
])

/**
 * Returns true for the members by which Fiori elements filters drafts, even if they have `sap:filterable="false"`, as in the
 * metadata of some SAP services.
 */
function isDraftFilterMember(type: EntityType | ComplexType, name: string): boolean {
  if (type.kind !== 'EntityType') return false
  if (DRAFT_ENTITY_MEMBERS.has(name)) return type.property('IsActiveEntity')?.type === 'Edm.Boolean'
  return name === 'InProcessByUser' && type.key.some((key) => key.name === 'DraftUUID')
}
