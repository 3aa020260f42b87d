import { propertyAt } from '../../edm/build/check-feed-mappings.js'
import type { EntityType } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { FeedMapping, SyndicationTarget } from '../../edm/feed-mapping.js'
import { isSyndicationTarget } from '../../edm/feed-mapping.js'
import { parseInstant } from '../../edm/instant.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { dateTimeType } from '../../edm/primitive-types/date-time.js'
import { setMember } from '../../evaluation/row.js'
import { atomNamespace } from '../../xml/namespaces.js'
import type { XmlElement } from '../../xml/xml-element.js'
import { attributeOf } from '../../xml/xml-element.js'
import type { ReadValues } from '../payload-values.js'
import { simpleValue } from './read-properties.js'
import { textConstruct } from './read-text-construct.js'
import { childNamed, ownText } from './read-xml.js'

/** Where in an entry the value of a syndication target stands. */
const places: Readonly<Record<SyndicationTarget, readonly string[]>> = {
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
 * Adds the values that feed customisations have moved out of the content. A value that stands in the content all the
 * same counts more: so null can be told from an empty text, and clients that know nothing of customisations can write.
 *
 * @param values what the content has; the values are added to it
 * @spec MS-ODATA 2.2.3.7.2.1 (customizable feeds)
 */
export function readMappedValues(
  entry: XmlElement,
  type: EntityType,
  prefix: string,
  values: ReadValues,
): void {
  for (const mapping of type.feedMappings) {
    if (mapping.keepInContent) continue
    const property = propertyAt(type, mapping.sourcePath)
    if (property === undefined || !isPrimitive(property.type) || isPresent(values, mapping.sourcePath))
      continue
    const text = mappedText(entry, mapping)
    if (text === undefined || (text === '' && !mayBeEmpty(property.type))) continue
    const path = prefix + mapping.sourcePath.join('/')
    place(values, mapping.sourcePath, valueOf(text, property.type, mapping, path))
  }
}

/** Atom demands some elements also where there is nothing to say. */
function mayBeEmpty(type: PrimitiveTypeName): boolean {
  return type === 'Edm.String' || type === 'Edm.Binary'
}

function isPresent(values: ReadValues, [name = '', ...rest]: readonly string[]): boolean {
  if (!Object.hasOwn(values, name)) return false
  return rest.length === 0 || isPresent(values[name] as ReadValues, rest)
}

function place(values: ReadValues, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    setMember(values, name, value)
    return
  }
  const members = (Object.hasOwn(values, name) ? values[name] : {}) as ReadValues
  setMember(values, name, members)
  place(members, rest, value)
}

function valueOf(text: string, type: PrimitiveTypeName, { targetPath }: FeedMapping, path: string): unknown {
  if (type === 'Edm.DateTime' && isSyndicationTarget(targetPath)) {
    // Atom dates have a zone; an Edm.DateTime has none and counts as UTC.
    const instant = parseInstant(text.trim())?.instant
    if (instant !== undefined) return dateTimeType.toValue(instant)
  }
  return simpleValue(text, type, path)
}

/** The text that stands at the target of a mapping; undefined when there is no such place. */
function mappedText(entry: XmlElement, mapping: FeedMapping): string | undefined {
  const { targetPath, contentKind, namespaceUri = '' } = mapping
  if (!isSyndicationTarget(targetPath)) return customText(entry, targetPath.split('/'), namespaceUri)
  let element: XmlElement | undefined = entry
  for (const name of places[targetPath]) {
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
