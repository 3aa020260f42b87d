import type { SaxesAttributeNS, SaxesTagNS } from 'saxes'
import { SaxesParser } from 'saxes'
import { getOrCreate } from '../util/get-or-create.js'
import type { XmlAttribute, XmlElement } from './xml-element.js'

/** Maximum nesting of elements. */
const MAX_DEPTH = 100

/**
 * The error for malformed XML and for document type declarations. The message contains line and column.
 *
 * @example
 * readEdmx('<a><b></a>') // XmlError: The document is not well-formed XML: 1:10: unexpected close tag.
 */
export class XmlError extends Error {
  override readonly name = 'XmlError'
}

interface OpenElement extends XmlElement {
  readonly children: (XmlElement | string)[]
}

const events = ['doctype', 'attribute', 'opentag', 'closetag', 'text', 'cdata'] as const
const ignore = (): void => undefined

/**
 * Throws an XmlError for malformed XML. V8 stores the properties of a `SaxesParser` in a dictionary once it has seven
 * handlers, which takes twice the time to parse; a subclass has room for more.
 */
class StrictParser extends SaxesParser<{ xmlns: true; position: true }> {
  /**
   * Never parses. When a garbage collection finds no parser, V8 discards the hidden class of parsers and the code that
   * it optimized for them, and parsing takes up to four times as long afterwards.
   */
  static readonly idle = new StrictParser()

  constructor() {
    super({ xmlns: true, position: true })
    for (const event of events) this.on(event, ignore)
  }

  override fail(message: string): this {
    throw new XmlError(`The document is not well-formed XML: ${this.makeError(message).message}`)
  }
}

/**
 * Parses a document into a tree, in which adjacent text and CDATA sections are merged. The parser is strict: it rejects
 * several roots, unbound prefixes and duplicate attributes.
 *
 * @param lines receives the line of each element, for errors about its content
 * @throws XmlError for malformed XML, more than 100 levels, and document type declarations, which allow entity attacks
 */
export function parseXml(text: string, lines?: Map<XmlElement, number>): XmlElement {
  const parser = new StrictParser()
  const open: OpenElement[] = []
  const known: KnownAttributes = new Map()
  let attributes: SaxesAttributeNS[] = []
  let root: XmlElement | undefined
  parser.on('doctype', () => {
    throw new XmlError('Document type declarations are not accepted.')
  })
  // Faster than the attributes of the tag, which are an object with their names as keys.
  parser.on('attribute', (attribute) => {
    if (attribute.prefix !== 'xmlns' && attribute.name !== 'xmlns') attributes.push(attribute)
  })
  parser.on('opentag', (tag) => {
    if (open.length === MAX_DEPTH) {
      throw new XmlError(`Elements are nested deeper than ${MAX_DEPTH}.`)
    }
    const element = elementOf(tag, attributes, known)
    attributes = []
    lines?.set(element, parser.line)
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  parser.on('closetag', () => {
    open.pop()
  })
  const addText = (chunk: string): void => {
    const children = open.at(-1)?.children
    const last = children?.at(-1)
    if (typeof last === 'string') children?.splice(-1, 1, last + chunk)
    else if (chunk !== '') children?.push(chunk)
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(text).close()
  if (root === undefined) throw new XmlError('The document has no element.')
  return root
}

/**
 * The attributes of one document by qualified name and value. Equal attributes are one object: most attributes of EDMX
 * documents are repeated, such as `sap:creatable="false"`, and models keep them.
 */
type KnownAttributes = Map<string, Map<string, XmlAttribute>>

function sharedAttribute(
  { uri, prefix, local, name, value }: SaxesAttributeNS,
  known: KnownAttributes,
): XmlAttribute {
  const ofName = getOrCreate(known, name, () => new Map<string, XmlAttribute>())
  const shared = ofName.get(value)
  // A prefix can have another namespace in another element.
  if (shared?.namespace === uri) return shared
  const attribute = { namespace: uri, prefix, name: local, value }
  ofName.set(value, attribute)
  return attribute
}

function elementOf(
  { uri, prefix, local }: SaxesTagNS,
  attributes: readonly SaxesAttributeNS[],
  known: KnownAttributes,
): OpenElement {
  return {
    namespace: uri,
    prefix,
    name: local,
    // Arrays that are mapped have no spare capacity.
    attributes: attributes.map((one) => sharedAttribute(one, known)),
    children: [],
  }
}
