import { escapeAttribute } from '../../xml/escape-xml.js'
import type { FeedInfo, WriteContext } from '../format.js'

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
  // Atom demands an author of the feed or of each entry; without entries there is only the feed.
  const author = isEmpty ? '<author><name/></author>' : ''
  return (
    `<feed${declarations}><title type="text">${title}</title><id>${root}${path}</id><updated>${updated}</updated>` +
    `${author}<link rel="self" title="${title}" href="${path}"/>${count}`
  )
}

export function closeFeed(next: string | undefined): string {
  return next === undefined ? '</feed>' : `<link rel="next" href="${escapeAttribute(next)}"/></feed>`
}
