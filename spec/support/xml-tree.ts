import type { XmlElement } from '../../lib/xml/xml-element.js'

/** The text of an element, which has nothing but text in it. */
export function textOf({ children }: XmlElement): string {
  return children.map((child) => (typeof child === 'string' ? child : '')).join('')
}

/** The elements of a name directly within another. */
export function childrenNamed({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter((child): child is XmlElement => typeof child === 'object' && child.name === name)
}

/** The elements of a name anywhere within another, but not within each other. */
export function descendantsNamed(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => {
    if (typeof child === 'string') return []
    return child.name === name ? [child] : descendantsNamed(child, name)
  })
}
