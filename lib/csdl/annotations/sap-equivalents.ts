import { annotationValue, sapNamespace } from '../../edm/annotations.js'
import { buildModel } from '../../edm/build/build-model.js'
import { ModelErrors } from '../../edm/build/model-error.js'
import type { EdmModel } from '../../edm/edm-model.js'
import type { XmlElement } from '../../xml/xml-element.js'
import { attributeOf, childElements } from '../../xml/xml-element.js'
import { withSapAnnotations } from '../annotated-model.js'
import { definitionOf } from '../definition-of-model.js'
import { labelledElements, labelNames } from '../localized-model.js'

/** Attributes of SAP with the meaning of a term, which clients without annotations of version 4 read. */
const equivalents = [
  { name: 'label', term: 'com.sap.vocabularies.Common.v1.Label', expression: 'String' },
  { name: 'heading', term: 'com.sap.vocabularies.Common.v1.Heading', expression: 'String' },
  { name: 'quickinfo', term: 'com.sap.vocabularies.Common.v1.QuickInfo', expression: 'String' },
  { name: 'text', term: 'com.sap.vocabularies.Common.v1.Text', expression: 'Path' },
  { name: 'unit', term: 'Org.OData.Measures.V1.ISOCurrency', expression: 'Path' },
  { name: 'unit', term: 'Org.OData.Measures.V1.Unit', expression: 'Path' },
] as const

/**
 * `sap:semantics` of the properties that hold units, by the term that refers to them: `sap:unit` does not distinguish
 * them.
 */
const unitSemantics: ReadonlyMap<string, string> = new Map([
  ['Org.OData.Measures.V1.ISOCurrency', 'currency-code'],
  ['Org.OData.Measures.V1.Unit', 'unit-of-measure'],
])

/** The attributes that can be translated, by the term with their meaning. */
export const labelTerms: ReadonlyMap<string, (typeof labelNames)[number]> = new Map(
  labelNames.flatMap((name) =>
    equivalents.filter((one) => one.name === name).map(({ term }) => [term, name]),
  ),
)

/** SAP attributes by name. */
type SapEquivalents = {
  readonly [Name in (typeof equivalents)[number]['name'] | 'semantics']?: string
}

/**
 * Returns the SAP attributes with the meaning of annotations, by the element that they belong to: its name in
 * {@link labelledElements}. Attributes that the model has already are left out.
 *
 * @param annotations `Annotations` elements with full names
 */
export function sapEquivalents(
  model: EdmModel,
  annotations: readonly XmlElement[],
): ReadonlyMap<string, SapEquivalents> {
  const elements = labelledElements(model)
  const found = new Map<string, SapEquivalents>()
  const add = (name: string, given: SapEquivalents): void => {
    const element = elements.get(name)
    const missing = Object.entries(given).filter(
      ([attribute]) =>
        element !== undefined && annotationValue(element, sapNamespace, attribute) === undefined,
    )
    if (missing.length > 0) found.set(name, { ...found.get(name), ...Object.fromEntries(missing) })
  }
  for (const group of annotations) {
    if (attributeOf(group, 'Qualifier') !== undefined) continue
    const name = elementName(attributeOf(group, 'Target') ?? '', model)
    for (const annotation of childElements(group)) {
      const term = attributeOf(annotation, 'Term') ?? ''
      const same = equivalents.find((one) => one.term === term)
      const value = same && attributeOf(annotation, same.expression)
      if (value === undefined || attributeOf(annotation, 'Qualifier') !== undefined) continue
      add(name, { [same?.name ?? '']: value })
      const semantics = unitSemantics.get(term)
      if (semantics !== undefined) add(`${name.split('/')[0] ?? ''}/${value}`, { semantics })
    }
  }
  return found
}

/** Returns a model that has the SAP attributes of annotations, for metadata, exports and OpenAPI alike. */
export function withSapEquivalents(model: EdmModel, annotations: readonly XmlElement[]): EdmModel {
  const found = sapEquivalents(model, annotations)
  if (found.size === 0) return model
  const elements = labelledElements(model)
  const added = new Map([...elements].map(([name, element]) => [element, found.get(name) ?? {}]))
  return buildModel(definitionOf(withSapAnnotations(model, added)), new ModelErrors())
}

/** Returns the name of the target of annotations in {@link labelledElements}, where containers have their short name. */
export function elementName(target: string, { entityContainers }: EdmModel): string {
  const [owner, ...path] = target.split('/')
  const container = entityContainers.find(({ qualifiedName }) => qualifiedName === owner)
  return container === undefined ? target : [container.name, ...path].join('/')
}
