import type { XmlAttribute, XmlElement } from '../xml/xml-element.js'

/** An attribute from a namespace that CSDL does not know, kept as it was read: `sap:label="Name"`. */
export type AnnotationAttribute = XmlAttribute

/** An element from a foreign namespace with all that is in it. */
export type AnnotationElement = XmlElement

/** @spec MC-CSDL 2.1.33 (AnnotationAttribute, AnnotationElement) */
export interface Annotations {
  readonly attributes: readonly AnnotationAttribute[]
  readonly elements: readonly AnnotationElement[]
  /**
   * What is said about parts of the element that are no objects of the model, by their name: `Key` and in it each of
   * its properties, `OnDelete`, `Principal`, `Dependent`, `Documentation`. Absent when there is nothing to say.
   */
  readonly parts?: Readonly<Record<string, Annotatable>>
}

/** @spec MC-CSDL 2.1.23 (Documentation) */
export interface Documentation {
  readonly summary?: string | undefined
  readonly longDescription?: string | undefined
}

/** What a CSDL element carries beside its own attributes. */
export interface Annotatable {
  readonly documentation?: Documentation | undefined
  readonly annotations: Annotations
}

export const noAnnotations: Annotations = Object.freeze({
  attributes: Object.freeze([]),
  elements: Object.freeze([]),
})

/** Namespace of SAP's annotations, which UI5 reads from `$metadata`. */
export const sapNamespace = 'http://www.sap.com/Protocols/SAPData'

const plain: Annotatable = Object.freeze({ annotations: noAnnotations })

/** Documentation and annotations of a part of an element, such as its `Key`. */
export function annotatedPart(element: Annotatable, name: string): Annotatable {
  const parts = element.annotations.parts ?? {}
  return (Object.hasOwn(parts, name) ? parts[name] : undefined) ?? plain
}

/** The value of an annotation attribute, for instance of `sap:filterable`. */
export function annotationValue(element: Annotatable, namespace: string, name: string): string | undefined {
  return element.annotations.attributes.find((one) => one.namespace === namespace && one.name === name)?.value
}
