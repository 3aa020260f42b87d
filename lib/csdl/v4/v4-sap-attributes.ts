import type { AnnotationAttribute } from '../../edm/annotations.js'
import type { XmlElement } from '../../xml/xml-element.js'
import { sapAttributes } from '../annotated-model.js'
import { annotationOf, booleanOf, memberOf, pathsOf, stringOf } from './v4-annotations.js'

type Annotations = ReadonlyMap<string, readonly XmlElement[]>
type SapValues = Record<string, string | undefined>

/** Returns the member of a definition with attributes of SAP; an empty object without attributes. */
export function withSap(values: SapValues): {
  readonly annotations?: { readonly attributes: readonly AnnotationAttribute[] }
} {
  const attributes = sapAttributes(values)
  return attributes.length === 0 ? {} : { annotations: { attributes } }
}

const core = 'Org.OData.Core.V1'
const capabilities = 'Org.OData.Capabilities.V1'
const analytics = 'com.sap.vocabularies.Analytics.v1'
const aggregation = 'Org.OData.Aggregation.V1'
const common = 'com.sap.vocabularies.Common.v1'

/**
 * Returns the attributes of a property. `sap:label`, `sap:text` and `sap:unit` are added by `withSapEquivalents`.
 *
 * @spec SAP annotations for OData version 2.0
 */
export function propertySapAttributes(annotations: Annotations, target: string): SapValues {
  const isTrue = (term: string): boolean => booleanOf(annotationOf(annotations, target, term)) === true
  const isComputed = isTrue(`${core}.Computed`)
  const isMeasure = isTrue(`${analytics}.Measure`) || isCustomAggregate(annotations, target)
  return {
    creatable: isComputed ? 'false' : undefined,
    updatable: isComputed || isTrue(`${core}.Immutable`) ? 'false' : undefined,
    visible: isTrue('com.sap.vocabularies.UI.v1.Hidden') ? 'false' : undefined,
    'aggregation-role': isMeasure ? 'measure' : isTrue(`${analytics}.Dimension`) ? 'dimension' : undefined,
    'value-list': valueList(annotations, target),
    semantics: propertySemantics(annotations, target),
  }
}

function valueList(annotations: Annotations, target: string): string | undefined {
  if (booleanOf(annotationOf(annotations, target, `${common}.ValueListWithFixedValues`)) === true)
    return 'fixed-values'
  return annotationOf(annotations, target, `${common}.ValueList`) === undefined ? undefined : 'standard'
}

function propertySemantics(annotations: Annotations, target: string): string | undefined {
  const communication = 'com.sap.vocabularies.Communication.v1'
  if (annotationOf(annotations, target, `${communication}.IsEmailAddress`)) return 'email'
  if (annotationOf(annotations, target, `${communication}.IsPhoneNumber`)) return 'tel'
  return annotationOf(annotations, target, `${core}.IsURL`) === undefined ? undefined : 'url'
}

/** Returns true for a property whose type or container names it as a custom aggregate. */
function isCustomAggregate(annotations: Annotations, target: string): boolean {
  const [type = '', name] = target.split('/')
  return (annotations.get(type) ?? []).some((one) => {
    const attribute = (wanted: string): string | undefined =>
      one.attributes.find((other) => other.name === wanted)?.value
    return attribute('Term') === `${aggregation}.CustomAggregate` && attribute('Qualifier') === name
  })
}

/** Returns the attributes of an entity type. */
export function typeSapAttributes(annotations: Annotations, target: string): SapValues {
  return { label: stringOf(annotationOf(annotations, target, `${common}.Label`)) }
}

/** Returns the attributes of an entity set. */
export function setSapAttributes(annotations: Annotations, target: string): SapValues {
  const of = (term: string): XmlElement | undefined =>
    annotationOf(annotations, target, `${capabilities}.${term}`)
  const isFalse = (term: string, member: string): string | undefined =>
    booleanOf(memberOf(of(term), member)) === false ? 'false' : undefined
  const searchable = booleanOf(memberOf(of('SearchRestrictions'), 'Searchable'))
  return {
    label: stringOf(annotationOf(annotations, target, `${common}.Label`)),
    creatable: isFalse('InsertRestrictions', 'Insertable'),
    updatable: isFalse('UpdateRestrictions', 'Updatable'),
    deletable: isFalse('DeleteRestrictions', 'Deletable'),
    searchable: searchable === undefined ? undefined : String(searchable),
    topable: booleanOf(of('TopSupported')) === false ? 'false' : undefined,
    pageable: booleanOf(of('SkipSupported')) === false ? 'false' : undefined,
    countable: isFalse('CountRestrictions', 'Countable'),
    addressable: isFalse('ReadRestrictions', 'Readable'),
    'requires-filter':
      booleanOf(memberOf(of('FilterRestrictions'), 'RequiresFilter')) === true ? 'true' : undefined,
  }
}

/** Returns the attributes that annotations of a set give to the properties of its type. */
export function restrictedProperties(
  annotations: Annotations,
  target: string,
): ReadonlyMap<string, SapValues> {
  const found = new Map<string, SapValues>()
  const add = (term: string, member: string, values: SapValues): void => {
    const annotation = annotationOf(annotations, target, `${capabilities}.${term}`)
    for (const path of pathsOf(memberOf(annotation, member)))
      found.set(path, { ...found.get(path), ...values })
  }
  add('SortRestrictions', 'NonSortableProperties', { sortable: 'false' })
  add('FilterRestrictions', 'NonFilterableProperties', { filterable: 'false' })
  add('FilterRestrictions', 'RequiredProperties', { 'required-in-filter': 'true' })
  return found
}
