import type { SaxesTagNS } from 'saxes'
import { SaxesParser } from 'saxes'
import { xmlnsNamespace } from './namespaces.js'
import type { XmlAttribute, XmlElement } from './xml-element.js'

/** How deep elements may be nested; no document of the protocol comes near. */
const MAX_DEPTH = 100

/**
 * A text that is not well-formed XML, or one with a document type declaration. The message has line and column.
 *
 * @example
 * readEdmx('<a><b></a>') // XmlError: The document is not well-formed XML: 1:10: unexpected close tag.
 */
export class XmlError extends Error {
  override readonly name = 'XmlError'
}

/** An element whose content is still being read. */
interface OpenElement extends XmlElement {
  readonly children: (XmlElement | string)[]
}

/**
 * Reads a document into a tree. Two pieces of text never stand side by side in it, whatever comment or CDATA section
 * there was between them.
 *
 * The parser is a strict one: the forgiving kind accepts two roots, unbound prefixes and doubled attributes, and does
 * not normalize line ends.
 *
 * @throws XmlError for text that is not well-formed, is nested deeper than 100 elements, or declares a document
 * type: entities are how XML attacks its readers
 */
export function parseXml(text: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true, position: true })
  const open: OpenElement[] = []
  let root: XmlElement | undefined
  parser.on('error', (error) => {
    throw new XmlError(`The document is not well-formed XML: ${error.message}`)
  })
  parser.on('doctype', () => {
    throw new XmlError('Document type declarations are not accepted.')
  })
  parser.on('opentag', (tag) => {
    if (open.length === MAX_DEPTH) {
      throw new XmlError(`Elements are nested deeper than ${MAX_DEPTH}.`)
    }
    const element = elementOf(tag)
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  parser.on('closetag', () => {
    open.pop()
  })
  const addText = (piece: string): void => {
    const children = open.at(-1)?.children
    const last = children?.at(-1)
    if (typeof last === 'string') children?.splice(-1, 1, last + piece)
    else if (piece !== '') children?.push(piece)
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(text).close()
  if (root === undefined) throw new XmlError('The document has no element.')
  return root
}

function elementOf({ uri, prefix, local, attributes }: SaxesTagNS): OpenElement {
  const kept: XmlAttribute[] = []
  for (const one of Object.values(attributes)) {
    if (one.uri === xmlnsNamespace) continue
    kept.push({ namespace: one.uri, prefix: one.prefix, name: one.local, value: one.value })
  }
  return { namespace: uri, prefix, name: local, attributes: kept, children: [] }
}
