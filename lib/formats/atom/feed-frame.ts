import { escapeAttribute } from '../../xml/escape-xml.js'
import type { EntryPart } from '../entry-template.js'
import type { FeedInfo, WriteContext } from '../format.js'
import { text } from '../template-writer.js'

/**
 * A feed up to its first entry.
 *
 * @param declarations namespaces to declare, when the feed is the root of its document
 * @spec MS-ODATA 2.2.6.2.1 (entity set as an Atom feed)
 */
export function openFeed(
  { title, path, inlineCount, isEmpty }: FeedInfo,
  { root, updated }: WriteContext,
  declarations: string,
): string {
  const count = inlineCount === undefined ? '' : `<m:count>${inlineCount}</m:count>`
  const [start, afterId, afterUpdated, end] = frame(title, isEmpty)
  return `<feed${declarations}>${start}${root}${path}${afterId}${updated}${afterUpdated}${path}${end}${count}`
}

/** What stands around the addresses and the time. */
function frame(title: string, isEmpty: boolean): readonly [string, string, string, string] {
  // Atom demands an author of the feed or of each entry; without entries there is only the feed.
  const author = isEmpty ? '<author><name/></author>' : ''
  return [
    `<title type="text">${title}</title><id>`,
    '</id><updated>',
    `</updated>${author}<link rel="self" title="${title}" href="`,
    '"/>',
  ]
}

/**
 * The same for the feed that is inline in an entry.
 *
 * @param name the navigation property as it stands in addresses
 */
export function inlineFeedOpening(title: string, name: string, isEmpty: boolean): readonly EntryPart[] {
  const [start, afterId, afterUpdated, end] = frame(title, isEmpty)
  const path: readonly EntryPart[] = [{ kind: 'Path' }, text(`/${name}`)]
  return [
    text(`<feed>${start}`),
    { kind: 'Root' },
    ...path,
    text(afterId),
    { kind: 'Updated' },
    text(afterUpdated),
    ...path,
    text(end),
  ]
}

export function closeFeed(next: string | undefined): string {
  return next === undefined ? '</feed>' : `<link rel="next" href="${escapeAttribute(next)}"/></feed>`
}
