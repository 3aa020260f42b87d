import type { Annotatable } from './annotations.js'
import { sapAnnotation } from './annotations.js'
import type { EntitySet, Property } from './edm-model.js'
import { isPrimitive } from './edm-model.js'
import type { AggregationMethod } from './measure-option.js'

/** A property whose values are aggregated. */
export interface Measure {
  readonly property: Property
  readonly method: AggregationMethod
  /** The property whose values are aggregated: the same one, or another. */
  readonly input: Property
  /** The currency or unit of the input; undefined if it has none, or the method does not depend on it. */
  readonly unit: Property | undefined
}

/**
 * An entity set whose requests return groups of rows: distinct combinations of the selected properties, with aggregated
 * measures.
 *
 * @spec SAP annotations for OData version 2.0: sap:semantics="aggregate"
 */
export interface AnalyticalSet {
  readonly set: EntitySet
  /** The key property. Its values identify groups. */
  readonly id: Property
  /** The properties that groups can differ in, in the order of the model. */
  readonly grouping: readonly Property[]
  /** The property that lists the dimensions over which a group is totaled. */
  readonly totaled: Property | undefined
  readonly dimensions: readonly Property[]
  readonly measures: ReadonlyMap<string, Measure>
  /** True if totals add values with different units. */
  readonly addsMixedUnits: boolean
  /** The rows that are grouped; undefined for those of the set itself. */
  readonly source: RowSource | undefined
}

/** The rows of another entity set, which are grouped instead of those of an analytical set. */
export interface RowSource {
  readonly set: EntitySet
  /** The paths of properties of these rows, `Order/Country`, by the name of the property of the analytical set. */
  readonly paths: ReadonlyMap<string, string>
}

/** Returns true for an entity set or type with `sap:semantics="aggregate"`. */
export function hasAggregateSemantics(element: Annotatable): boolean {
  return sapAnnotation(element, 'semantics') === 'aggregate'
}

/**
 * Returns the key property of an analytical entity set.
 *
 * @returns undefined for ordinary sets, including those with the annotation whose key identifies entities of their own
 */
export function groupIdOf(set: EntitySet): Property | undefined {
  const { entityType } = set
  if (!hasAggregateSemantics(entityType) && !hasAggregateSemantics(set)) return undefined
  const [id, ...others] = entityType.key
  const isPlain =
    entityType.derivedTypes.length === 0 && !entityType.hasStream && entityType.concurrencyTokens.length === 0
  const isGroupId = id?.type === 'Edm.String' && others.length === 0 && roleOf(id) === undefined
  return isPlain && isGroupId ? id : undefined
}

/** Returns the value of `sap:aggregation-role`. */
export function roleOf(property: Property): string | undefined {
  return sapAnnotation(property, 'aggregation-role')
}

/** Returns the name in `sap:unit` of a property, and the property that has it. */
export function unitOf(
  property: Property,
  { entityType }: EntitySet,
): { readonly name: string; readonly property: Property | undefined } | undefined {
  const name = sapAnnotation(property, 'unit')
  return name === undefined ? undefined : { name, property: entityType.property(name) }
}

/** Returns the primitive properties of an analytical set by their roles. */
export function analyticalProperties({ entityType }: EntitySet): {
  readonly grouping: readonly Property[]
  readonly dimensions: readonly Property[]
  readonly measures: readonly Property[]
  readonly totaled: Property | undefined
} {
  const properties = entityType.properties.filter(({ isKey, type }) => !isKey && isPrimitive(type))
  const measures = properties.filter((one) => roleOf(one) === 'measure')
  const totaled = properties.find((one) => roleOf(one) === 'totaled-properties-list')
  return {
    grouping: properties.filter((one) => one !== totaled && roleOf(one) !== 'measure'),
    dimensions: properties.filter((one) => roleOf(one) === 'dimension'),
    measures,
    totaled,
  }
}
