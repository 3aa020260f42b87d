import { escapeAttribute, escapeText } from './escape-xml.js'

/** An element to serialize. Names include their prefix; namespace declarations are attributes. */
export interface WritableElement {
  readonly name: string
  readonly attributes?: Readonly<Record<string, string | undefined>>
  readonly children?: readonly WritableChild[]
}

/** A function creates its element when it is serialized: {@link xmlPieces} can pause before it. */
export type WritableChild = WritableElement | string | (() => WritableElement)

/** Serializes a document without white space between its elements. */
export function writeXml(root: WritableElement): string {
  let text = ''
  for (const piece of xmlPieces(root)) text += piece
  return text
}

/** Serializes a document piece by piece: one for each element that a function creates. */
export function* xmlPieces(root: WritableElement): Generator<string, undefined> {
  yield '<?xml version="1.0" encoding="utf-8"?>'
  yield* piecesOf(root)
}

function* piecesOf(element: WritableElement): Generator<string, undefined> {
  const { name, children = [] } = element
  if (!children.some((child) => typeof child === 'function')) {
    yield textOf(element)
    return
  }
  yield `${startOf(element)}>`
  for (const child of children) {
    if (typeof child === 'function') yield* piecesOf(child())
    else yield textOfChild(child)
  }
  yield `</${name}>`
}

function textOf(element: WritableElement): string {
  const { name, children = [] } = element
  if (children.length === 0) return `${startOf(element)}/>`
  let text = `${startOf(element)}>`
  for (const child of children) text += textOfChild(child)
  return `${text}</${name}>`
}

function textOfChild(child: WritableChild): string {
  if (typeof child === 'string') return escapeText(child)
  return textOf(typeof child === 'function' ? child() : child)
}

function startOf({ name, attributes = {} }: WritableElement): string {
  let text = `<${name}`
  for (const [attribute, value] of Object.entries(attributes))
    if (value !== undefined) text += ` ${attribute}="${escapeAttribute(value)}"`
  return text
}
