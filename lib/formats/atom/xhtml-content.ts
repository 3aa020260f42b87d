import { parseXml, XmlError } from '../../xml/parse-xml.js'

/**
 * The `div` around a value that is a fragment of XHTML.
 *
 * @returns undefined when the value is not well-formed, and can only be shown as text
 * @spec RFC 4287 3.1.1.3
 */
export function xhtmlContent(value: string): string | undefined {
  const content = `<div xmlns="http://www.w3.org/1999/xhtml">${value}</div>`
  try {
    parseXml(content)
    return content
  } catch (error) {
    if (error instanceof XmlError) return undefined
    throw error
  }
}
