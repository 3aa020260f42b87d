import type { EntitySet, EntityType, NavigationProperty } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import type { ExpandedRows, RowBatch } from '../../provider/row-batch.js'
import type { Expansion, Projection } from '../../query/projection.js'
import { selectedNavigation, selectedProperties } from '../../query/projection.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import type { WriteRow } from '../entity-address.js'
import { entityPathWriter, keyTokenWriter } from '../entity-address.js'
import { entityTagWriter } from '../entity-tag.js'
import type { WriteContext } from '../format.js'
import { nextExpandedQuery } from '../next-link.js'
import type { WriteEntry } from '../writers-by-type.js'
import { writersByType } from '../writers-by-type.js'
import { jsonString } from './json-string.js'
import type { WriteMember } from './properties.js'
import { memberWriters } from './properties.js'

/**
 * The writer of entries of a projection, specialised for its types and made once.
 *
 * @spec MS-ODATA 2.2.6.3.3 (entity type as a JSON object)
 */
export const entryWriter = writersByType(writerForType)

function writerForType(projection: Projection, type: EntityType): WriteEntry {
  const { set } = projection
  const writePath = entityPathWriter(set)
  const writeMetadata = metadataWriter(set, type)
  const members = memberWriters(selectedProperties(projection, type))
  const links = selectedNavigation(projection, type).map((navigation) =>
    navigationWriter(navigation, projection),
  )
  return (batch, index, context) => {
    // The index is one of the batch's own.
    const row = batch.rows[index] as Row
    const uri = context.root + writePath(row)
    return (
      writeMetadata(row, uri, context) +
      dataText(members, row, context) +
      linksText(links, batch, index, uri, context) +
      '}'
    )
  }
}

function dataText(members: readonly WriteMember[], row: Row, context: WriteContext): string {
  let text = ''
  for (const write of members) text += write(row, context)
  return text
}

type WriteLink = (batch: RowBatch, index: number, uri: string, context: WriteContext) => string

function linksText(
  links: readonly WriteLink[],
  batch: RowBatch,
  index: number,
  uri: string,
  context: WriteContext,
): string {
  let text = ''
  for (const write of links) text += write(batch, index, uri, context)
  return text
}

type WriteMetadata = (row: Row, uri: string, context: WriteContext) => string

/** `{"__metadata":{…}`: the object stays open. */
function metadataWriter(set: EntitySet, type: EntityType): WriteMetadata {
  const typePart = `","type":"${type.qualifiedName}"`
  const writeTag = entityTagWriter(type)
  const writeTagPart =
    writeTag === undefined ? undefined : (row: Row) => `,"etag":${jsonString(writeTag(row))}`
  if (!type.hasStream) {
    if (writeTagPart === undefined) return (_row, uri) => `{"__metadata":{"uri":"${uri}${typePart}}`
    return (row, uri) => `{"__metadata":{"uri":"${uri}${typePart}${writeTagPart(row)}}`
  }
  return (row, uri, context) =>
    `{"__metadata":{"uri":"${uri}${typePart}${writeTagPart?.(row) ?? ''}${mediaPart(set, row, uri, context)}}`
}

/** Only media link entries have these members. */
function mediaPart(set: EntitySet, row: Row, uri: string, context: WriteContext): string {
  const media = context.media(set)
  const contentType = media?.contentType(row) ?? 'application/octet-stream'
  const tag = media?.etag?.(row)
  const source = `"${uri}/$value"`
  const tagPart = tag === undefined ? '' : `,"media_etag":${jsonString(tag)}`
  return `,"content_type":${jsonString(contentType)},"media_src":${source},"edit_media":${source}${tagPart}`
}

function navigationWriter(navigation: NavigationProperty, projection: Projection): WriteLink {
  const label = `,"${navigation.name}":`
  const position = projection.expansions.findIndex((one) => one.navigation === navigation)
  const expansion = projection.expansions[position]
  if (expansion === undefined) {
    const name = percentEncode(navigation.name)
    return (_batch, _index, uri) => `${label}{"__deferred":{"uri":"${uri}/${name}"}}`
  }
  const writeInline = navigation.isCollection ? inlineFeed(expansion) : inlineEntry(expansion)
  return (batch, index, uri, context) => {
    const expanded = batch.expansions[position] as ExpandedRows
    return label + writeInline(expanded, index, uri, context)
  }
}

type WriteInline = (expanded: ExpandedRows, index: number, uri: string, context: WriteContext) => string

function inlineEntry({ projection }: Expansion): WriteInline {
  const write = entryWriter(projection)
  return ({ batch, starts }, index, _uri, context) => {
    const [start, end] = boundsOf(starts, index)
    return start === end ? 'null' : write(batch, start, context)
  }
}

function inlineFeed({ navigation, projection, expandText, selectText }: Expansion): WriteInline {
  const write = entryWriter(projection)
  const name = percentEncode(navigation.name)
  const writeToken: WriteRow = keyTokenWriter(projection.entityType)
  return ({ batch, starts, cut }, index, uri, context) => {
    const [start, end] = boundsOf(starts, index)
    let text = ''
    for (let child = start; child < end; child++)
      text += (child === start ? '' : ',') + write(batch, child, context)
    if (context.version === '1.0') return `[${text}]`
    if (!cut.has(index)) return `{"results":[${text}]}`
    const token = writeToken(batch.rows[end - 1] as Row)
    const query = nextExpandedQuery(expandText, selectText, token)
    return `{"results":[${text}],"__next":${jsonString(`${uri}/${name}?${query}`)}}`
  }
}

function boundsOf(starts: readonly number[], index: number): readonly [number, number] {
  const start = starts[index] ?? 0
  return [start, starts[index + 1] ?? start]
}
