import type { Annotatable, AnnotationAttribute } from '../edm/annotations.js'
import type { EdmModel } from '../edm/edm-model.js'
import { xmlNamespace } from '../xml/namespaces.js'
import { mapElements, sapAttributes, withAttributes } from './annotated-model.js'

/** The annotations of an element that can be translated. */
export const labelNames = ['label', 'heading', 'quickinfo'] as const

/**
 * Translations of the annotations `sap:label`, `sap:heading` and `sap:quickinfo` of one element.
 *
 * @example const label: LabelTexts = { label: 'Preis', quickinfo: 'Preis in Euro' }
 */
export type LabelTexts = { readonly [Name in (typeof labelNames)[number]]?: string | undefined }

/** The labels of one language, by the name of their element; see {@link labelledElements}. */
export type NamedLabels = ReadonlyMap<string, LabelTexts>

/** The labels of one language, by the element of the model that they belong to. */
export type Labels = ReadonlyMap<Annotatable, LabelTexts>

/**
 * Returns the elements that can have labels, by `Namespace.Type`, `Namespace.Type/Property`, `Container/Set`,
 * `Container/Function` and `Container/Function/Parameter`.
 */
export function labelledElements(model: EdmModel): ReadonlyMap<string, Annotatable> {
  const elements = new Map<string, Annotatable>()
  for (const { entityTypes, complexTypes } of model.schemas) {
    for (const type of [...entityTypes, ...complexTypes]) {
      elements.set(type.qualifiedName, type)
      const navigations = type.kind === 'EntityType' ? type.declaredNavigationProperties : []
      for (const property of [...type.declaredProperties, ...navigations]) {
        elements.set(`${type.qualifiedName}/${property.name}`, property)
      }
    }
  }
  for (const { name, entitySets, functionImports } of model.schemas.flatMap((one) => one.entityContainers)) {
    for (const set of entitySets) elements.set(`${name}/${set.name}`, set)
    for (const one of functionImports) {
      elements.set(`${name}/${one.name}`, one)
      for (const parameter of one.parameters) elements.set(`${name}/${one.name}/${parameter.name}`, parameter)
    }
  }
  return elements
}

/** Returns labels by the elements of a model, or of a copy of it. */
export function labelsOf(model: EdmModel, named: NamedLabels): Labels {
  const elements = labelledElements(model)
  const labels = new Map<Annotatable, LabelTexts>()
  for (const [name, texts] of named) {
    const element = elements.get(name)
    if (element !== undefined) labels.set(element, texts)
  }
  return labels
}

/**
 * Returns a copy of a model with the labels of a language, to serialize it: other elements refer to the original ones.
 *
 * @param tag the language, which becomes `xml:lang` of each schema
 */
export function localizedModel(model: EdmModel, tag: string, named: NamedLabels): EdmModel {
  const labels = labelsOf(model, named)
  const language = { namespace: xmlNamespace, prefix: 'xml', name: 'lang', value: tag }
  const isSchema = new Set<Annotatable>(model.schemas)
  return mapElements(model, (element) => {
    const added = isSchema.has(element) ? [language] : sapAttributes({ ...labels.get(element) })
    return added.length === 0 ? element : withReplaced(element, added)
  })
}

/** Replaces attributes in their place, and appends new ones. */
function withReplaced<Element extends Annotatable>(
  element: Element,
  replacements: readonly AnnotationAttribute[],
): Element {
  const isSame = (a: AnnotationAttribute, b: AnnotationAttribute): boolean =>
    a.namespace === b.namespace && a.name === b.name
  const { attributes } = element.annotations
  const replaced = attributes.map((one) => replacements.find((by) => isSame(by, one)) ?? one)
  const added = replacements.filter((by) => !attributes.some((one) => isSame(by, one)))
  return withAttributes(element, [...replaced, ...added])
}
