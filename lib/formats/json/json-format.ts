import type { Format, FeedChanges, FeedInfo, FeedWriter, WriteContext } from '../format.js'
import { entryWriter } from './entry.js'
import { jsonString } from './values.js'
import { valueText } from './properties.js'
import { jsonReader } from './read-document.js'
import { entitySetsOf } from '../../edm/edm-model.js'
import type { ODataError } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import type { Projection } from '../../query/projection.js'
import { required } from '../../util/required.js'

/**
 * Verbose JSON, in one line. The object `d` around each document prevents JSON hijacking.
 *
 * @spec MS-ODATA 2.2.6.3
 */
export const jsonFormat: Format = {
  name: 'json',
  read: jsonReader,
  serviceDocument(model) {
    const sets = entitySetsOf(model)
    return `{"d":{"EntitySets":[${sets.map(({ path }) => jsonString(path)).join(',')}]}}`
  },
  feed: feedWriter,
  entry: (projection, batch, context) => `{"d":${entryWriter(projection).write(batch, 0, true, context)}}`,
  value: ({ name, type }, content, context) => `{"d":{"${name}":${valueText(type, content, context)}}}`,
  values({ type }, contents, context) {
    const texts = contents.map((content) => valueText(type, content, context))
    return openList({}, context) + texts.join(',') + closeList(undefined, context)
  },
  link: (uri) => `{"d":{"uri":${jsonString(uri)}}}`,
  links: linksWriter,
  error: errorDocument,
}

/** @spec MS-ODATA 2.2.8.1 */
function errorDocument({ code, upstreamCode, message, innererror }: ODataError, language: string): string {
  const error = { code: upstreamCode ?? code, message: { lang: language, value: message } }
  if (innererror === undefined) return JSON.stringify({ error })
  try {
    return JSON.stringify({ error: { ...error, innererror } }, bigintAsText)
  } catch {
    // Circular values, and getters that throw, cannot be serialized: report the error itself.
    return JSON.stringify({ error })
  }
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

/** @spec MS-ODATA 2.2.6.3.2 */
function feedWriter(projection: Projection): FeedWriter {
  const { write, writeBytes } = entryWriter(projection)
  return { open: openList, entry: write, entryBytes: writeBytes, close: closeList }
}

/** @spec MS-ODATA 2.2.6.3.12 */
function linksWriter(writePath: (row: Row) => string): FeedWriter {
  return {
    open: openList,
    entry: ({ rows }, index, isFirst, { root }) =>
      `${isFirst ? '' : ','}{"uri":${jsonString(root + writePath(required(rows[index])))}}`,
    close: closeList,
  }
}

/** Returns the start of a collection. In version 1.0 it is an array, without count and next link. */
function openList({ inlineCount }: Partial<FeedInfo>, { version }: WriteContext): string {
  if (version === '1.0') return '{"d":['
  return inlineCount === undefined ? '{"d":{"results":[' : `{"d":{"__count":"${inlineCount}","results":[`
}

function closeList(next: string | undefined, { version }: WriteContext, changes?: FeedChanges): string {
  if (version === '1.0') return ']}'
  if (changes !== undefined) return closeChanges(next, changes)
  return next === undefined ? ']}}' : `],"__next":${jsonString(next)}}}`
}

/** Returns the end of a feed of a tracked set. Apache Olingo recognizes a tombstone by its first member. */
function closeChanges(next: string | undefined, { deltaLink, isEmpty, path, removed }: FeedChanges): string {
  const context = jsonString(`$metadata#${path}/$deletedEntity`)
  const tombstones = removed.map(({ id }) => `{"@odata.context":${context},"id":${jsonString(id)}}`)
  const separator = isEmpty || removed.length === 0 ? '' : ','
  const nextLink = next === undefined ? '' : `,"__next":${jsonString(next)}`
  const delta = deltaLink === undefined ? '' : `,"__delta":${jsonString(deltaLink)}`
  return `${separator}${tombstones.join(',')}]${nextLink}${delta}}}`
}
