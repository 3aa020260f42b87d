import type { Annotatable } from '../../edm/annotations.js'
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

/** The attributes that can be translated, by the term with their meaning. */
export const labelTerms: ReadonlyMap<string, (typeof labelNames)[number]> = new Map(
  labelNames.flatMap((name) =>
    equivalents.filter((one) => one.name === name).map(({ term }) => [term, name]),
  ),
)

/** SAP attributes by name. */
export type SapEquivalents = { readonly [Name in (typeof equivalents)[number]['name']]?: string }

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
  for (const group of annotations) {
    const name = elementName(attributeOf(group, 'Target') ?? '', model)
    const element = elements.get(name)
    if (element === undefined || attributeOf(group, 'Qualifier') !== undefined) continue
    const attributes = { ...found.get(name), ...missingAttributes(element, group) }
    if (Object.keys(attributes).length > 0) found.set(name, attributes)
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

function missingAttributes(element: Annotatable, group: XmlElement): SapEquivalents {
  const attributes: Record<string, string> = {}
  for (const annotation of childElements(group)) {
    if (attributeOf(annotation, 'Qualifier') !== undefined) continue
    const same = equivalents.find(({ term }) => term === attributeOf(annotation, 'Term'))
    const value = same && attributeOf(annotation, same.expression)
    if (same === undefined || value === undefined) continue
    if (annotationValue(element, sapNamespace, same.name) === undefined) attributes[same.name] = value
  }
  return attributes
}
