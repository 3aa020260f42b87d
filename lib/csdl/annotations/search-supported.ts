import type { XmlElement } from '../../xml/xml-element.js'
import { attributeOf, childElements } from '../../xml/xml-element.js'
import { elementOf } from './serialize-annotations.js'

/**
 * Returns annotations whose value helps state `SearchSupported`: by default, whether the service searches the listed set.
 *
 * @param searched the paths of the entity sets that the service searches
 */
export function withSearchSupported(element: XmlElement, searched: ReadonlyMap<string, unknown>): XmlElement {
  const children = element.children.map((child) =>
    typeof child === 'string' ? child : withSearchSupported(child, searched),
  )
  const path = element.name === 'Record' ? constantOf(element, 'CollectionPath') : undefined
  // For other services, the option `search` determines it.
  if (path === undefined || hasMember(element, 'SearchSupported') || hasMember(element, 'CollectionRoot')) {
    return { ...element, children }
  }
  const member = { Property: 'SearchSupported', Bool: String(searched.has(path)) }
  return { ...element, children: [...children, elementOf('PropertyValue', member)] }
}

function constantOf(record: XmlElement, name: string): string | undefined {
  const member = childElements(record).find((child) => attributeOf(child, 'Property') === name)
  return member && attributeOf(member, 'String')
}

function hasMember(record: XmlElement, name: string): boolean {
  return childElements(record).some((child) => attributeOf(child, 'Property') === name)
}
