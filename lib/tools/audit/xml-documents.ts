import {
  atomNamespace,
  dataNamespace,
  metadataNamespace,
  relatedNamespace,
  xmlNamespace,
} from '../../xml/namespaces.js'
import type { XmlElement } from '../../xml/xml-element.js'
import { attributeOf, childElements, textOf } from '../../xml/xml-element.js'
import { assert, assertMediaType, assertStatus } from './assertions.js'
import type { AuditResponse } from './response.js'

/** Returns the root element of a successful XML response. */
export function xmlRoot(response: AuditResponse): XmlElement {
  assertStatus(response, 200)
  assertMediaType(response, 'application/xml', 'text/xml')
  return response.xml()
}

export function assertElement(
  { name, namespace }: XmlElement,
  expectedName: string,
  expectedNamespace: string,
): void {
  assert(
    name === expectedName && namespace === expectedNamespace,
    `The root element must be <${expectedName}> of ${expectedNamespace}, not <${name}> of '${namespace}'.`,
  )
}

/** Returns the root element of an Atom document. */
export function atomRoot(response: AuditResponse, name: 'feed' | 'entry'): XmlElement {
  assertStatus(response, 200)
  assertMediaType(response, 'application/atom+xml', 'application/xml', 'text/xml')
  const root = response.xml()
  assertElement(root, name, atomNamespace)
  return root
}

/** Returns the entries of a feed that must not be empty. */
export function entriesOf(feed: XmlElement): readonly XmlElement[] {
  const entries = atomChildren(feed, 'entry')
  assert(entries.length > 0, 'The feed must have entries.')
  return entries
}

export function childrenIn(element: XmlElement, namespace: string, name: string): readonly XmlElement[] {
  return childElements(element).filter((one) => one.name === name && one.namespace === namespace)
}

export function atomChildren(element: XmlElement, name: string): readonly XmlElement[] {
  return childrenIn(element, atomNamespace, name)
}

export function atomChild(element: XmlElement, name: string): XmlElement | undefined {
  return atomChildren(element, name)[0]
}

/** Returns the trimmed text of a child element. */
export function atomText(element: XmlElement, name: string): string | undefined {
  const child = atomChild(element, name)
  return child === undefined ? undefined : textOf(child).trim()
}

export function metadataChild(element: XmlElement, name: string): XmlElement | undefined {
  return childrenIn(element, metadataNamespace, name)[0]
}

/** Returns the link with the relation. */
export function linkOf(element: XmlElement, relation: string): XmlElement | undefined {
  return atomChildren(element, 'link').find((one) => attributeOf(one, 'rel') === relation)
}

/** Returns the link of a navigation property. */
export function navigationLink(element: XmlElement, name: string): XmlElement | undefined {
  return linkOf(element, relatedNamespace + name)
}

/** Finds `m:properties`, a child of the content or, in a media link entry, of the entry. */
export function propertiesIn(entry: XmlElement): XmlElement | undefined {
  const content = atomChild(entry, 'content')
  return (content && metadataChild(content, 'properties')) ?? metadataChild(entry, 'properties')
}

/** Returns the element of a property. */
export function propertyIn(properties: XmlElement, name: string): XmlElement | undefined {
  return childrenIn(properties, dataNamespace, name)[0]
}

export function isNullElement(element: XmlElement): boolean {
  return attributeOf(element, 'null', metadataNamespace) === 'true'
}

/** Resolves a reference against the `xml:base` of the document. */
export function resolveHref(root: XmlElement, href: string, response: AuditResponse): string {
  const base = attributeOf(root, 'base', xmlNamespace) ?? response.request.url
  try {
    // Appended where possible: URL would normalize the percent-encoding of the reference.
    return /^https?:/i.test(href) || href.startsWith('/') || !base.endsWith('/')
      ? new URL(href, new URL(base, response.request.url)).href
      : new URL(base, response.request.url).href + href
  } catch {
    assert(false, `'${href}' must be a valid reference for the base '${base}'.`)
  }
}
