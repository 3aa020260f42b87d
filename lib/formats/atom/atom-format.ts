import type { Format, FeedWriter, WriteContext, NamedValue } from '../format.js'
import { closeDelta, closeFeed, entryTag, entryWriter, openFeed } from './entry.js'
import { atomReader } from './read-document.js'
import type { Projection } from '../../query/projection.js'
import { escapeText } from '../../xml/escape-xml.js'
import {
  dataNamespace,
  metadataNamespace,
  appNamespace,
  atomNamespace,
  tombstoneNamespace,
} from '../../xml/namespaces.js'
import type { ODataError } from '../../errors/odata-error.js'
import type { EdmModel, ComplexType } from '../../edm/edm-model.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { Row } from '../../evaluation/row.js'
import { required } from '../../util/required.js'
import { formatText } from '../plain-text.js'
import { preserveSpace } from './properties.js'

const xmlDeclaration = '<?xml version="1.0" encoding="utf-8"?>'

const declareData = ` xmlns="${dataNamespace}"`

const declareMetadata = ` xmlns:m="${metadataNamespace}"`

const declareTombstones = ` xmlns:at="${tombstoneNamespace}"`

const elementName = /^[A-Za-z_][\w.-]*$/

/** @spec MS-ODATA 2.2.6.2.9 (links as XML) */
function linksWriter(writePath: (row: Row) => string): FeedWriter {
  return {
    open({ inlineCount }) {
      const opening = `${xmlDeclaration}<links xmlns="${dataNamespace}"`
      if (inlineCount === undefined) return `${opening}>`
      return `${opening} xmlns:m="${metadataNamespace}"><m:count>${inlineCount}</m:count>`
    },
    entry: ({ rows }, index, _isFirst, { root }) =>
      `<uri>${escapeText(root + writePath(required(rows[index])))}</uri>`,
    close: (next) => (next === undefined ? '</links>' : `<next>${escapeText(next)}</next></links>`),
  }
}

/**
 * Atom for entities, and plain XML for other documents. There is no white space between elements.
 *
 * @spec MS-ODATA 2.2.6.2
 */
export const atomFormat: Format = {
  name: 'atom',
  read: atomReader,
  serviceDocument,
  feed: feedWriter,
  entry(projection, batch, context) {
    const entry = entryWriter(projection).write(batch, 0, true, context)
    return xmlDeclaration + entryTag + atomDeclarations(context) + entry.slice(entryTag.length)
  },
  value: valueDocument,
  values: valuesDocument,
  link: linkDocument,
  links: linksWriter,
  error: errorDocument,
}

/** @spec MS-ODATA 2.2.6.2.1 (entity set as an Atom feed) */
function feedWriter(projection: Projection): FeedWriter {
  const { write, writeBytes } = entryWriter(projection)
  return {
    open: (info, context) =>
      xmlDeclaration +
      openFeed(info, context, atomDeclarations(context) + (info.isDelta === true ? declareTombstones : '')),
    entry: write,
    entryBytes: writeBytes,
    close: (next, _context, changes) => (changes === undefined ? closeFeed(next) : closeDelta(next, changes)),
  }
}

function linkDocument(uri: string): string {
  return `${xmlDeclaration}<uri xmlns="${dataNamespace}">${escapeText(uri)}</uri>`
}

/** @spec MS-ODATA 2.2.8.2 */
function errorDocument({ code, upstreamCode, message, innererror }: ODataError, language: string): string {
  const inner = innererror === undefined ? '' : innerError(innererror)
  return (
    `${xmlDeclaration}<error xmlns="${metadataNamespace}"><code>${escapeText(upstreamCode ?? code)}</code>` +
    `<message xml:lang="${language}">${escapeText(message)}</message>${inner}</error>`
  )
}

function innerError(data: unknown): string {
  try {
    return `<innererror>${contentOf(data)}</innererror>`
  } catch {
    // Circular values, and getters that throw, cannot be serialized: report the error itself.
    return ''
  }
}

/**
 * Serializes plain data: each member is an element, and so is each item of an array, with the name of the array. The
 * messages of `errordetails` are in one element, each in an `errordetail`, as SAP clients expect.
 */
function contentOf(data: unknown): string {
  if (typeof data === 'string') return escapeText(data)
  if (typeof data === 'number' || typeof data === 'boolean' || typeof data === 'bigint') return String(data)
  if (typeof data !== 'object' || data === null) return ''
  return Object.entries(data)
    .filter(([name, value]) => elementName.test(name) && value !== undefined)
    .flatMap(([name, value]) =>
      name === 'errordetails' && Array.isArray(value)
        ? element(name, contentOf({ errordetail: value as unknown[] }))
        : (Array.isArray(value) ? value : [value]).map((one) => element(name, contentOf(one))),
    )
    .join('')
}

function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`
}

/** @spec MS-ODATA 2.2.6.2.7, RFC 5023 8 */
function serviceDocument(model: EdmModel, { root }: WriteContext): string {
  const collections = model.entityContainers.flatMap(({ entitySets }) =>
    entitySets.map(
      ({ path }) => `<collection href="${percentEncode(path)}"><atom:title>${path}</atom:title></collection>`,
    ),
  )
  return (
    `${xmlDeclaration}<service xml:base="${root}" xmlns="${appNamespace}" xmlns:atom="${atomNamespace}">` +
    `<workspace><atom:title>Default</atom:title>${collections.join('')}</workspace></service>`
  )
}

/**
 * Serializes a document whose root element is the property. The data namespace is the default namespace.
 *
 * @spec MS-ODATA 2.2.6.2.3, 2.2.6.2.4 (properties as XML)
 */
function valueDocument({ name, type, precision }: NamedValue, content: unknown): string {
  const needsMetadata = type !== 'Edm.String' || content === null || content === undefined
  const declarations = declareData + (needsMetadata ? declareMetadata : '')
  return xmlDeclaration + valueElement(name, type, precision, content, declarations)
}

/** @spec MS-ODATA 2.2.6.2.6 */
function valuesDocument({ name, type, precision }: NamedValue, contents: readonly unknown[]): string {
  const isNamed = !isPrimitive(type)
  const hasNull = contents.some((content) => content === null || content === undefined)
  const declarations = declareData + (isNamed || hasNull ? declareMetadata : '')
  const elements = contents.map((content) => elementOf(type, precision, content))
  return `${xmlDeclaration}<${name}${declarations}>${elements.join('')}</${name}>`
}

/** Serializes an element of a collection. Simple values have no `m:type`: the function import declares it. */
function elementOf(
  type: PrimitiveTypeName | ComplexType,
  precision: number | undefined,
  content: unknown,
): string {
  if (!isPrimitive(type)) return valueElement('element', type, precision, content, '')
  if (content === null || content === undefined) return '<element m:null="true"/>'
  const text = escapeText(formatText[type](content, precision))
  return `<element${preserveSpace(text)}>${text}</element>`
}

function valueElement(
  name: string,
  type: PrimitiveTypeName | ComplexType,
  precision: number | undefined,
  content: unknown,
  declarations: string,
): string {
  if (!isPrimitive(type)) {
    const row = (content as Row | null | undefined) ?? {}
    const members = type.properties.map((member) =>
      valueElement(member.name, member.type, member.precision, row[member.name], ''),
    )
    return `<${name}${declarations} m:type="${type.qualifiedName}">${members.join('')}</${name}>`
  }
  const typed = type === 'Edm.String' ? '' : ` m:type="${type}"`
  if (content === null || content === undefined) return `<${name}${declarations}${typed} m:null="true"/>`
  const text = escapeText(formatText[type](content, precision))
  return `<${name}${declarations}${typed}${preserveSpace(text)}>${text}</${name}>`
}

function atomDeclarations({ root }: WriteContext): string {
  return ` xml:base="${root}" xmlns="${atomNamespace}" xmlns:d="${dataNamespace}" xmlns:m="${metadataNamespace}"`
}
