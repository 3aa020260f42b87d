import type { EntityType, NavigationProperty } from '../../edm/edm-model.js'
import { targetTypeOf } from '../../edm/model-view.js'
import { getOrCreate } from '../../util/get-or-create.js'
import { atomNamespace, metadataNamespace, relatedNamespace } from '../../xml/namespaces.js'
import type { XmlElement } from '../../xml/xml-element.js'
import { attributeOf, childElements, childNamed, describeElement } from '../../xml/xml-element.js'
import { optionsForInline, payloadError, unknownPropertyError, isSelfLink } from '../payload-checks.js'
import { toCollectionLink } from '../payload.js'
import type { EntityPayload, LinkPayload, ReadOptions } from '../payload.js'

/** Reads an inline entry. */
type ReadEntry = (
  entry: XmlElement,
  declared: EntityType,
  path: string,
  options: ReadOptions,
) => EntityPayload

/**
 * Reads the links of the navigation properties of an entry.
 *
 * @param children the Atom elements of the entry
 * @param selves URIs of the entry for itself
 * @spec MS-ODATA 2.2.6.2.5 (navigation property), 2.2.6.2.6 (inline representation)
 */
export function readLinks(
  children: readonly XmlElement[],
  type: EntityType,
  selves: readonly string[],
  prefix: string,
  options: ReadOptions,
  readEntry: ReadEntry,
): ReadonlyMap<string, LinkPayload> {
  const gathered = new Map<NavigationProperty, LinkPayload[]>()
  for (const element of children) {
    const navigation = navigationOf(element, type, prefix, options)
    if (navigation === undefined) continue
    const path = prefix + navigation.name
    const inline = childNamed(element, metadataNamespace, 'inline')
    const link =
      inline === undefined
        ? boundLink(element, navigation, path, selves, options)
        : inlineLink(inline, navigation, targetTypeOf(type, navigation), path, options, readEntry)
    if (link === undefined) continue
    getOrCreate(gathered, navigation, (): LinkPayload[] => []).push(link)
  }
  return new Map(
    [...gathered].map(([navigation, links]) => [
      navigation.name,
      mergeLinks(links, navigation, prefix + navigation.name),
    ]),
  )
}

/** @returns undefined for links of other relations, and for ignored unknown names */
function navigationOf(
  element: XmlElement,
  type: EntityType,
  prefix: string,
  { ignoreUnknown }: ReadOptions,
): NavigationProperty | undefined {
  const relation = element.name === 'link' ? (attributeOf(element, 'rel')?.trim() ?? '') : ''
  if (!relation.startsWith(relatedNamespace)) return undefined
  const name = relation.slice(relatedNamespace.length)
  const navigation = type.navigationProperty(name)
  if (navigation === undefined && !ignoreUnknown) throw unknownPropertyError(prefix, name, type)
  return navigation
}

/** @returns undefined for a link that is copied from a response */
function boundLink(
  element: XmlElement,
  { name }: NavigationProperty,
  path: string,
  selves: readonly string[],
  { service }: ReadOptions,
): LinkPayload | undefined {
  const uri = attributeOf(element, 'href')?.trim() ?? ''
  if (uri === '') throw payloadError(`The link '${path}' must have the URI of an entity in its href.`)
  return isSelfLink(uri, name, selves, service) ? undefined : { kind: 'Bind', uris: [uri] }
}

function inlineLink(
  inline: XmlElement,
  { isCollection }: NavigationProperty,
  targetType: EntityType,
  path: string,
  options: ReadOptions,
  readEntry: ReadEntry,
): LinkPayload {
  const content = childElements(inline).find(({ namespace }) => namespace === atomNamespace)
  if (content === undefined) return isCollection ? { kind: 'Inline', entities: [] } : { kind: 'Unlink' }
  const wanted = isCollection ? 'feed' : 'entry'
  if (content.name !== wanted) {
    const target = isCollection ? 'a collection' : 'single-valued'
    throw payloadError(`'${path}' is ${target}: write <${wanted}>, not ${describeElement(content)}.`)
  }
  const entries = isCollection ? entriesOf(content) : [content]
  const uris: string[] = []
  const entities: EntityPayload[] = []
  for (const [index, entry] of entries.entries()) {
    const place = isCollection ? `${path}[${index}]` : path
    const entity = readEntry(entry, targetType, place, optionsForInline(options, place))
    if (isReference(entry, entity)) uris.push(entity.uri)
    else entities.push(entity)
  }
  return toCollectionLink(uris, entities)
}

/**
 * Returns true if an inline entry refers to an existing entity: it has an id and no properties. datajs writes links
 * in this form. New entries have ids of other schemes, such as `urn:uuid:`.
 */
function isReference(entry: XmlElement, entity: EntityPayload): entity is EntityPayload & { uri: string } {
  if (entity.uri === undefined || entity.links.size > 0 || otherScheme.test(entity.uri)) return false
  const parents = [entry, ...childElements(entry).filter(({ name }) => name === 'content')]
  return parents.every((parent) => {
    const properties = childNamed(parent, metadataNamespace, 'properties')
    return properties === undefined || childElements(properties).length === 0
  })
}

const otherScheme = /^(?!https?:)[a-z][a-z0-9+.-]*:/i

function entriesOf(feed: XmlElement): XmlElement[] {
  return childElements(feed).filter(({ namespace, name }) => namespace === atomNamespace && name === 'entry')
}

/** Merges the link elements of one navigation property. */
function mergeLinks(
  links: readonly LinkPayload[],
  { isCollection }: NavigationProperty,
  path: string,
): LinkPayload {
  const [first, ...others] = links
  if (first !== undefined && others.length === 0) return first
  if (!isCollection) throw payloadError(`'${path}' is single-valued: write one link, not several.`)
  const uris = links.flatMap((link) => ('uris' in link ? link.uris : []))
  const entities = links.flatMap((link) => ('entities' in link ? link.entities : []))
  return toCollectionLink(uris, entities)
}
