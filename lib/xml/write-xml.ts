import type { Element } from 'xml-js'
import { js2xml } from 'xml-js'
import { escapeAttribute, escapeText } from './escape-xml.js'

/** An element to serialize. Names include their prefix; namespace declarations are attributes. */
export interface WritableElement {
  readonly name: string
  readonly attributes?: Readonly<Record<string, string | undefined>>
  readonly children?: readonly WritableChild[]
}

/** A function creates its element when it is serialized: {@link xmlChunks} can pause before it. */
export type WritableChild = WritableElement | string | (() => WritableElement)

/**
 * Placeholder of `&` for xml-js, which escapes incompletely, and does not escape the ampersand of a literal `&amp;`. XML
 * cannot contain this character.
 */
const marker = '\uffff'

/** Prefix of attributes whose names are members of every object, which xml-js does not support. */
const nameMarker = '@'

/** Serializes a document without white space between its elements. */
export function writeXml(root: WritableElement): string {
  return [...xmlChunks(root)].join('')
}

/** Serializes a document in chunks: one for each element that a function creates. */
export function* xmlChunks(root: WritableElement): Generator<string, undefined> {
  yield serialize({ declaration: { attributes: { version: '1.0', encoding: 'utf-8' } } })
  yield* chunksOf(root)
}

function* chunksOf(element: WritableElement): Generator<string, undefined> {
  const { children = [], ...empty } = element
  if (!children.some((child) => typeof child === 'function')) {
    yield serialize({ elements: [elementFor(element)] })
    return
  }
  // The only text between the tags, which separates them.
  const [start = '', end = ''] = serialize({ elements: [elementFor({ ...empty, children: ['|'] })] }).split(
    '>|<',
  )
  yield `${start}>`
  for (const child of children) {
    if (typeof child === 'function') yield* chunksOf(child())
    else yield serialize({ elements: [nodeFor(child)] })
  }
  yield `<${end}`
}

function serialize(document: Element): string {
  const unmark = (text: string): string => (text.includes(marker) ? text.replaceAll(marker, '&') : text)
  return js2xml(document, {
    compact: false,
    spaces: 0,
    attributeNameFn: (name) => (name.startsWith(nameMarker) ? name.slice(1) : name),
    attributeValueFn: unmark,
    textFn: unmark,
  })
}

function elementFor({ name, attributes = {}, children = [] }: WritableElement): Element {
  const written: Record<string, string> = {}
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === undefined) continue
    const name = attribute in Object.prototype ? nameMarker + attribute : attribute
    written[name] = mark(escapeAttribute(value))
  }
  return {
    type: 'element',
    name,
    attributes: written,
    elements: children.map(nodeFor),
  }
}

function nodeFor(child: WritableChild): Element {
  if (typeof child === 'string') return { type: 'text', text: mark(escapeText(child)) }
  return elementFor(typeof child === 'function' ? child() : child)
}

function mark(text: string): string {
  return text.includes('&') ? text.replaceAll('&', marker) : text
}
