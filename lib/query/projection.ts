import type { EntitySet, EntityType, NavigationProperty, Property } from '../edm/edm-model.js'

/**
 * The parts of each entity in a response: properties, links and inline related entities. The result of `$expand` and
 * `$select`.
 *
 * @spec MS-ODATA 2.2.3.6.1.3, 2.2.3.6.1.11
 */
export interface Projection {
  readonly set: EntitySet
  readonly entityType: EntityType
  /** Names of the selected properties and navigation properties; undefined when everything is shown. */
  readonly selected: ReadonlySet<string> | undefined
  /** The expanded navigation properties. */
  readonly expansions: readonly Expansion[]
}

/** An expanded navigation property. */
export interface Expansion {
  readonly navigation: NavigationProperty
  readonly projection: Projection
  /** The part of `$expand` that is below this property, for the next links of its own pages; can be empty. */
  readonly expandText: string
  /** The part of `$select` that is below this property; can be empty. */
  readonly selectText: string
}

/** Returns the selected data properties of a type. They always include the key. */
export function selectedProperties({ selected }: Projection, type: EntityType): readonly Property[] {
  if (selected === undefined) return type.properties
  return type.properties.filter((property) => property.isKey || selected.has(property.name))
}

/** Returns the selected navigation properties of a type, as links or expanded. */
export function selectedNavigation(
  { selected }: Projection,
  type: EntityType,
): readonly NavigationProperty[] {
  if (selected === undefined) return type.navigationProperties
  return type.navigationProperties.filter(({ name }) => selected.has(name))
}

/**
 * Returns the data properties whose values appear in the content or in feed mappings, including those of derived types.
 */
export function shownProperties(projection: Projection): readonly Property[] {
  const { entityType } = projection
  const shown = new Set<Property>()
  for (const type of [entityType, ...entityType.derivedTypes]) {
    for (const property of selectedProperties(projection, type)) shown.add(property)
    for (const { sourcePath } of type.feedMappings) {
      const mapped = type.property(sourcePath[0] ?? '')
      if (mapped !== undefined) shown.add(mapped)
    }
  }
  return [...shown]
}

const wholeProjections = new WeakMap<EntitySet, Projection>()

/**
 * Returns the projection without `$expand` and `$select`. It is cached for each entity set, so that writers are
 * compiled once.
 */
export function wholeProjection(set: EntitySet): Projection {
  let projection = wholeProjections.get(set)
  if (projection === undefined) {
    projection = { set, entityType: set.entityType, selected: undefined, expansions: [] }
    wholeProjections.set(set, projection)
  }
  return projection
}
