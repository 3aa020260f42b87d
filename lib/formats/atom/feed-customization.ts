import type { EntityType, Property } from '../../edm/edm-model.js'
import type { SyndicationTarget, FeedMapping } from '../../edm/feed-mapping.js'
import { isSyndicationTarget } from '../../edm/feed-mapping.js'
import type { Row } from '../../evaluation/row.js'
import type { EntryPart } from '../entry-template.js'
import { text } from '../entry-template.js'
import type { WriteRow } from '../entity-address.js'
import type { WriteContext } from '../format.js'
import type { ShownElsewhere } from './properties.js'
import { parseXml, XmlError } from '../../xml/parse-xml.js'
import { isPrimitive } from '../../edm/edm-model.js'
import { escapeAttribute, escapeText } from '../../xml/escape-xml.js'
import { formatText } from '../plain-text.js'
import { required } from '../../util/required.js'

/**
 * The parts of an entry that depend on feed customizations.
 *
 * @spec MS-ODATA 2.2.3.7.2.1 (customizable feeds)
 */
interface FeedCustomization {
  /** `title`, `updated`, `author` and other syndication elements, in order. */
  readonly head: readonly EntryPart[]
  /** Elements of other namespaces, at the end of the entry. */
  readonly elements: readonly EntryPart[]
  /** Attributes of the entry itself. */
  readonly attributes: readonly EntryPart[]
  readonly elsewhere: ShownElsewhere
}

type WriteHead = (row: Row, context: WriteContext) => string

/** Only mapped parts are computed from the row. */
type HeadPart = WriteHead | readonly EntryPart[]

function computed(write: WriteHead): EntryPart {
  return { kind: 'Computed', write: (row, _path, context) => write(row, context) }
}

export function feedCustomization(type: EntityType): FeedCustomization {
  const values = type.feedMappings.flatMap((mapping) => mappedValue(type, mapping) ?? [])
  const byTarget = new Map<SyndicationTarget, MappedValue>()
  const custom: MappedValue[] = []
  for (const value of values) {
    const { targetPath } = value.mapping
    if (isSyndicationTarget(targetPath)) byTarget.set(targetPath, value)
    else custom.push(value)
  }
  const head: (HeadPart | undefined)[] = [
    titleWriter(byTarget.get('SyndicationTitle')),
    updatedWriter(byTarget.get('SyndicationUpdated')),
    authorWriter(byTarget),
    textWriter('rights', byTarget.get('SyndicationRights')),
    textWriter('summary', byTarget.get('SyndicationSummary')),
    publishedWriter(byTarget.get('SyndicationPublished')),
    contributorWriter(byTarget),
  ]
  const { elements, attributes } = customElementsWriter(custom)
  const isCustom = custom.length > 0
  return {
    head: head.flatMap((part) => (typeof part === 'function' ? computed(part) : (part ?? []))),
    elements: isCustom ? [computed(elements)] : [],
    attributes: isCustom ? [computed(attributes)] : [],
    elsewhere: new Set(
      values
        .filter(({ mapping }) => !mapping.keepInContent)
        .map(({ mapping }) => mapping.sourcePath.join('/')),
    ),
  }
}

/** Creates a function that writes the title, empty without value: Atom requires it. */
function titleWriter(value: MappedValue | undefined): HeadPart {
  if (value === undefined) return [text('<title type="text"></title>')]
  const write = formattedText('title', value)
  return (row) => write(row) ?? '<title type="text"></title>'
}

function textWriter(name: string, value: MappedValue | undefined): WriteHead | undefined {
  if (value === undefined) return undefined
  const write = formattedText(name, value)
  return (row) => write(row) ?? ''
}

/**
 * Creates a function that formats a text construct: plain text, escaped HTML, or well-formed XHTML.
 *
 * @spec RFC 4287 3.1
 */
function formattedText(name: string, { mapping, read, raw }: MappedValue): (row: Row) => string | undefined {
  const plain = (text: string, type: string): string => `<${name} type="${type}">${text}</${name}>`
  return (row) => {
    const text = read(row)
    if (text === undefined) return undefined
    if (mapping.contentKind !== 'xhtml') return plain(text, mapping.contentKind)
    const content = xhtmlContent(String(raw(row)))
    return content === undefined ? plain(text, 'text') : plain(content, 'xhtml')
  }
}

function updatedWriter(value: MappedValue | undefined): HeadPart {
  if (value === undefined) return [text('<updated>'), { kind: 'Updated' }, text('</updated>')]
  return (row, { updated }) => `<updated>${dateText(value, row) ?? updated}</updated>`
}

function publishedWriter(value: MappedValue | undefined): WriteHead | undefined {
  if (value === undefined) return undefined
  return (row) => {
    const text = dateText(value, row)
    return text === undefined ? '' : `<published>${text}</published>`
  }
}

/** Formats an Atom date, which requires a time zone. An Edm.DateTime has none and is interpreted as UTC. */
function dateText({ property, read }: MappedValue, row: Row): string | undefined {
  const text = read(row)
  return text !== undefined && property.type === 'Edm.DateTime' ? `${text}Z` : text
}

function authorWriter(values: ReadonlyMap<SyndicationTarget, MappedValue>): HeadPart {
  const write = personWriter(
    'author',
    values.get('SyndicationAuthorName'),
    values.get('SyndicationAuthorUri'),
    values.get('SyndicationAuthorEmail'),
  )
  return write ?? [text('<author><name/></author>')]
}

function contributorWriter(values: ReadonlyMap<SyndicationTarget, MappedValue>): WriteHead | undefined {
  return personWriter(
    'contributor',
    values.get('SyndicationContributorName'),
    values.get('SyndicationContributorUri'),
    values.get('SyndicationContributorEmail'),
  )
}

/** Creates a function that writes a person construct, whose name is required. @spec RFC 4287 3.2 */
function personWriter(
  element: 'author' | 'contributor',
  name: MappedValue | undefined,
  uri: MappedValue | undefined,
  email: MappedValue | undefined,
): WriteHead | undefined {
  if (name === undefined && uri === undefined && email === undefined) return undefined
  return (row) => {
    const nameText = name?.read(row)
    const rest = textElement('uri', uri?.read(row)) + textElement('email', email?.read(row))
    if (element === 'contributor' && nameText === undefined && rest === '') return ''
    const nameElement = nameText === undefined ? '<name/>' : `<name>${nameText}</name>`
    return `<${element}>${nameElement}${rest}</${element}>`
  }
}

function textElement(name: string, text: string | undefined): string {
  return text === undefined ? '' : `<${name}>${text}</${name}>`
}

/**
 * Wraps a fragment of XHTML in a `div`.
 *
 * @returns undefined when the value is not well-formed, and must be serialized as text
 * @spec RFC 4287 3.1.1.3
 */
function xhtmlContent(value: string): string | undefined {
  const content = `<div xmlns="http://www.w3.org/1999/xhtml">${value}</div>`
  try {
    parseXml(content)
    return content
  } catch (error) {
    if (error instanceof XmlError) return undefined
    throw error
  }
}

/** An element that several feed customizations of a namespace may share: `geo/point`, `geo/point/@lat`. */
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

/**
 * Serializes values that are mapped to elements and attributes of other namespaces.
 *
 * @spec MS-ODATA 2.2.3.7.2.1 (FC_TargetPath of custom elements)
 */
function customElementsWriter(values: readonly MappedValue[]): {
  readonly elements: WriteRow
  readonly attributes: WriteRow
} {
  const namespaces = new Map<string, CustomNamespace>()
  for (const value of values) insertElement(value, namespaceOf(value, namespaces))
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

const RESERVED_PREFIXES: ReadonlySet<string> = new Set(['d', 'm', 'xml', 'xmlns'])

function namespaceOf({ mapping }: MappedValue, known: Map<string, CustomNamespace>): CustomNamespace {
  const uri = mapping.namespaceUri ?? ''
  let namespace = known.get(uri)
  if (namespace === undefined) {
    const wanted = mapping.namespacePrefix
    const taken = [...known.values()].some(({ prefix }) => prefix === wanted)
    const prefix =
      wanted === undefined || taken || RESERVED_PREFIXES.has(wanted) ? `cf${known.size + 1}` : wanted
    const declaration = ` xmlns:${prefix}="${escapeAttribute(uri)}"`
    namespace = { prefix, root: emptyElement(''), declaration }
    known.set(uri, namespace)
  }
  return namespace
}

function insertElement(value: MappedValue, { root }: CustomNamespace): void {
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

/** Omits elements whose values are all null. */
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

interface MappedValue {
  readonly mapping: FeedMapping
  readonly property: Property
  readonly read: ReadText
  /** The value before escaping; undefined when it is null. */
  readonly raw: (row: Row) => unknown
}

function mappedValue(type: EntityType, mapping: FeedMapping): MappedValue | undefined {
  const owners = mapping.sourcePath.slice(0, -1)
  let properties: { property(name: string): Property | undefined } = type
  for (const name of owners) {
    const complex = properties.property(name)?.type
    if (complex === undefined || isPrimitive(complex)) return undefined
    properties = complex
  }
  const property = properties.property(required(mapping.sourcePath.at(-1)))
  if (property === undefined || !isPrimitive(property.type)) return undefined
  const read = textReader(property)
  const owner = (row: Row): Row => {
    let value: Row = row
    for (const name of owners) value = (value[name] as Row | null | undefined) ?? {}
    return value
  }
  return {
    mapping,
    property,
    read: owners.length === 0 ? read : (row) => read(owner(row)),
    raw: (row) => owner(row)[property.name] ?? undefined,
  }
}

/** Formats a simple property as escaped text; undefined for null. */
type ReadText = (row: Row) => string | undefined

/** Creates a function that formats a property as XML text. Only strings can contain characters to escape. */
function textReader({ name, type, precision }: Property): ReadText {
  if (!isPrimitive(type)) throw new TypeError(`'${name}' is not a simple property.`)
  const write = formatText[type]
  if (type === 'Edm.String') {
    return (row) => {
      const value = row[name]
      return value === null || value === undefined ? undefined : escapeText(write(value))
    }
  }
  return (row) => {
    const value = row[name]
    return value === null || value === undefined ? undefined : write(value, precision)
  }
}
