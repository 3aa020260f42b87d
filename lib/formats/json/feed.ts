import type { Projection } from '../../query/projection.js'
import type { FeedWriter, LinksWriter } from '../format.js'
import { entryWriter } from './entry.js'
import { jsonString } from './json-string.js'

/** Feeds in the shape of the version that is spoken. @spec MS-ODATA 2.2.6.3.2 */
export function feedWriter(projection: Projection): FeedWriter {
  const write = entryWriter(projection)
  return {
    open: ({ inlineCount }, { version }) => openList(inlineCount, version),
    entry: (batch, index, isFirst, context) => (isFirst ? '' : ',') + write(batch, index, context),
    close: (next, { version }) => closeList(next, version),
  }
}

/** @spec MS-ODATA 2.2.6.3.12 */
export const linksWriter: LinksWriter = {
  open: (inlineCount, { version }) => openList(inlineCount, version),
  link: (uri, isFirst) => `${isFirst ? '' : ','}{"uri":${jsonString(uri)}}`,
  close: (next, { version }) => closeList(next, version),
}

/** In version 1 a collection is a bare array, which has no room for a count or a next link. */
export function openList(inlineCount: number | undefined, version: '1.0' | '2.0'): string {
  if (version === '1.0') return '{"d":['
  return inlineCount === undefined ? '{"d":{"results":[' : `{"d":{"__count":"${inlineCount}","results":[`
}

export function closeList(next: string | undefined, version: '1.0' | '2.0'): string {
  if (version === '1.0') return ']}'
  return next === undefined ? ']}}' : `],"__next":${jsonString(next)}}}`
}
