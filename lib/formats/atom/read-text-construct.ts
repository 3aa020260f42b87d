import type { FeedContentKind } from '../../edm/feed-mapping.js'
import { xmlNamespace } from '../../xml/namespaces.js'
import type { XmlAttribute, XmlElement } from '../../xml/xml-element.js'
import { attributeOf, textOf } from '../../xml/xml-element.js'
import { childNamed } from './read-xml.js'

const xhtmlNamespace = 'http://www.w3.org/1999/xhtml'

/** Elements that never have content; all others are written with a start and an end, as HTML wants it. */
const voidElements: ReadonlySet<string> = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta'])

/**
 * The text of an Atom element. What stands in an XHTML `div` is mark-up for a property that holds mark-up, and plain
 * text for one that does not.
 *
 * @spec RFC 4287 3.1 (text constructs)
 */
export function textConstruct(element: XmlElement, kind: FeedContentKind): string {
  const div =
    attributeOf(element, 'type') === 'xhtml' ? childNamed(element, xhtmlNamespace, 'div') : undefined
  if (div === undefined) return textOf(element)
  return kind === 'text' ? textOf(div) : contentOf(div)
}

function contentOf({ children, namespace }: XmlElement): string {
  return children
    .map((child) => (typeof child === 'string' ? escaped(child) : written(child, namespace)))
    .join('')
}

/** An element without prefix, so that it means the same wherever it is put. */
function written(element: XmlElement, around: string): string {
  const { namespace, name, attributes } = element
  const declarations = [...(namespace === around ? [] : [['xmlns', namespace]]), ...prefixesOf(attributes)]
  const pairs = [
    ...declarations,
    ...attributes.map((one) => [one.prefix === '' ? one.name : `${one.prefix}:${one.name}`, one.value]),
  ]
  const start = name + pairs.map(([key = '', value = '']) => ` ${key}="${quoted(value)}"`).join('')
  const content = contentOf(element)
  return content === '' && voidElements.has(name) ? `<${start}/>` : `<${start}>${content}</${name}>`
}

/** Declarations for the attributes that have a prefix. */
function prefixesOf(attributes: readonly XmlAttribute[]): string[][] {
  const prefixes = new Map<string, string>()
  for (const { prefix, namespace } of attributes) {
    if (prefix !== '' && namespace !== xmlNamespace) prefixes.set(`xmlns:${prefix}`, namespace)
  }
  return [...prefixes]
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
}

function quoted(value: string): string {
  return escaped(value).replaceAll('"', '&quot;').replaceAll('\t', '&#9;').replaceAll('\n', '&#10;')
}
