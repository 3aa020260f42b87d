import type { EntitySet, EntityType, NavigationProperty } from '../../edm/edm-model.js'
import type { EntryPart } from '../entry-template.js'
import { etagParts, text } from '../entry-template.js'
import type { Expansion, Projection } from '../../query/projection.js'
import { selectedNavigation, selectedProperties } from '../../query/projection.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import { escapeAttribute } from '../../xml/escape-xml.js'
import { relatedNamespace, schemeNamespace } from '../../xml/namespaces.js'
import { keyTokenWriter } from '../entity-address.js'
import type { StaticContext } from '../entry-steps.js'
import { entryWriters } from '../entry-writer.js'
import { nextExpandedQuery } from '../next-link.js'
import { feedCustomization } from './feed-customization.js'
import { propertyParts } from './properties.js'
import type { FeedChanges, FeedInfo, WriteContext } from '../format.js'

/**
 * Returns the entry writer of a projection.
 *
 * @spec MS-ODATA 2.2.6.2.2 (entity type as an Atom entry)
 */
export const entryWriter = entryWriters(entryTemplate, '')

const path: EntryPart = { kind: 'Path' }

/** The beginning of every entry. */
export const entryTag = '<entry'

function entryTemplate(
  projection: Projection,
  type: EntityType,
  { root, etags }: StaticContext,
): readonly EntryPart[] {
  const { set } = projection
  const { head, elements, attributes, elsewhere } = feedCustomization(type)
  const tag = etagParts({ set, type, etags }, '&quot;', (value) => ` m:etag="${escapeAttribute(value)}"`)
  const content = contentParts(set, type)
  return [
    text(entryTag),
    ...tag,
    ...attributes,
    text(`><id>${root}`),
    path,
    text('</id>'),
    ...head,
    ...content.link,
    text(`<link rel="edit" title="${type.name}" href="`),
    path,
    text('"/>'),
    ...selectedNavigation(projection, type).flatMap((one) => linkParts(one, projection)),
    text(`<category term="${type.qualifiedName}" scheme="${schemeNamespace}"/>`),
    ...content.opening,
    ...propertyParts(selectedProperties(projection, type), elsewhere),
    text(content.closing),
    ...elements,
    text('</entry>'),
  ]
}

interface Content {
  readonly link: readonly EntryPart[]
  readonly opening: readonly EntryPart[]
  readonly closing: string
}

const ordinary: Content = {
  link: [],
  opening: [text('<content type="application/xml"><m:properties>')],
  closing: '</m:properties></content>',
}

/**
 * Returns the parts of an entry's content. The content of a media link entry is its media resource; its properties
 * are outside of it.
 */
function contentParts(set: EntitySet, type: EntityType): Content {
  if (!type.hasStream) return ordinary
  const link: EntryPart = {
    kind: 'Computed',
    write(row, path, context) {
      const tag = context.media(set)?.etag?.(row)
      const tagAttribute = tag === undefined ? '' : ` m:etag="${escapeAttribute(tag)}"`
      return `<link rel="edit-media" title="${type.name}" href="${path}/$value"${tagAttribute}/>`
    },
  }
  const opening: EntryPart = {
    kind: 'Computed',
    write(row, path, context) {
      const contentType = context.media(set)?.contentType(row) ?? 'application/octet-stream'
      return `<content type="${escapeAttribute(contentType)}" src="${path}/$value"/><m:properties>`
    },
  }
  return { link: [link], opening: [opening], closing: '</m:properties>' }
}

function linkParts(navigation: NavigationProperty, projection: Projection): readonly EntryPart[] {
  const type = navigation.isCollection ? 'feed' : 'entry'
  const opening = text(
    `<link rel="${relatedNamespace}${navigation.name}" type="application/atom+xml;type=${type}" ` +
      `title="${navigation.name}" href="`,
  )
  const link = [opening, path, text(`/${percentEncode(navigation.name)}"`)]
  const position = projection.expansions.findIndex((one) => one.navigation === navigation)
  const expansion = projection.expansions[position]
  if (expansion === undefined) return [...link, text('/>')]
  const inline = navigation.isCollection ? inlineFeed(expansion, position) : inlineEntry(position)
  return [...link, text('>'), ...inline, text('</link>')]
}

/** @spec MS-ODATA 2.2.6.2.6.1 (inline representation) */
function inlineEntry(expansion: number): readonly EntryPart[] {
  return [
    {
      kind: 'InlineEntry',
      expansion,
      opening: '<m:inline>',
      closing: '</m:inline>',
      whenEmpty: '<m:inline/>',
    },
  ]
}

function inlineFeed(
  { navigation, projection, expandText, selectText }: Expansion,
  expansion: number,
): readonly EntryPart[] {
  const writeToken = keyTokenWriter(projection.entityType)
  const name = percentEncode(navigation.name)
  const feed: EntryPart = {
    kind: 'InlineFeed',
    expansion,
    open: (path, context, isEmpty) =>
      openFeed(
        { title: navigation.name, path: `${path}/${name}`, inlineCount: undefined, isEmpty },
        context,
        '',
      ),
    close: () => closeFeed(undefined),
    closingOfTruncated(path, last, { root, sign }) {
      const link = `${root}${path}/${name}?${nextExpandedQuery(expandText, selectText, writeToken(last))}`
      return closeFeed(sign === undefined ? link : sign(link))
    },
  }
  return [text('<m:inline>'), feed, text('</m:inline>')]
}

/**
 * Serializes the beginning of a feed, before its entries.
 *
 * @param declarations namespace declarations of a root element
 * @spec MS-ODATA 2.2.6.2.1 (entity set as an Atom feed)
 */
export function openFeed(
  { title, path, inlineCount, isEmpty }: FeedInfo,
  { root, updated }: WriteContext,
  declarations: string,
): string {
  const count = inlineCount === undefined ? '' : `<m:count>${inlineCount}</m:count>`
  // Atom requires an author in the feed or in each entry.
  const author = isEmpty ? '<author><name/></author>' : ''
  return (
    `<feed${declarations}><title type="text">${title}</title><id>${root}${path}</id><updated>${updated}</updated>` +
    `${author}<link rel="self" title="${title}" href="${path}"/>${count}`
  )
}

export function closeFeed(next: string | undefined): string {
  return next === undefined ? '</feed>' : `<link rel="next" href="${escapeAttribute(next)}"/></feed>`
}

/** Returns the end of a feed of a tracked set: its removed entities, and the links. @spec RFC 6721 */
export function closeDelta(next: string | undefined, { deltaLink, removed }: FeedChanges): string {
  const tombstones = removed.map(
    ({ id, when }) => `<at:deleted-entry ref="${escapeAttribute(id)}" when="${when}"/>`,
  )
  const delta = deltaLink === undefined ? '' : `<link rel="delta" href="${escapeAttribute(deltaLink)}"/>`
  return `${tombstones.join('')}${delta}${closeFeed(next)}`
}
