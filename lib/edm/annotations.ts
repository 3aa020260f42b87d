import type { XmlAttribute, XmlElement } from '../xml/xml-element.js'

/** An attribute of a namespace other than CSDL: `sap:label="Name"`. */
export type AnnotationAttribute = XmlAttribute

/** An element of a namespace other than CSDL, with its content. */
export type AnnotationElement = XmlElement

/** @spec MC-CSDL 2.1.33 (AnnotationAttribute, AnnotationElement) */
export interface Annotations {
  readonly attributes: readonly AnnotationAttribute[]
  readonly elements: readonly AnnotationElement[]
  /**
   * Annotations of child elements that are not objects of the model, by name: `Key` and in it each of its properties,
   * `OnDelete`, `Principal`, `Dependent`, `Documentation`. Absent without annotations.
   */
  readonly parts?: Readonly<Record<string, Annotatable>>
}

/** @spec MC-CSDL 2.1.23 (Documentation) */
export interface Documentation {
  readonly summary?: string | undefined
  readonly longDescription?: string | undefined
}

/** An element of a model that can have documentation and annotations. */
export interface Annotatable {
  /** The element `Documentation` of CSDL. */
  readonly documentation?: Documentation | undefined
  /** Attributes and elements of other namespaces, such as `sap:label`. */
  readonly annotations: Annotations
}

export const noAnnotations: Annotations = Object.freeze({
  attributes: Object.freeze([]),
  elements: Object.freeze([]),
})

/** The namespace of SAP's annotations, which UI5 reads from `$metadata`. */
export const sapNamespace = 'http://www.sap.com/Protocols/SAPData'

export const notAnnotated: Annotatable = Object.freeze({ annotations: noAnnotations })

/** Returns the documentation and annotations of a part of an element, for example of its `Key`. */
export function annotatedPart(element: Annotatable, name: string): Annotatable {
  const parts = element.annotations.parts ?? {}
  return (Object.hasOwn(parts, name) ? parts[name] : undefined) ?? notAnnotated
}

/** Returns the value of an annotation attribute. */
export function annotationValue(element: Annotatable, namespace: string, name: string): string | undefined {
  return element.annotations.attributes.find((one) => one.namespace === namespace && one.name === name)?.value
}

/** Returns the value of one of SAP's annotations, for example of `sap:filterable`. */
export function sapAnnotation(element: Annotatable, name: string): string | undefined {
  return annotationValue(element, sapNamespace, name)?.trim()
}

/** Returns the strings that describe an element, trimmed; blank ones are undefined. */
export function descriptiveTexts(
  element: Annotatable,
): Readonly<Record<'label' | 'quickinfo' | 'summary' | 'longDescription', string | undefined>> {
  const { summary, longDescription } = element.documentation ?? {}
  return {
    label: sapAnnotation(element, 'label') || undefined,
    quickinfo: sapAnnotation(element, 'quickinfo') || undefined,
    summary: summary?.trim() || undefined,
    longDescription: longDescription?.trim() || undefined,
  }
}

/** Returns the `sap:label` of an element; undefined if it is blank. */
export function labelOf(element: Annotatable): string | undefined {
  return descriptiveTexts(element).label
}
