import { nameOfType, isPrimitive } from '../../edm/edm-model.js'
import { didYouMean } from '../../errors/suggestions.js'
import {
  atomNamespace,
  dataNamespace,
  metadataNamespace,
  schemeNamespace,
  xmlNamespace,
} from '../../xml/namespaces.js'
import {
  attributeOf,
  childElements,
  childNamed,
  describeElement,
  ownText,
  textOf,
} from '../../xml/xml-element.js'
import { escapeAttribute } from '../../xml/escape-xml.js'
import {
  payloadError,
  unknownPropertyError,
  valueError,
  resolveEntityType,
  checkComplexType,
  complexNull,
} from '../payload-checks.js'
import type { PayloadReader, EntityPayload, ReadOptions } from '../payload.js'
import type { EntityType, ComplexType, Property } from '../../edm/edm-model.js'
import type { XmlElement, XmlAttribute } from '../../xml/xml-element.js'
import type { PropertyValues } from '../payload-checks.js'
import { readLinks } from './read-links.js'
import { propertyAt } from '../../edm/build/check-feed-mappings.js'
import type { FeedMapping, SyndicationTarget, FeedContentKind } from '../../edm/feed-mapping.js'
import { isSyndicationTarget } from '../../edm/feed-mapping.js'
import { parseInstant } from '../../edm/instant.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { dateTimeType } from '../../edm/primitive-types/date-time.js'
import { setMember } from '../../evaluation/row.js'
import { valueExamples, parseText } from '../plain-text.js'
import { truncate } from '../../util/describe-value.js'
import { parseXml, XmlError } from '../../xml/parse-xml.js'

/** @spec MS-ODATA 2.2.6.2 */
export const atomReader: PayloadReader = {
  entity(text, type, options) {
    const entry = parseXmlBody(text)
    if (entry.name === 'entry' && entry.namespace === atomNamespace)
      return readEntry(entry, type, '', options)
    throw payloadError(
      `The body must be an element <entry> of the namespace '${atomNamespace}', not ${describeElement(entry)}.`,
    )
  },
  property(text, property) {
    const { name, type } = property
    const element = parseXmlBody(text)
    if (element.name === name && element.namespace === dataNamespace) {
      return readProperty(element, property, '', false)
    }
    throw payloadError(
      `The body must be the value of '${name}' (${nameOfType(type)}) in an element <${name}> of the namespace ` +
        `'${dataNamespace}', not ${describeElement(element)}.${nameHint(element.name, name)}`,
    )
  },
  link(text) {
    const element = parseXmlBody(text)
    // A widespread client uses the metadata namespace.
    const isUri = element.name === 'uri' && [dataNamespace, metadataNamespace].includes(element.namespace)
    const uri = isUri && childElements(element).length === 0 ? ownText(element).trim() : ''
    if (uri !== '') return uri
    throw payloadError(`The body must be a link such as <uri xmlns="${dataNamespace}">Products(1)</uri>.`)
  },
}

function nameHint(serializeElement: string, name: string): string {
  return serializeElement === name ? '' : didYouMean(serializeElement, [name])
}

/**
 * Reads an `entry` element. Elements of Atom such as title and author are ignored unless a feed customization maps them.
 *
 * @param path of the entity; empty for the body itself
 * @spec MS-ODATA 2.2.6.2.2 (entity type as an Atom entry)
 */
function readEntry(
  entry: XmlElement,
  declared: EntityType,
  path: string,
  options: ReadOptions,
): EntityPayload {
  const children = childElements(entry).filter(({ namespace }) => namespace === atomNamespace)
  const typeName = termOf(children)
  const type =
    typeName === undefined ? (options.defaultType ?? declared) : resolveEntityType(declared, typeName, path)
  const prefix = path === '' ? '' : `${path}/`
  const values: PropertyValues = {}
  // Media link entries have `m:properties` outside of `content`; clients use either for both.
  for (const parent of [...children.filter(({ name }) => name === 'content'), entry]) {
    const properties = childNamed(parent, metadataNamespace, 'properties')
    if (properties !== undefined) readProperties(properties, type, prefix, options.ignoreUnknown, values)
  }
  readMappedValues(entry, type, prefix, values)
  const selves = addressesOf(children)
  return {
    typeName: typeName === undefined ? undefined : type.qualifiedName,
    uri: selves[0],
    values,
    links: readLinks(children, type, selves, prefix, options, readEntry),
  }
}

/** Returns the type name in the category of the data services scheme. */
function termOf(children: readonly XmlElement[]): string | undefined {
  const category = children.find(
    (child) => child.name === 'category' && attributeOf(child, 'scheme') === schemeNamespace,
  )
  const term = category === undefined ? undefined : attributeOf(category, 'term')?.trim()
  return term === '' ? undefined : term
}

/** Returns all URIs of an entry for itself, its id first. */
function addressesOf(children: readonly XmlElement[]): string[] {
  const ids = children.filter(({ name }) => name === 'id').map((id) => ownText(id).trim())
  const links = ['edit', 'self'].flatMap((relation) =>
    children
      .filter((child) => child.name === 'link' && attributeOf(child, 'rel') === relation)
      .map((link) => attributeOf(link, 'href')?.trim() ?? ''),
  )
  return [...ids, ...links].filter((address) => address !== '')
}

/** Paths of the syndication targets in an entry. */
const syndicationPaths: Readonly<Record<SyndicationTarget, readonly string[]>> = {
  SyndicationAuthorEmail: ['author', 'email'],
  SyndicationAuthorName: ['author', 'name'],
  SyndicationAuthorUri: ['author', 'uri'],
  SyndicationContributorEmail: ['contributor', 'email'],
  SyndicationContributorName: ['contributor', 'name'],
  SyndicationContributorUri: ['contributor', 'uri'],
  SyndicationPublished: ['published'],
  SyndicationRights: ['rights'],
  SyndicationSummary: ['summary'],
  SyndicationTitle: ['title'],
  SyndicationUpdated: ['updated'],
}

/**
 * Adds the values that feed customizations map out of the content. Values in the content take precedence: null differs
 * from an empty string only there, and clients may ignore the customizations.
 *
 * @param values the values of the content, to which the mapped values are added
 * @spec MS-ODATA 2.2.3.7.2.1 (customizable feeds)
 */
function readMappedValues(entry: XmlElement, type: EntityType, prefix: string, values: PropertyValues): void {
  for (const mapping of type.feedMappings) {
    if (mapping.keepInContent) continue
    const property = propertyAt(type, mapping.sourcePath)
    if (property === undefined || !isPrimitive(property.type) || hasAtPath(values, mapping.sourcePath))
      continue
    const text = mappedText(entry, mapping)
    if (text === undefined || (text === '' && !mayBeEmpty(property.type))) continue
    const path = prefix + mapping.sourcePath.join('/')
    setAtPath(values, mapping.sourcePath, parseMappedValue(text, property.type, mapping, path))
  }
}

/** Returns true if an empty element is a value of the type. Atom requires some elements even without value. */
function mayBeEmpty(type: PrimitiveTypeName): boolean {
  return type === 'Edm.String' || type === 'Edm.Binary'
}

function hasAtPath(values: PropertyValues, [name = '', ...rest]: readonly string[]): boolean {
  if (!Object.hasOwn(values, name)) return false
  return rest.length === 0 || hasAtPath(values[name] as PropertyValues, rest)
}

function setAtPath(values: PropertyValues, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    setMember(values, name, value)
    return
  }
  const members = (Object.hasOwn(values, name) ? values[name] : {}) as PropertyValues
  setMember(values, name, members)
  setAtPath(members, rest, value)
}

function parseMappedValue(
  text: string,
  type: PrimitiveTypeName,
  { targetPath }: FeedMapping,
  path: string,
): unknown {
  if (type === 'Edm.DateTime' && isSyndicationTarget(targetPath)) {
    // Atom dates have a time zone; an Edm.DateTime has none and is interpreted as UTC.
    const instant = parseInstant(text.trim())?.instant
    if (instant !== undefined) return dateTimeType.toValue(instant)
  }
  return parseSimpleValue(text, type, path)
}

/** Returns the text of the target of a mapping; undefined when it is absent. */
function mappedText(entry: XmlElement, mapping: FeedMapping): string | undefined {
  const { targetPath, contentKind, namespaceUri = '' } = mapping
  if (!isSyndicationTarget(targetPath)) return customText(entry, targetPath.split('/'), namespaceUri)
  let element: XmlElement | undefined = entry
  for (const name of syndicationPaths[targetPath]) {
    if (element !== undefined) element = childNamed(element, atomNamespace, name)
  }
  return element === undefined ? undefined : textConstruct(element, contentKind)
}

function customText(
  element: XmlElement,
  [name, ...rest]: readonly string[],
  namespace: string,
): string | undefined {
  if (name === undefined) return ownText(element)
  if (name.startsWith('@')) {
    return attributeOf(element, name.slice(1), namespace) ?? attributeOf(element, name.slice(1))
  }
  const child = childNamed(element, namespace, name)
  return child === undefined ? undefined : customText(child, rest, namespace)
}

const xhtmlNamespace = 'http://www.w3.org/1999/xhtml'

/** Elements without content; HTML requires an end tag for all others. */
const voidElements: ReadonlySet<string> = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta'])

/**
 * Returns the text of an Atom element. The content of an XHTML `div` is markup, or plain text for mappings of kind
 * `text`.
 *
 * @spec RFC 4287 3.1 (text constructs)
 */
function textConstruct(element: XmlElement, kind: FeedContentKind): string {
  const div =
    attributeOf(element, 'type') === 'xhtml' ? childNamed(element, xhtmlNamespace, 'div') : undefined
  if (div === undefined) return textOf(element)
  return kind === 'text' ? textOf(div) : serializeContent(div)
}

function serializeContent({ children, namespace }: XmlElement): string {
  return children
    .map((child) => (typeof child === 'string' ? escapeMarkup(child) : written(child, namespace)))
    .join('')
}

/** Serializes an element without prefix, so that it does not depend on declarations around it. */
function written(element: XmlElement, around: string): string {
  const { namespace, name, attributes } = element
  const declarations = [...(namespace === around ? [] : [['xmlns', namespace]]), ...prefixesOf(attributes)]
  const pairs = [
    ...declarations,
    ...attributes.map((one) => [one.prefix === '' ? one.name : `${one.prefix}:${one.name}`, one.value]),
  ]
  const start = name + pairs.map(([key = '', value = '']) => ` ${key}="${escapeAttribute(value)}"`).join('')
  const content = serializeContent(element)
  return content === '' && voidElements.has(name) ? `<${start}/>` : `<${start}>${content}</${name}>`
}

function prefixesOf(attributes: readonly XmlAttribute[]): string[][] {
  const prefixes = new Map<string, string>()
  for (const { prefix, namespace } of attributes) {
    if (prefix !== '' && namespace !== xmlNamespace) prefixes.set(`xmlns:${prefix}`, namespace)
  }
  return [...prefixes]
}

function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
}

/**
 * Reads the properties of `m:properties` or of a complex value. Ignores elements of other namespaces.
 *
 * @param prefix path of the element, with a trailing slash unless it is empty
 * @param values the object to add the values to
 * @spec MS-ODATA 2.2.6.2.2
 */
function readProperties(
  parent: XmlElement,
  type: EntityType | ComplexType,
  prefix: string,
  ignoreUnknown: boolean,
  values: PropertyValues,
): void {
  const given = new Set<Property>()
  for (const element of childElements(parent)) {
    if (element.namespace !== dataNamespace) continue
    const property = type.property(element.name)
    if (property === undefined) {
      if (!ignoreUnknown) throw unknownPropertyError(prefix, element.name, type)
      continue
    }
    if (given.has(property)) throw payloadError(`Duplicate property '${prefix}${property.name}'.`)
    given.add(property)
    setMember(values, property.name, readProperty(element, property, prefix, ignoreUnknown))
  }
}

function readProperty(
  element: XmlElement,
  { name, type }: Property,
  prefix: string,
  ignoreUnknown: boolean,
): unknown {
  const path = prefix + name
  const typeName = attributeOf(element, 'type', metadataNamespace)?.trim() ?? ''
  if (!isPrimitive(type)) {
    if (typeName !== '') checkComplexType(type, typeName, path)
    return readComplex(element, type, path, ignoreUnknown)
  }
  if (typeName !== '' && typeName !== type) {
    throw payloadError(
      `'${path}' is of type ${type}: write m:type="${type}" or omit it, instead of '${truncate(typeName)}'.`,
    )
  }
  return isNull(element) ? null : readSimple(element, type, path)
}

/** @spec MS-ODATA 2.2.6.2.4 (complex type as XML) */
function readComplex(element: XmlElement, type: ComplexType, path: string, ignoreUnknown: boolean): unknown {
  if (isNull(element)) return complexNull(type)
  const text = ownText(element).trim()
  if (text !== '') {
    throw valueError(path, type, 'an element for each member', `the text '${truncate(text)}'`)
  }
  const values: PropertyValues = {}
  readProperties(element, type, `${path}/`, ignoreUnknown, values)
  return values
}

function readSimple(element: XmlElement, type: PrimitiveTypeName, path: string): unknown {
  const [inner] = childElements(element)
  if (inner !== undefined) throw valueError(path, type, valueExamples[type], describeElement(inner))
  return parseSimpleValue(ownText(element), type, path)
}

/** Parses the text of an element. White space at the ends is only significant in strings. */
function parseSimpleValue(text: string, type: PrimitiveTypeName, path: string): unknown {
  const value = parseText(type, type === 'Edm.String' ? text : text.trim())
  if (value !== undefined) return value
  const found = text === '' ? `nothing; null is m:null="true"` : `'${truncate(text)}'`
  throw valueError(path, type, valueExamples[type], found)
}

function isNull(element: XmlElement): boolean {
  const value = attributeOf(element, 'null', metadataNamespace)?.trim()
  return value === 'true' || value === '1'
}

/** @throws ODataError BadRequest with line and column for malformed XML and for document type declarations */
function parseXmlBody(text: string): XmlElement {
  try {
    return parseXml(text)
  } catch (error) {
    if (error instanceof XmlError) throw payloadError(error.message)
    throw error
  }
}
