import { safeAddress } from './address.js'

export type Child = Node | string | undefined
type Value = string | number | boolean | undefined | ((event: Event) => void)
export type Attributes = Readonly<Record<string, Value>>

/**
 * Creates an element. Strings become text nodes, so that no data is ever parsed as HTML. Functions become event
 * listeners; attributes and children that are `undefined` or `false` are omitted.
 */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  return initialize(document.createElement(tag), attributes, children)
}

/** Creates an SVG element. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  return initialize(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children)
}

function initialize<Created extends Element>(
  element: Created,
  attributes: Attributes,
  children: readonly Child[],
): Created {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.replace(/^on/, ''), value)
    else if (name === 'href' || name === 'src') element.setAttribute(name, safeAddress(String(value)))
    else if (value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : String(value))
  }
  fill(element, ...children)
  return element
}

/** Replaces all children of an element. */
export function fill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren(...children.filter((child) => child !== undefined))
}

let lastId = 0

/** Returns an id that no other element has. */
export function uniqueId(prefix: string): string {
  return `${prefix}-${String(++lastId)}`
}
