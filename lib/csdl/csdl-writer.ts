import type { Annotatable, AnnotationElement } from '../edm/annotations.js'
import { annotatedPart } from '../edm/annotations.js'
import type { EdmModel } from '../edm/edm-model.js'
import {
  annotationNamespace,
  csdl4Namespace,
  edmx4Namespace,
  edmNamespaces,
  edmxNamespace,
  metadataNamespace,
  xmlNamespace,
} from '../xml/namespaces.js'
import type { WritableChild, WritableElement } from '../xml/write-xml.js'
import { annotatablesOf } from './annotatables.js'

/** Serializes elements with their documentation and annotations, using the prefixes of one document. */
export interface CsdlWriter {
  /** Prefix of the metadata namespace. */
  readonly metadata: string
  /** Prefix of the namespace of StoreGeneratedPattern. */
  readonly annotation: string
  /** `xmlns:…` attributes for the root element: every namespace that the model uses. */
  readonly declarations: Readonly<Record<string, string>>
  element(
    name: string,
    source: Annotatable,
    content?: {
      readonly attributes?: Readonly<Record<string, string | undefined>>
      readonly children?: readonly WritableChild[]
    },
  ): WritableElement
  /** Returns the writer for the content of a schema, where the namespace of CSDL is the default. */
  inSchema(xmlNamespace: string): CsdlWriter
}

export function createCsdlWriter(model: EdmModel): CsdlWriter {
  const prefixes = prefixesOf(model)
  const prefix = (namespace: string): string => prefixes.get(namespace) ?? ''
  const declarations: Record<string, string> = {}
  for (const [namespace, name] of prefixes) {
    if (name !== 'xml' && name !== 'edmx') declarations[`xmlns:${name}`] = namespace
  }
  const writerWithin = (defaultNamespace: string): CsdlWriter => ({
    metadata: prefix(metadataNamespace),
    annotation: prefix(annotationNamespace),
    declarations,
    inSchema: writerWithin,
    element(name, source, { attributes = {}, children = [] } = {}) {
      return {
        name,
        attributes: { ...attributes, ...annotationAttributes(source.annotations.attributes, prefix) },
        children: [
          ...documentationOf(source, this),
          ...children,
          ...source.annotations.elements.map((one) => annotationElement(one, defaultNamespace, prefix)),
        ],
      }
    },
  })
  return writerWithin('')
}

function documentationOf(source: Annotatable, writer: CsdlWriter): WritableElement[] {
  const { documentation } = source
  if (documentation === undefined) return []
  const part = annotatedPart(source, 'Documentation')
  const text = (name: string, content: string | undefined): WritableElement[] => {
    if (content === undefined) return []
    const element = writer.element(name, annotatedPart(part, name))
    return [{ ...element, children: [content, ...(element.children ?? [])] }]
  }
  const children = [
    ...text('Summary', documentation.summary),
    ...text('LongDescription', documentation.longDescription),
  ]
  return [writer.element('Documentation', part, { children })]
}

function annotationAttributes(
  attributes: AnnotationElement['attributes'],
  prefix: (namespace: string) => string,
): Record<string, string> {
  const result: Record<string, string> = {}
  for (const { namespace, name, value } of attributes) {
    result[namespace === '' ? name : `${prefix(namespace)}:${name}`] = value
  }
  return result
}

/**
 * Returns an element of another namespace, or an unknown element of CSDL. References of V4 have the prefix `edmx`, which
 * they declare themselves: SAP's parsers search for the literal name `edmx:Reference`.
 *
 * @param outer the default namespace of the parent element
 */
function annotationElement(
  { namespace, name, attributes, children }: AnnotationElement,
  outer: string,
  prefix: (namespace: string) => string,
): WritableElement {
  // Elements of CSDL and of no namespace have no prefix and may need another default namespace.
  const isBare = namespace === '' || isCsdl(namespace)
  const inner = isBare ? namespace : outer
  const isReference = namespace === edmx4Namespace
  return {
    name: isBare ? name : isReference ? `edmx:${name}` : `${prefix(namespace)}:${name}`,
    attributes: {
      ...(inner === outer ? {} : { xmlns: inner }),
      ...(isReference ? { 'xmlns:edmx': namespace } : {}),
      ...annotationAttributes(attributes, prefix),
    },
    children: children.map((child) =>
      typeof child === 'string' ? child : annotationElement(child, inner, prefix),
    ),
  }
}

/**
 * Returns true for the namespaces of CSDL, whose elements have no prefix: some clients search for names without it.
 */
function isCsdl(namespace: string): boolean {
  return namespace === csdl4Namespace || edmNamespaces.has(namespace)
}

/** Assigns a prefix to every namespace: its original one, unless two namespaces have the same. */
function prefixesOf(model: EdmModel): ReadonlyMap<string, string> {
  const prefixes = new Map([
    [edmxNamespace, 'edmx'],
    [metadataNamespace, 'm'],
    [xmlNamespace, 'xml'],
  ])
  const used = new Set([...prefixes.values(), 'xmlns'])
  const add = (namespace: string, wanted: string): void => {
    if (namespace === '' || prefixes.has(namespace)) return
    const base = wanted === '' ? 'a' : wanted
    let prefix = base
    for (let number = 1; used.has(prefix); number++) prefix = `${base}${number}`
    used.add(prefix)
    prefixes.set(namespace, prefix)
  }
  const addElement = (element: AnnotationElement): void => {
    if (!isCsdl(element.namespace) && element.namespace !== edmx4Namespace) {
      add(element.namespace, element.prefix)
    }
    for (const attribute of element.attributes) add(attribute.namespace, attribute.prefix)
    for (const child of element.children) if (typeof child !== 'string') addElement(child)
  }
  for (const { annotations } of annotatablesOf(model)) {
    for (const attribute of annotations.attributes) add(attribute.namespace, attribute.prefix)
    for (const element of annotations.elements) addElement(element)
  }
  if (usesStoreGeneratedPattern(model)) add(annotationNamespace, 'annotation')
  return prefixes
}

function usesStoreGeneratedPattern(model: EdmModel): boolean {
  return [...model.entityTypes.values(), ...model.complexTypes.values()].some(({ declaredProperties }) =>
    declaredProperties.some((property) => property.storeGeneratedPattern !== undefined),
  )
}
