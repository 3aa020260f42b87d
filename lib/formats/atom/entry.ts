import type { EntitySet, EntityType, NavigationProperty } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import type { ExpandedRows, RowBatch } from '../../provider/row-batch.js'
import type { Expansion, Projection } from '../../query/projection.js'
import { selectedNavigation, selectedProperties } from '../../query/projection.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import { escapeAttribute } from '../../xml/escape-xml.js'
import { relatedNamespace, schemeNamespace } from '../../xml/namespaces.js'
import { entityPathWriter, keyTokenWriter } from '../entity-address.js'
import { entityTagWriter } from '../entity-tag.js'
import type { WriteContext } from '../format.js'
import { nextExpandedQuery } from '../next-link.js'
import type { WriteEntry } from '../writers-by-type.js'
import { writersByType } from '../writers-by-type.js'
import { feedCustomization } from './feed-customization.js'
import { closeFeed, openFeed } from './feed-frame.js'
import { propertyWriters, writeAll } from './properties.js'

/**
 * The writer of entries of a projection, specialised for its types and made once.
 *
 * @spec MS-ODATA 2.2.6.2.2 (entity type as an Atom entry)
 */
export const entryWriter = writersByType(writerForType)

function writerForType(projection: Projection, type: EntityType): WriteEntry {
  const { set } = projection
  const writePath = entityPathWriter(set)
  const { head, elements, attributes, elsewhere } = feedCustomization(type)
  const writeTag = tagWriter(type)
  const properties = propertyWriters(selectedProperties(projection, type), elsewhere)
  const links = selectedNavigation(projection, type).map((one) => linkWriter(one, projection))
  const writeContent = contentWriter(set, type)
  const edit = `<link rel="edit" title="${type.name}" href="`
  const category = `<category term="${type.qualifiedName}" scheme="${schemeNamespace}"/>`
  return (batch, index, context, declarations = '') => {
    // The index is one of the batch's own.
    const row = batch.rows[index] as Row
    const path = writePath(row)
    let text = `<entry${declarations}${writeTag(row)}${attributes(row)}><id>${context.root}${path}</id>`
    for (const write of head) text += write(row, context)
    const media = writeContent(row, path, context)
    text += `${media.link}${edit}${path}"/>`
    for (const write of links) text += write(batch, index, path, context)
    text += category + media.opening + writeAll(properties, row) + media.closing
    return `${text}${elements(row)}</entry>`
  }
}

function tagWriter(type: EntityType): (row: Row) => string {
  const write = entityTagWriter(type)
  return write === undefined ? () => '' : (row) => ` m:etag="${escapeAttribute(write(row))}"`
}

interface Content {
  readonly link: string
  readonly opening: string
  readonly closing: string
}

const ordinary: Content = {
  link: '',
  opening: '<content type="application/xml"><m:properties>',
  closing: '</m:properties></content>',
}

/** The content of a media link entry is its media resource; the properties stand beside it. */
function contentWriter(
  set: EntitySet,
  type: EntityType,
): (row: Row, path: string, context: WriteContext) => Content {
  if (!type.hasStream) return () => ordinary
  return (row, path, context) => {
    const media = context.media(set)
    const contentType = escapeAttribute(media?.contentType(row) ?? 'application/octet-stream')
    const tag = media?.etag?.(row)
    const tagAttribute = tag === undefined ? '' : ` m:etag="${escapeAttribute(tag)}"`
    return {
      link: `<link rel="edit-media" title="${type.name}" href="${path}/$value"${tagAttribute}/>`,
      opening: `<content type="${contentType}" src="${path}/$value"/><m:properties>`,
      closing: '</m:properties>',
    }
  }
}

type WriteLink = (batch: RowBatch, index: number, path: string, context: WriteContext) => string

function linkWriter(navigation: NavigationProperty, projection: Projection): WriteLink {
  const name = percentEncode(navigation.name)
  const type = navigation.isCollection ? 'feed' : 'entry'
  const opening =
    `<link rel="${relatedNamespace}${navigation.name}" type="application/atom+xml;type=${type}" ` +
    `title="${navigation.name}" href="`
  const position = projection.expansions.findIndex((one) => one.navigation === navigation)
  const expansion = projection.expansions[position]
  if (expansion === undefined) return (_batch, _index, path) => `${opening}${path}/${name}"/>`
  const writeInline = navigation.isCollection ? inlineFeed(expansion) : inlineEntry(expansion)
  return (batch, index, path, context) => {
    const expanded = batch.expansions[position] as ExpandedRows
    return `${opening}${path}/${name}">${writeInline(expanded, index, path, context)}</link>`
  }
}

type WriteInline = (expanded: ExpandedRows, index: number, path: string, context: WriteContext) => string

/** @spec MS-ODATA 2.2.6.2.6.1 (inline representation) */
function inlineEntry({ projection }: Expansion): WriteInline {
  const write = entryWriter(projection)
  return ({ batch, starts }, index, _path, context) => {
    const start = starts[index] ?? 0
    if (start === (starts[index + 1] ?? start)) return '<m:inline/>'
    return `<m:inline>${write(batch, start, context)}</m:inline>`
  }
}

function inlineFeed({ navigation, projection, expandText, selectText }: Expansion): WriteInline {
  const write = entryWriter(projection)
  const writeToken = keyTokenWriter(projection.entityType)
  const name = percentEncode(navigation.name)
  return ({ batch, starts, cut }, index, path, context) => {
    const start = starts[index] ?? 0
    const end = starts[index + 1] ?? start
    const info = { title: navigation.name, path: `${path}/${name}`, inlineCount: undefined }
    let text = openFeed({ ...info, isEmpty: start === end }, context, '')
    for (let child = start; child < end; child++) text += write(batch, child, context)
    let next: string | undefined
    if (cut.has(index)) {
      const token = writeToken(batch.rows[end - 1] as Row)
      next = `${context.root}${path}/${name}?${nextExpandedQuery(expandText, selectText, token)}`
    }
    return `<m:inline>${text}${closeFeed(next)}</m:inline>`
  }
}
