import { SaxesParser } from 'saxes'
import type { Element } from 'xml-js'
import { xml2js } from 'xml-js'
import { xmlNamespace } from './namespaces.js'
import type { XmlAttribute, XmlElement } from './xml-element.js'

/** How deep elements may be nested; no document of the protocol comes near. */
const maximumDepth = 100

/** A text that is not well-formed XML, or one with a document type declaration. */
export class XmlError extends Error {
  override readonly name = 'XmlError'
}

/**
 * Reads a document into a tree.
 *
 * Two parsers work together. xml-js makes trees but is too forgiving: it accepts two roots, unbound prefixes and
 * doubled attributes, and recurses without a limit. So saxes, which is strict, goes over the text first.
 *
 * @throws XmlError for text that is not well-formed, is nested deeper than 100 elements, or declares a document
 * type: entities are how XML attacks its readers
 */
export function parseXml(text: string): XmlElement {
  const xml = text.startsWith('\ufeff') ? text.slice(1) : text
  checkWellFormed(xml)
  const document = xml2js(xml, { compact: false, ignoreComment: true, ignoreInstruction: true }) as Element
  const root = document.elements?.find((one) => one.type === 'element')
  if (root === undefined) throw new XmlError('The document has no element.')
  return elementOf(root, new Map([['xml', xmlNamespace]]))
}

function checkWellFormed(xml: string): void {
  const parser = new SaxesParser({ xmlns: true, position: true })
  let depth = 0
  parser.on('error', (error) => {
    throw new XmlError(`The document is not well-formed XML: ${error.message}`)
  })
  parser.on('doctype', () => {
    throw new XmlError('Document type declarations are not accepted.')
  })
  parser.on('opentag', () => {
    depth++
    if (depth > maximumDepth) throw new XmlError(`Elements are nested deeper than ${maximumDepth}.`)
  })
  parser.on('closetag', () => {
    depth--
  })
  parser.write(xml).close()
}

type Scope = ReadonlyMap<string, string>

function elementOf(element: Element, outer: Scope): XmlElement {
  const attributes = Object.entries(element.attributes ?? {}).map(
    ([name, value]) => [name, String(value)] as const,
  )
  const scope = scopeOf(attributes, outer)
  const { prefix, name } = split(element.name ?? '')
  return {
    namespace: scope.get(prefix) ?? '',
    prefix,
    name,
    attributes: attributes
      .filter(([one]) => !isDeclaration(one))
      .map(([one, value]) => attributeFor(one, value, scope)),
    children: childrenOf(element, scope),
  }
}

function childrenOf(element: Element, scope: Scope): (XmlElement | string)[] {
  const children: (XmlElement | string)[] = []
  for (const child of element.elements ?? []) {
    if (child.type === 'element') children.push(elementOf(child, scope))
    else if (child.type === 'text') children.push(String(child.text))
    else if (child.type === 'cdata') children.push(child.cdata ?? '')
  }
  return children
}

function attributeFor(qualifiedName: string, value: string, scope: Scope): XmlAttribute {
  const { prefix, name } = split(qualifiedName)
  // Unlike elements, attributes without prefix are in no namespace.
  return { namespace: prefix === '' ? '' : (scope.get(prefix) ?? ''), prefix, name, value }
}

function scopeOf(attributes: readonly (readonly [string, string])[], outer: Scope): Scope {
  const declarations = attributes.filter(([name]) => isDeclaration(name))
  if (declarations.length === 0) return outer
  return new Map([
    ...outer,
    ...declarations.map(([name, value]) => [name === 'xmlns' ? '' : name.slice(6), value] as const),
  ])
}

function isDeclaration(name: string): boolean {
  return name === 'xmlns' || name.startsWith('xmlns:')
}

function split(qualifiedName: string): { prefix: string; name: string } {
  const colon = qualifiedName.indexOf(':')
  return colon < 0
    ? { prefix: '', name: qualifiedName }
    : { prefix: qualifiedName.slice(0, colon), name: qualifiedName.slice(colon + 1) }
}
