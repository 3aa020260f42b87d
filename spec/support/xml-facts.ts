import { parseXml } from '../../lib/xml/parse-xml.js'
import type { XmlElement } from '../../lib/xml/xml-element.js'

/**
 * All that a document says, one line for each element, attribute and text, sorted. Prefixes, layout and the order of
 * siblings do not matter.
 */
export function factsOf(xml: string): string[] {
  return factsOfElement(parseXml(xml), '').sort()
}

function factsOfElement(element: XmlElement, parent: string): string[] {
  const label = ['Name', 'Role', 'Namespace']
    .map((name) => element.attributes.find((one) => one.name === name && one.namespace === '')?.value)
    .find((value) => value !== undefined)
  const path = `${parent}/{${element.namespace}}${element.name}${label === undefined ? '' : `[${label}]`}`
  const hasElements = element.children.some((child) => typeof child !== 'string')
  return [
    path,
    ...element.attributes.map((one) => `${path} {${one.namespace}}${one.name}=${JSON.stringify(one.value)}`),
    ...element.children.flatMap((child) => {
      if (typeof child !== 'string') return factsOfElement(child, path)
      return hasElements && child.trim() === '' ? [] : [`${path} ${JSON.stringify(child)}`]
    }),
  ]
}
