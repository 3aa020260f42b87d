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
  /** The name of the element for users. */
  readonly label?: string
  /** The heading of a column. */
  readonly heading?: string
  /** A longer text, for example for a tooltip. */
  readonly quickinfo?: string
  /** `aggregate` makes the entity sets of a type analytical. Properties: `currency-code`, `unit-of-measure`, `email` etc. */
  readonly semantics?: string
  /** The property with the currency or unit of a number. */
  readonly unit?: string
  /** The property with the text of a code, or a path to it. */
  readonly text?: string
  /** The role of a property in an analytical set. */
  readonly aggregationRole?: 'dimension' | 'measure' | 'totaled-properties-list'
  /** The dimension that the property describes. */
  readonly attributeFor?: string
  /** The dimension that is grouped together with the property. */
  readonly superOrdinate?: string
  /** How clients format the value. */
  readonly displayFormat?: 'Date' | 'NonNegative' | 'UpperCase'
  /** The property that tells whether this one is mandatory, editable, read-only or hidden. */
  readonly fieldControl?: string
  /** The list of values that clients offer: in a dialog, or with `fixed-values` in a drop-down list. */
  readonly valueList?: 'standard' | 'fixed-values'
  /** The conditions that clients may use. */
  readonly filterRestriction?: 'single-value' | 'multi-value' | 'interval'
  /** `mandatory` or `optional` for a property of a parameter set. */
  readonly parameter?: 'mandatory' | 'optional'
  /** For the lower boundary of an interval: the related property. */
  readonly lowerBoundary?: string
  /** For the upper boundary of an interval: the related property. */
  readonly upperBoundary?: string
  /** The dimension with the hierarchy whose nodes the property identifies. */
  readonly hierarchyNodeFor?: string
  /** The node property whose key for users this is. */
  readonly hierarchyNodeExternalKeyFor?: string
  /** The node property whose level this is. */
  readonly hierarchyLevelFor?: string
  /** The node property whose parent this is. */
  readonly hierarchyParentNodeFor?: string
  /** The node property whose parent this navigation property leads to. */
  readonly hierarchyParentNavigationFor?: string
  /** The node property whose state this is: expanded, collapsed or leaf. */
  readonly hierarchyDrillStateFor?: string
  /** The node property whose number of descendants this is. */
  readonly hierarchyNodeDescendantCountFor?: string
  /** For a function import: the qualified name of the entity type whose entities it acts on, for a button in UI5. */
  readonly actionFor?: string
  /** For a function import: the path of the Boolean property of the entity that tells whether it can be called. */
  readonly applicablePath?: string
  /** The Boolean property that tells whether related entities can be created. */
  readonly creatablePath?: string
  /** The Boolean property that tells whether the entity can be updated. */
  readonly updatablePath?: string
  /** The Boolean property that tells whether the entity can be deleted. */
  readonly deletablePath?: string
  /** False if clients cannot create the entity, or set the property in a new one. Default: true. */
  readonly creatable?: boolean
  /** False if clients cannot update it. Default: true. */
  readonly updatable?: boolean
  /** False if clients cannot delete entities. Default: true. */
  readonly deletable?: boolean
  /** False if clients cannot sort by it. Default: true. */
  readonly sortable?: boolean
  /** False if clients cannot filter by it. Default: true. */
  readonly filterable?: boolean
  /** True if clients can search the set; see the option `search` of a service. */
  readonly searchable?: boolean
  /** False if clients cannot use `$top` and `$skip`. Default: true. */
  readonly pageable?: boolean
  /** False if clients cannot use `$top`. Default: true. */
  readonly topable?: boolean
  /** False if clients cannot count the set. Default: true. */
  readonly countable?: boolean
  /** False if the set can be read only over navigation properties. Default: true. */
  readonly addressable?: boolean
  /** False if clients do not show the property. Default: true. */
  readonly visible?: boolean
  /** True if requests need a `$filter`. Default: false. */
  readonly requiresFilter?: boolean
  /** True if `$filter` must contain the property. Default: false. */
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
  actionFor: 'text',
  applicablePath: 'text',
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
