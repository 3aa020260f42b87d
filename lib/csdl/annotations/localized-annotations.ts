import type { EdmModel } from '../../edm/edm-model.js'
import type { XmlElement } from '../../xml/xml-element.js'
import { attributeOf } from '../../xml/xml-element.js'
import type { LabelTexts, NamedLabels } from '../localized-model.js'
import { elementName, labelTerms } from './sap-equivalents.js'

/**
 * Returns annotations in which the labels of a language replace `Common.Label`, `Common.Heading` and `Common.QuickInfo`:
 * UI5 prefers these terms to `sap:label` and the like.
 *
 * @param annotations `Annotations` elements with full names
 */
export function localizedAnnotations(
  annotations: readonly XmlElement[],
  model: EdmModel,
  named: NamedLabels,
): readonly XmlElement[] {
  return annotations.map((group) => {
    const labels = named.get(elementName(attributeOf(group, 'Target') ?? '', model))
    return labels === undefined ? group : withLabels(group, labels)
  })
}

function withLabels(group: XmlElement, labels: LabelTexts): XmlElement {
  const children = group.children.map((child) => {
    if (typeof child === 'string' || attributeOf(child, 'String') === undefined) return child
    const name = labelTerms.get(attributeOf(child, 'Term') ?? '')
    const text = name && labels[name]
    if (text === undefined) return child
    const attributes = child.attributes.map((one) => (one.name === 'String' ? { ...one, value: text } : one))
    return { ...child, attributes }
  })
  return { ...group, children }
}
