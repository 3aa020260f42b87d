import type { MediaRange } from '../../formats/media-range.js'
import { parseAccept } from '../../formats/media-range.js'

/** What the service document is offered in. */
const documents = [
  ['application', 'atomsvc+xml'],
  ['application', 'atom+xml'],
  ['application', 'xml'],
  ['text', 'xml'],
  ['application', 'json'],
] as const

/**
 * Whether a client would rather have a page than a document of the service. It has to name `text/html`, with a quality
 * that nothing of the protocol reaches; where both are named alike, it is no browser.
 *
 * @param accept the `Accept` header
 * @spec RFC 9110 12.5.1
 */
export function asksForHtml(accept: string | undefined): boolean {
  if (accept?.includes('text/html') !== true) return false
  const ranges = parseAccept(accept) ?? []
  const html = ranges.find(({ type, subtype }) => type === 'text' && subtype === 'html')
  if (html === undefined || html.quality === 0) return false
  return documents.every(([type, subtype]) => !isWantedAsMuch(html, ranges, type, subtype))
}

/** `*` stands for whatever comes, and is no wish of its own. */
function isWantedAsMuch(
  html: MediaRange,
  ranges: readonly MediaRange[],
  type: string,
  subtype: string,
): boolean {
  const named = ranges.filter((range) => range.type === type && range.subtype === subtype)
  const wide = ranges.filter((range) => range.type === type && range.subtype === '*')
  if (named.length > 0) return named.some(({ quality }) => quality >= html.quality)
  return wide.some(({ quality }) => quality > html.quality)
}
