import type { EntitySet, EntityType, NavigationProperty } from '../../edm/edm-model.js'
import type { EntryPart } from '../entry-template.js'
import { etagParts, text } from '../entry-template.js'
import type { Expansion, Projection } from '../../query/projection.js'
import { selectedNavigation, selectedProperties } from '../../query/projection.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import { keyTokenWriter } from '../entity-address.js'
import type { StaticContext } from '../entry-steps.js'
import { entryWriters } from '../entry-writer.js'
import { nextExpandedQuery } from '../next-link.js'
import { jsonString } from './values.js'
import { memberParts } from './properties.js'

/**
 * Returns the entry writer of a projection.
 *
 * @spec MS-ODATA 2.2.6.3.3 (entity type as a JSON object)
 */
export const entryWriter = entryWriters(entryTemplate, ',')

function entryTemplate(
  projection: Projection,
  type: EntityType,
  context: StaticContext,
): readonly EntryPart[] {
  const { set } = projection
  const address: readonly EntryPart[] = [text(context.root), { kind: 'Path' }]
  return [
    ...metadataParts(set, type, address, context),
    ...memberParts(selectedProperties(projection, type), ',', context),
    ...selectedNavigation(projection, type).flatMap((one) => navigationParts(one, projection, address)),
    text('}'),
  ]
}

/**
 * Returns `{"__metadata":{…}`; the object remains open.
 *
 * @param address the absolute URL of the entity
 */
function metadataParts(
  set: EntitySet,
  type: EntityType,
  address: readonly EntryPart[],
  { etags }: StaticContext,
): readonly EntryPart[] {
  const tagMember = etagParts({ set, type, etags }, '\\"', (tag) => `,"etag":${jsonString(tag)}`)
  const media = type.hasStream ? [mediaPart(set)] : []
  const typeName = text(`","type":"${type.qualifiedName}"`)
  return [text('{"__metadata":{"uri":"'), ...address, typeName, ...tagMember, ...media, text('}')]
}

function mediaPart(set: EntitySet): EntryPart {
  return {
    kind: 'Computed',
    write(row, path, context) {
      const media = context.media(set)
      const contentType = media?.contentType(row) ?? 'application/octet-stream'
      const tag = media?.etag?.(row)
      const source = `"${context.root}${path}/$value"`
      const tagPart = tag === undefined ? '' : `,"media_etag":${jsonString(tag)}`
      return `,"content_type":${jsonString(contentType)},"media_src":${source},"edit_media":${source}${tagPart}`
    },
  }
}

function navigationParts(
  navigation: NavigationProperty,
  projection: Projection,
  address: readonly EntryPart[],
): readonly EntryPart[] {
  const label = `,"${navigation.name}":`
  const position = projection.expansions.findIndex((one) => one.navigation === navigation)
  const expansion = projection.expansions[position]
  if (expansion === undefined) {
    return [text(`${label}{"__deferred":{"uri":"`), ...address, text(`/${percentEncode(navigation.name)}"}}`)]
  }
  if (navigation.isCollection) return [text(label), inlineFeed(expansion, position)]
  return [
    {
      kind: 'InlineEntry',
      expansion: position,
      opening: label,
      closing: '',
      whenEmpty: `${label}null`,
    },
  ]
}

function inlineFeed(
  { navigation, projection, expandText, selectText }: Expansion,
  position: number,
): EntryPart {
  const writeToken = keyTokenWriter(projection.entityType)
  const name = percentEncode(navigation.name)
  return {
    kind: 'InlineFeed',
    expansion: position,
    open: (_path, { version }) => (version === '1.0' ? '[' : '{"results":['),
    close: ({ version }) => (version === '1.0' ? ']' : ']}'),
    closingOfTruncated(path, last, { root, sign }) {
      const query = nextExpandedQuery(expandText, selectText, writeToken(last))
      const link = `${root}${path}/${name}?${query}`
      return `],"__next":${jsonString(sign === undefined ? link : sign(link))}}`
    },
  }
}
