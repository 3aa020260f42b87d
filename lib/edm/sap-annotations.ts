import type { Annotatable } from './annotations.js'
import { annotationValue, sapNamespace } from './annotations.js'
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

/** The properties that lead from an entity to a Boolean value, from the outside in. */
export type BooleanPath = readonly Property[]

/** What clients cannot do with a set. True members restrict, absent ones do not. */
export interface SetRestrictions {
  readonly notCreatable: boolean
  readonly notUpdatable: boolean
  readonly notDeletable: boolean
  /** Only entities where this is true can be changed. */
  readonly updatablePath: BooleanPath | undefined
  /** Only entities where this is true can be deleted. */
  readonly deletablePath: BooleanPath | undefined
  readonly notPageable: boolean
  readonly notTopable: boolean
  readonly notCountable: boolean
  readonly notAddressable: boolean
  readonly notSearchable: boolean
  readonly requiresFilter: boolean
  /** Properties that `$filter` must name, as the paths by which it names them: `Address/Zip`. */
  readonly requiredInFilter: readonly string[]
}

const filterRestrictions = ['single-value', 'multi-value', 'interval'] as const

/** Which comparisons `$filter` can make with a property. */
export type FilterRestriction = (typeof filterRestrictions)[number]

/** What clients cannot do with a property. */
export interface PropertyRestrictions {
  readonly notCreatable: boolean
  readonly notUpdatable: boolean
  readonly notSortable: boolean
  readonly notFilterable: boolean
  readonly filterRestriction: FilterRestriction | undefined
}

/** What clients cannot do over a navigation property. */
export interface NavigationRestrictions {
  readonly notCreatable: boolean
  /** Only from entities where this is true others can be created. */
  readonly creatablePath: BooleanPath | undefined
  readonly notFilterable: boolean
}

/** What clients cannot do with links. */
export interface LinkRestrictions {
  readonly notCreatable: boolean
  readonly notUpdatable: boolean
  readonly notDeletable: boolean
}

/** What the annotations of a model forbid to clients. */
export interface SapRestrictions {
  readonly sets: ReadonlyMap<EntitySet, SetRestrictions>
  readonly properties: ReadonlyMap<Property, PropertyRestrictions>
  readonly navigations: ReadonlyMap<NavigationProperty, NavigationRestrictions>
  readonly associationSets: ReadonlyMap<AssociationSet, LinkRestrictions>
}

const known = new WeakMap<EdmModel, { readonly restrictions: SapRestrictions | undefined }>()

/**
 * Reads what SAP's annotations of a model restrict. Each model is read once. Whatever cannot be understood counts as
 * not said: models come from elsewhere, and a wrong annotation must not stop a service.
 *
 * @returns undefined when nothing is restricted, so that such models cost nothing
 * @example sapRestrictionsOf(model)?.sets.get(orders)?.notDeletable
 * @spec SAP annotations for OData version 2.0
 */
export function sapRestrictionsOf(model: EdmModel): SapRestrictions | undefined {
  let kept = known.get(model)
  if (kept === undefined) {
    kept = { restrictions: readRestrictions(model) }
    known.set(model, kept)
  }
  return kept.restrictions
}

/** What is said of the links that a navigation property stands for, between the entities of two sets. */
export function linkRestrictions(
  { associationSets }: SapRestrictions,
  source: EntitySet,
  { association, fromEnd, toEnd }: NavigationProperty,
  target: EntitySet,
): LinkRestrictions | undefined {
  for (const [one, restrictions] of associationSets) {
    if (one.association !== association) continue
    const isAt = (role: string, set: EntitySet): boolean =>
      one.ends.some((end) => end.role === role && end.entitySet === set)
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

/** Only those elements of which something is said. */
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
    notCreatable: isSaid(set, 'creatable', 'false'),
    notUpdatable: isSaid(set, 'updatable', 'false'),
    notDeletable: isSaid(set, 'deletable', 'false'),
    updatablePath: booleanPath(set, 'updatable-path', entityType),
    deletablePath: booleanPath(set, 'deletable-path', entityType),
    notPageable: isSaid(set, 'pageable', 'false'),
    notTopable: isSaid(set, 'topable', 'false'),
    notCountable: isSaid(set, 'countable', 'false'),
    notAddressable: isSaid(set, 'addressable', 'false'),
    notSearchable: isSaid(set, 'searchable', 'false'),
    requiresFilter: isSaid(set, 'requires-filter', 'true'),
    requiredInFilter: requiredPaths(entityType.properties, ''),
  }
}

/** Whether clients may search a set by the query option `search`. */
export function isSearchable(set: EntitySet): boolean {
  return isSaid(set, 'searchable', 'true')
}

function ofProperty(property: Property, type: EntityType | ComplexType): PropertyRestrictions {
  const restriction = valueOf(property, 'filter-restriction')
  return {
    notCreatable: isSaid(property, 'creatable', 'false'),
    notUpdatable: isSaid(property, 'updatable', 'false'),
    notSortable: isSaid(property, 'sortable', 'false'),
    notFilterable: isNotFilterable(property, type),
    filterRestriction: filterRestrictions.find((one) => one === restriction),
  }
}

function ofNavigation(navigation: NavigationProperty, source: EntityType): NavigationRestrictions {
  return {
    notCreatable: isSaid(navigation, 'creatable', 'false'),
    creatablePath: booleanPath(navigation, 'creatable-path', source),
    notFilterable: isNotFilterable(navigation, source),
  }
}

function isNotFilterable(member: Property | NavigationProperty, type: EntityType | ComplexType): boolean {
  return isSaid(member, 'filterable', 'false') && !isDraftFilterMember(type, member.name)
}

function ofLinks(set: AssociationSet): LinkRestrictions {
  return {
    notCreatable: isSaid(set, 'creatable', 'false'),
    notUpdatable: isSaid(set, 'updatable', 'false'),
    notDeletable: isSaid(set, 'deletable', 'false'),
  }
}

function isSaid(element: Annotatable, name: string, value: 'true' | 'false'): boolean {
  return valueOf(element, name) === value
}

function valueOf(element: Annotatable, name: string): string | undefined {
  return annotationValue(element, sapNamespace, name)?.trim()
}

/** Undefined when nothing is said, or the path does not lead to a Boolean value within the entity. */
function booleanPath(element: Annotatable, name: string, type: EntityType): BooleanPath | undefined {
  const path: Property[] = []
  let place: EntityType | ComplexType | undefined = type
  for (const step of (valueOf(element, name) ?? '').split('/')) {
    const property: Property | undefined = place?.property(step)
    if (property === undefined) return undefined
    path.push(property)
    place = isPrimitive(property.type) ? undefined : property.type
  }
  return path.at(-1)?.type === 'Edm.Boolean' ? Object.freeze(path) : undefined
}

function requiredPaths(properties: readonly Property[], prefix: string): readonly string[] {
  const paths = properties.flatMap((property) => {
    const path = prefix + property.name
    if (!isPrimitive(property.type)) return requiredPaths(property.type.properties, `${path}/`)
    return isSaid(property, 'required-in-filter', 'true') ? [path] : []
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
 * Whether Fiori elements filters drafts by a property or navigation property. It does so without looking at
 * `sap:filterable="false"`, which the metadata of some of SAP's own services has there.
 */
function isDraftFilterMember(type: EntityType | ComplexType, name: string): boolean {
  if (type.kind !== 'EntityType') return false
  if (DRAFT_ENTITY_MEMBERS.has(name)) return type.property('IsActiveEntity')?.type === 'Edm.Boolean'
  return name === 'InProcessByUser' && type.key.some((key) => key.name === 'DraftUUID')
}
