import type { Row } from '../../evaluation/row.js'
import { escapeAttribute } from '../../xml/escape-xml.js'
import type { MappedValue } from './mapped-value.js'

/** An element that feed customisations of one namespace build together: `geo/point`, `geo/point/@lat`. */
interface CustomElement {
  readonly name: string
  value: MappedValue | undefined
  readonly attributes: Map<string, MappedValue>
  readonly children: CustomElement[]
}

interface CustomNamespace {
  readonly prefix: string
  readonly root: CustomElement
  /** ` xmlns:geo="…"` */
  readonly declaration: string
}

type WriteRow = (row: Row) => string

/**
 * Writes values that are mapped to elements and attributes of other namespaces.
 *
 * @spec MS-ODATA 2.2.3.7.2.1 (FC_TargetPath that is no syndication item)
 */
export function customElementsWriter(values: readonly MappedValue[]): {
  readonly elements: WriteRow
  readonly attributes: WriteRow
} {
  const namespaces = new Map<string, CustomNamespace>()
  for (const value of values) place(value, namespaceOf(value, namespaces))
  const elements: WriteRow[] = []
  const attributes: WriteRow[] = []
  for (const { prefix, root, declaration } of namespaces.values()) {
    for (const child of root.children) elements.push(elementWriter(child, prefix, declaration))
    if (root.attributes.size > 0) attributes.push(attributesWriter(root, prefix, declaration))
  }
  const all =
    (writers: readonly WriteRow[]): WriteRow =>
    (row) =>
      writers.map((write) => write(row)).join('')
  return { elements: all(elements), attributes: all(attributes) }
}

const reserved: ReadonlySet<string> = new Set(['d', 'm', 'xml', 'xmlns'])

function namespaceOf({ mapping }: MappedValue, known: Map<string, CustomNamespace>): CustomNamespace {
  const uri = mapping.namespaceUri ?? ''
  let namespace = known.get(uri)
  if (namespace === undefined) {
    const wanted = mapping.namespacePrefix
    const taken = [...known.values()].some(({ prefix }) => prefix === wanted)
    const prefix = wanted === undefined || taken || reserved.has(wanted) ? `cf${known.size + 1}` : wanted
    const declaration = ` xmlns:${prefix}="${escapeAttribute(uri)}"`
    namespace = { prefix, root: emptyElement(''), declaration }
    known.set(uri, namespace)
  }
  return namespace
}

function place(value: MappedValue, { root }: CustomNamespace): void {
  let element = root
  for (const name of value.mapping.targetPath.split('/')) {
    if (name.startsWith('@')) {
      element.attributes.set(name.slice(1), value)
      return
    }
    let child = element.children.find((one) => one.name === name)
    if (child === undefined) {
      child = emptyElement(name)
      element.children.push(child)
    }
    element = child
  }
  element.value = value
}

function emptyElement(name: string): CustomElement {
  return { name, value: undefined, attributes: new Map(), children: [] }
}

/** An element in which everything is null is left out. */
function elementWriter(element: CustomElement, prefix: string, declaration: string): WriteRow {
  const name = `${prefix}:${element.name}`
  const writeAttributes = attributesWriter(element, prefix, '')
  const children = element.children.map((child) => elementWriter(child, prefix, ''))
  return (row) => {
    const text = element.value?.read(row)
    const attributes = writeAttributes(row)
    const content = (text ?? '') + children.map((write) => write(row)).join('')
    if (text === undefined && attributes === '' && content === '') return ''
    return `<${name}${declaration}${attributes}>${content}</${name}>`
  }
}

function attributesWriter(element: CustomElement, prefix: string, declaration: string): WriteRow {
  const attributes = [...element.attributes]
  return (row) => {
    let text = ''
    for (const [name, value] of attributes) {
      const raw = value.raw(row)
      const shown = typeof raw === 'string' ? escapeAttribute(raw) : value.read(row)
      if (shown !== undefined) text += ` ${prefix}:${name}="${shown}"`
    }
    return text === '' ? '' : declaration + text
  }
}
