import type { Element } from 'xml-js'
import { js2xml } from 'xml-js'
import { escapeAttribute, escapeText } from './escape-xml.js'

/** An element to serialize. Names include their prefix; namespace declarations are attributes. */
export interface WritableElement {
  readonly name: string
  readonly attributes?: Readonly<Record<string, string | undefined>>
  readonly children?: readonly (WritableElement | string)[]
}

/**
 * Placeholder of `&` for xml-js, which escapes incompletely, and does not escape the ampersand of a literal `&amp;`. XML
 * cannot contain this character.
 */
const marker = '\uffff'

/** Prefix of attributes whose names are members of every object, which xml-js does not support. */
const nameMarker = '@'

/** Serializes a document without white space between its elements. */
export function writeXml(root: WritableElement): string {
  const unmark = (text: string): string => (text.includes(marker) ? text.replaceAll(marker, '&') : text)
  return js2xml(
    { declaration: { attributes: { version: '1.0', encoding: 'utf-8' } }, elements: [elementFor(root)] },
    {
      compact: false,
      spaces: 0,
      attributeNameFn: (name) => (name.startsWith(nameMarker) ? name.slice(1) : name),
      attributeValueFn: unmark,
      textFn: unmark,
    },
  )
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
    elements: children.map((child) =>
      typeof child === 'string' ? { type: 'text', text: mark(escapeText(child)) } : elementFor(child),
    ),
  }
}

function mark(text: string): string {
  return text.includes('&') ? text.replaceAll('&', marker) : text
}
