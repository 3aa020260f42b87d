import type { AnnotationAttribute } from './annotations.js'
import { sapNamespace } from './annotations.js'

/**
 * Annotations of SAP in a definition, which become attributes of the metadata document: `aggregationRole` becomes
 * `sap:aggregation-role`.
 *
 * @spec SAP annotations for OData version 2.0
 * @example
 * const price = edm.Decimal({
 *   precision: 10,
 *   scale: 2,
 *   sap: { label: 'Price', unit: 'Currency', filterable: false },
 * })
 */
export interface SapFacets {
  readonly label?: string
  readonly heading?: string
  readonly quickinfo?: string
  /** `aggregate` makes the entity sets of a type analytical. Properties: `currency-code`, `unit-of-measure`, `email` etc. */
  readonly semantics?: string
  /** The property with the currency or unit of a number. */
  readonly unit?: string
  /** The property with the text of a code, or a path to it. */
  readonly text?: string
  readonly aggregationRole?: 'dimension' | 'measure' | 'totaled-properties-list'
  /** The dimension that the property describes. */
  readonly attributeFor?: string
  /** The dimension that is grouped together with the property. */
  readonly superOrdinate?: string
  readonly displayFormat?: 'Date' | 'NonNegative' | 'UpperCase'
  readonly fieldControl?: string
  readonly valueList?: 'standard' | 'fixed-values'
  readonly filterRestriction?: 'single-value' | 'multi-value' | 'interval'
  /** `mandatory` or `optional` for a property of a parameter set. */
  readonly parameter?: 'mandatory' | 'optional'
  readonly lowerBoundary?: string
  readonly upperBoundary?: string
  readonly hierarchyNodeFor?: string
  readonly hierarchyNodeExternalKeyFor?: string
  readonly hierarchyLevelFor?: string
  readonly hierarchyParentNodeFor?: string
  readonly hierarchyParentNavigationFor?: string
  readonly hierarchyDrillStateFor?: string
  readonly hierarchyNodeDescendantCountFor?: string
  readonly creatablePath?: string
  readonly updatablePath?: string
  readonly deletablePath?: string
  readonly creatable?: boolean
  readonly updatable?: boolean
  readonly deletable?: boolean
  readonly sortable?: boolean
  readonly filterable?: boolean
  readonly searchable?: boolean
  readonly pageable?: boolean
  readonly topable?: boolean
  readonly countable?: boolean
  readonly addressable?: boolean
  readonly visible?: boolean
  readonly requiresFilter?: boolean
  readonly requiredInFilter?: boolean
}

/** The type of each facet: a string, a Boolean, or one of some strings. */
export const sapFacetTypes: Readonly<Record<keyof SapFacets, 'text' | 'flag' | readonly string[]>> = {
  label: 'text',
  heading: 'text',
  quickinfo: 'text',
  semantics: 'text',
  unit: 'text',
  text: 'text',
  aggregationRole: ['dimension', 'measure', 'totaled-properties-list'],
  attributeFor: 'text',
  superOrdinate: 'text',
  displayFormat: ['Date', 'NonNegative', 'UpperCase'],
  fieldControl: 'text',
  valueList: ['standard', 'fixed-values'],
  filterRestriction: ['single-value', 'multi-value', 'interval'],
  parameter: ['mandatory', 'optional'],
  lowerBoundary: 'text',
  upperBoundary: 'text',
  hierarchyNodeFor: 'text',
  hierarchyNodeExternalKeyFor: 'text',
  hierarchyLevelFor: 'text',
  hierarchyParentNodeFor: 'text',
  hierarchyParentNavigationFor: 'text',
  hierarchyDrillStateFor: 'text',
  hierarchyNodeDescendantCountFor: 'text',
  creatablePath: 'text',
  updatablePath: 'text',
  deletablePath: 'text',
  creatable: 'flag',
  updatable: 'flag',
  deletable: 'flag',
  sortable: 'flag',
  filterable: 'flag',
  searchable: 'flag',
  pageable: 'flag',
  topable: 'flag',
  countable: 'flag',
  addressable: 'flag',
  visible: 'flag',
  requiresFilter: 'flag',
  requiredInFilter: 'flag',
}

const SAP_PREFIX = 'sap'

/** Returns the attributes that facets stand for, in their order. */
export function attributesOfFacets(facets: SapFacets): readonly AnnotationAttribute[] {
  return Object.entries(facets as Readonly<Record<string, string | boolean | undefined>>).flatMap(
    ([name, value]) =>
      value === undefined
        ? []
        : [{ namespace: sapNamespace, prefix: SAP_PREFIX, name: attributeName(name), value: String(value) }],
  )
}

/**
 * Divides attributes into facets and the attributes that follow them.
 *
 * @returns facets that stand for the first attributes
 */
export function facetsOfAttributes(attributes: readonly AnnotationAttribute[]): {
  readonly sap: SapFacets
  readonly attributes: readonly AnnotationAttribute[]
} {
  const sap: Record<string, unknown> = {}
  const end = attributes.findIndex((one) => {
    const facet = facetOf(one)
    if (facet !== undefined) sap[facet[0]] = facet[1]
    return facet === undefined
  })
  return { sap, attributes: end < 0 ? [] : attributes.slice(end) }
}

const facetNames = new Map(
  (Object.keys(sapFacetTypes) as (keyof SapFacets)[]).map((name) => [attributeName(name), name]),
)

function facetOf({ name, namespace, prefix, value }: AnnotationAttribute): [string, unknown] | undefined {
  const facet = namespace === sapNamespace && prefix === SAP_PREFIX ? facetNames.get(name) : undefined
  const type = facet && sapFacetTypes[facet]
  if (facet === undefined || type === undefined) return undefined
  if (type === 'text') return [facet, value]
  if (type !== 'flag') return type.includes(value) ? [facet, value] : undefined
  return value === 'true' || value === 'false' ? [facet, value === 'true'] : undefined
}

/** Returns the name of the attribute of a facet: `aggregation-role` for `aggregationRole`. */
function attributeName(facet: string): string {
  return facet.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
