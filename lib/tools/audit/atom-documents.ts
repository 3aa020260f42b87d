import {
  atomNamespace,
  dataNamespace,
  metadataNamespace,
  relatedNamespace,
  xmlNamespace,
} from '../../xml/namespaces.js'
import type { XmlElement } from '../../xml/xml-element.js'
import { attributeOf, childElements, textOf } from '../../xml/xml-element.js'
import type { Answer } from './answer.js'
import { demand, demandMediaType, demandStatus } from './demands.js'

/** The root of an Atom document, which must be called as is said. */
export function atomRoot(answer: Answer, name: 'feed' | 'entry'): XmlElement {
  demandStatus(answer, 200)
  demandMediaType(answer, 'application/atom+xml', 'application/xml', 'text/xml')
  const root = answer.xml()
  demand(
    root.name === name && root.namespace === atomNamespace,
    `The root element must be <${name}> of ${atomNamespace}, not <${root.name}> of '${root.namespace}'.`,
    answer,
  )
  return root
}

/** The entries of a feed; there must be some. */
export function entriesOf(answer: Answer): readonly XmlElement[] {
  const entries = atomChildren(atomRoot(answer, 'feed'), 'entry')
  demand(entries.length > 0, 'The feed must have entries.', answer)
  return entries
}

export function atomChildren(element: XmlElement, name: string): readonly XmlElement[] {
  return childElements(element).filter((one) => one.name === name && one.namespace === atomNamespace)
}

export function atomChild(element: XmlElement, name: string): XmlElement | undefined {
  return atomChildren(element, name)[0]
}

/** The text of a child, without white space around it. */
export function atomText(element: XmlElement, name: string): string | undefined {
  const child = atomChild(element, name)
  return child === undefined ? undefined : textOf(child).trim()
}

export function metadataChild(element: XmlElement, name: string): XmlElement | undefined {
  return childElements(element).find((one) => one.name === name && one.namespace === metadataNamespace)
}

/** The link of an entry with a relation; navigation properties have one of their own. */
export function linkOf(element: XmlElement, relation: string): XmlElement | undefined {
  return atomChildren(element, 'link').find((one) => attributeOf(one, 'rel') === relation)
}

export function relatedLink(element: XmlElement, navigation: string): XmlElement | undefined {
  return linkOf(element, relatedNamespace + navigation)
}

/** `m:properties`, in the content or, of a media link entry, beside it. */
export function propertiesIn(entry: XmlElement): XmlElement | undefined {
  const content = atomChild(entry, 'content')
  return (content && metadataChild(content, 'properties')) ?? metadataChild(entry, 'properties')
}

/** The element of a property. */
export function propertyIn(properties: XmlElement, name: string): XmlElement | undefined {
  return childElements(properties).find((one) => one.name === name && one.namespace === dataNamespace)
}

export function isNullElement(element: XmlElement): boolean {
  return attributeOf(element, 'null', metadataNamespace) === 'true'
}

/** The absolute address of what an attribute of an entry or a feed says, by the `xml:base` of the document. */
export function resolved(root: XmlElement, href: string, answer: Answer): string {
  const base = attributeOf(root, 'base', xmlNamespace) ?? answer.request.url
  try {
    // Made without URL where it can be: URL would write the address in another way.
    return /^https?:/i.test(href) || href.startsWith('/') || !base.endsWith('/')
      ? new URL(href, new URL(base, answer.request.url)).href
      : new URL(base, answer.request.url).href + href
  } catch {
    demand(false, `'${href}' must be an address, given the base '${base}'.`, answer)
  }
}
