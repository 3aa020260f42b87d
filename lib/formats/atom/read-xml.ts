import { parseXml, XmlError } from '../../xml/parse-xml.js'
import type { XmlElement } from '../../xml/xml-element.js'
import { childElements } from '../../xml/xml-element.js'
import { payloadFault } from '../payload-faults.js'

/**
 * The root element of a body.
 *
 * @throws ODataError BadRequest with line and column, for text that is not XML or that declares a document type
 */
export function readXml(text: string): XmlElement {
  try {
    return parseXml(text)
  } catch (error) {
    if (error instanceof XmlError) throw payloadFault(error.message)
    throw error
  }
}

/** The first element of a name directly inside. */
export function childNamed(element: XmlElement, namespace: string, name: string): XmlElement | undefined {
  return childElements(element).find((child) => child.namespace === namespace && child.name === name)
}

/** The text directly inside, without what is inside of other elements. */
export function ownText(element: XmlElement): string {
  return element.children.filter((child) => typeof child === 'string').join('')
}

/** An element as messages show it: `<entry>`, with its namespace when that is what may be wrong. */
export function shownElement({ name, namespace }: XmlElement): string {
  return namespace === '' ? `<${name}> without namespace` : `<${name}> of the namespace '${namespace}'`
}
