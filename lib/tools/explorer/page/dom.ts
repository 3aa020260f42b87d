import { safeAddress } from './safe-address.js'

export type Child = Node | string | undefined
type Value = string | number | boolean | undefined | ((event: Event) => void)
export type Attributes = Readonly<Record<string, Value>>

/**
 * Makes an element. Text is always text here, whatever it holds: nothing in the page is made of mark-up that comes from
 * data. Functions become listeners, `undefined` and `false` are left out.
 */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), attributes, children)
}

/** The same for drawings. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children)
}

function filled<Made extends Element>(
  element: Made,
  attributes: Attributes,
  children: readonly Child[],
): Made {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.replace(/^on/, ''), value)
    else if (name === 'href' || name === 'src') element.setAttribute(name, safeAddress(String(value)))
    else if (value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...children.filter((child) => child !== undefined))
  return element
}

/** Puts something else in the place of all that an element holds. */
export function fill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren(...children.filter((child) => child !== undefined))
}

let lastId = 0

/** An id that nothing else has. */
export function freshId(what: string): string {
  return `${what}-${String(++lastId)}`
}
