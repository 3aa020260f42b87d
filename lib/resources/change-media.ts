import type { EntitySet, EntityType, Property } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { parseMediaRange } from '../formats/media-range.js'
import { checkChange } from '../http/conditional-requests.js'
import { limitedBody, bodyOf } from '../http/request-body.js'
import type { ODataRequest } from '../http/odata-request.js'
import type { ODataResponse } from '../http/odata-response.js'
import { slugOf } from '../http/odata-request.js'
import type { EntityChange } from '../data/entity-change.js'
import type { DataReader } from '../data/data-reader.js'
import type { EntityWriter } from '../data/entity-writer.js'
import type { MediaContent, MediaSource } from '../provider/media.js'
import type { CollectionSource, EntitySource } from '../query/request-target.js'
import { isFormData, readFormFile } from './form-file.js'
import { readNewEntity } from './resource-changes.js'
import type { RequestSession } from './request-session.js'
import { checkState } from './sap-change-restrictions.js'
import { randomUUID } from 'node:crypto'
import { valueFault } from '../edm/check-value.js'
import { isPrimitive } from '../edm/edm-model.js'
import type { PrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../edm/primitive-types/primitive-types.js'

const unknownType = 'application/octet-stream'

/** Makes a media link entry within a change. */
export type InsertMediaLinkEntry = (writer: EntityWriter) => Promise<Row>

/**
 * What a POST to a set of media link entries asks for: bytes whose entity is implied, or an entity whose bytes follow.
 * Only an Atom entry is an entity here. A document of JSON or XML is as good a media resource as any.
 *
 * @spec MS-ODATA 2.2.7.1 (insert), RFC 5023 9.6 (media link entries)
 */
export async function newMediaLinkEntry(
  collection: CollectionSource,
  session: RequestSession,
): Promise<InsertMediaLinkEntry> {
  const { set } = collection
  const { request } = session
  const isEntry = isAtomEntry(request.header('content-type'))
  const change = isEntry ? await readNewEntity(session, set) : undefined
  const data = await session.reader()
  // Asked before the bytes come, and again when the entity is known.
  await data.permitNew(set)
  const media = data.media(set)
  if (!isEntry && media?.insert === undefined && media?.write === undefined) {
    throw new ODataError('UnsupportedMediaType', {
      message: `'${set.path}' takes no bytes; Content-Type must be application/atom+xml;type=entry.`,
    })
  }
  const content = isEntry ? noBytes(session) : await sentContent(session)
  const { slug } = content
  const received = (await media?.receive?.(content)) ?? content
  if (media?.insert !== undefined) {
    checkLinks(change)
    return async (writer) => {
      const source = await sourceOf(collection, writer.reader)
      const values = change?.values
      return writer.media.insertNamed(slug, () =>
        writer.media.insert(set, { ...received, slug, values, source }),
      )
    }
  }
  return async (writer) => {
    const row = await writer.media.insertNamed(slug, () => insertEntity(writer, collection, change, slug))
    if (media?.write === undefined) return row
    await writeNew(writer, set, row, { ...received, slug }, session)
    return writer.media.afterWrite(set, row)
  }
}

/** A store that takes nothing back must not keep an entity whose bytes never came. */
async function writeNew(
  writer: EntityWriter,
  set: EntitySet,
  row: Row,
  content: MediaContent,
  session: RequestSession,
): Promise<void> {
  try {
    await writer.media.write(set, row, content)
  } catch (error) {
    // Where there is a change set, the whole of it is taken back.
    if (!writer.isTakenBack) {
      await writer.media.discard(set, row).catch((failure: unknown) => session.report(failure))
    }
    throw error
  }
}

/** Bytes that come from the client can only be written once, unless the provider has taken them in before. */
export function canReplayMedia(data: DataReader, set: EntitySet): boolean {
  return data.media(set)?.receive !== undefined
}

/** Replaces a media resource. @spec MS-ODATA 2.2.7.3 */
export async function writeMedia(entity: EntitySource, session: RequestSession): Promise<ODataResponse> {
  const { set } = entity
  const data = await session.reader()
  // Asked before the bytes come, and again when they are there.
  await existing(entity, data, session)
  const content = await sentContent(session)
  const received = (await data.media(set)?.receive?.(content)) ?? content
  return session.write(
    async (writer) => {
      const row = await existing(entity, writer.reader, session)
      const replaces = await checkedTag(session.request, () => writer.media.tagOf(set, row))
      const written = await writer.media.replace(set, row, { ...received, slug: content.slug, replaces })
      const etag = written ?? (await writer.media.tagOf(set, row))
      return { status: 204, headers: { ...session.headers(), ...(etag === undefined ? {} : { ETag: etag }) } }
    },
    canReplayMedia(data, set),
  )
}

/** Removes a media resource; its entity stays. */
export async function removeMedia(entity: EntitySource, session: RequestSession): Promise<ODataResponse> {
  return session.write(async (writer) => {
    const row = await existing(entity, writer.reader, session)
    await checkedTag(session.request, () => writer.media.tagOf(entity.set, row))
    await writer.media.remove(entity.set, row)
    return { status: 204, headers: session.headers() }
  })
}

/**
 * Adds the entity of a media resource. Its key is chosen here or by the store; what the client says is only a hint,
 * which is not followed when another entity has that key.
 */
async function insertEntity(
  writer: EntityWriter,
  collection: CollectionSource,
  change: EntityChange | undefined,
  slug: string | undefined,
): Promise<Row> {
  const { set } = collection
  const type = change?.type ?? set.entityType
  const from = collection.kind === 'RelatedEntities' ? collection : undefined
  const given = { ...(change === undefined ? impliedValues(type, slug) : {}), ...change?.values }
  const [values, whenTaken] = withKey(type, given, slug)
  return writer.insert(set, { type, values, whenTaken, links: change?.links ?? [] }, from)
}

/** The media resource of an entity that is inserted without bytes. */
function noBytes({ request }: RequestSession): MediaContent {
  const slug = slugOf(request.header('slug'))
  return { contentType: unknownType, bytes: bodyOf(new Uint8Array(0)), slug }
}

/** The bytes of a request, or of the file in a form; they are read when they are needed. */
async function sentContent({ request, settings }: RequestSession): Promise<MediaContent> {
  const contentType = mediaTypeOf(request.header('content-type'))
  const bytes = limitedBody(request, settings.limits.mediaBytes)
  const slug = slugOf(request.header('slug'))
  if (!isFormData(contentType)) return { contentType, bytes, slug }
  const file = await readFormFile(contentType, bytes)
  return { contentType: mediaTypeOf(file.contentType), bytes: file.bytes, slug: slug ?? file.fileName }
}

/** @throws ODataError UnsupportedMediaType for a header that is not a media type */
function mediaTypeOf(header: string | undefined): string {
  const contentType = header?.trim() ?? ''
  if (contentType === '') return unknownType
  const range = parseMediaRange(contentType)
  const isWild = range === undefined || range.type === '*' || range.subtype === '*'
  if (isWild || contentType.length > longestType) {
    throw new ODataError('UnsupportedMediaType', { message: 'Content-Type is not a media type.' })
  }
  return contentType
}

const longestType = 255

function isAtomEntry(contentType: string | undefined): boolean {
  const media = parseMediaRange(contentType ?? '')
  if (media?.type !== 'application' || media.subtype !== 'atom+xml') return false
  return media.parameters.get('type') === 'entry'
}

function checkLinks(change: EntityChange | undefined): void {
  const [[name] = []] = change?.links ?? []
  if (name !== undefined) {
    throw new ODataError('BadRequest', { message: `'${name}': a new entity of this set cannot be linked.` })
  }
}

async function sourceOf(collection: CollectionSource, reader: DataReader): Promise<MediaSource | undefined> {
  if (collection.kind !== 'RelatedEntities') return undefined
  const { source, navigation } = collection
  return { entitySet: source.set.path, navigation, row: await reader.entity(source) }
}

/** The tag that the media resource must keep until it is changed; undefined when any will do. */
async function checkedTag(
  request: ODataRequest,
  tagOf: () => Promise<string | undefined>,
): Promise<string | undefined> {
  if (request.header('if-match') === undefined && request.header('if-none-match') === undefined)
    return undefined
  const tag = await tagOf()
  return checkChange(request, tag) ? tag : undefined
}

/** What a media resource belongs to: to change it is to change the entity. */
async function existing(entity: EntitySource, reader: DataReader, session: RequestSession): Promise<Row> {
  const row = await reader.findEntity(entity, 'update')
  if (row === undefined) {
    throw new ODataError('ResourceNotFound', { message: 'There is no entity with this key.' })
  }
  checkState(entity.set, row, 'updatable', session.service.sapRestrictions)
  return row
}

/**
 * The values of a new media link entry with a key. Clients do not choose it: a single text is what they wish for, if
 * that can be a key; a number or a Guid is made by the store, and left out.
 *
 * @returns what to try first, and what to try when that key is taken
 */
function withKey(
  type: EntityType,
  given: Row,
  slug: string | undefined,
): readonly [values: Row, otherwise?: Row] {
  const [property, ...others] = type.key
  if (property === undefined || others.length > 0) return [given]
  const { name, maxLength } = property
  if (isMadeByStore(property)) {
    const { [name]: _ignored, ...values } = given
    return [values]
  }
  if (property.type !== 'Edm.String') return [given]
  const wish = given[name] ?? slug
  const made = randomUUID().slice(0, typeof maxLength === 'number' ? maxLength : undefined)
  const withMade = { ...given, [name]: made }
  const canBe = wish !== undefined && wish !== '' && valueFault(property, wish) === undefined
  return canBe ? [{ ...given, [name]: wish }, withMade] : [withMade]
}

/** Values for what a media link entry must have and nobody gave: its title is the hint, the rest is empty. */
function impliedValues(type: EntityType, slug: string | undefined): Row {
  const values: Record<string, unknown> = {}
  const title = type.feedMappings.find(({ targetPath }) => targetPath === 'SyndicationTitle')?.sourcePath
  for (const property of type.properties) {
    const { name, nullable, defaultValue, isKey } = property
    if (isKey || !isPrimitive(property.type)) continue
    const isTitle = title?.length === 1 && title[0] === name
    if (isTitle && slug !== undefined && valueFault(property, slug) === undefined) values[name] = slug
    else if (!nullable && defaultValue === undefined && !isFilledIn(property))
      values[name] = emptyValue(property.type)
  }
  return values
}

function isFilledIn({ storeGeneratedPattern, concurrencyMode }: Property): boolean {
  return (
    storeGeneratedPattern === 'Identity' ||
    storeGeneratedPattern === 'Computed' ||
    concurrencyMode === 'Fixed'
  )
}

function isMadeByStore({ type }: Property): boolean {
  return type === 'Edm.Guid' || (isPrimitive(type) && /^Edm\.(?:S?Byte|Int\d\d)$/.test(type))
}

function emptyValue(type: PrimitiveTypeName): unknown {
  switch (type) {
    case 'Edm.String':
      return ''
    case 'Edm.Binary':
      return new Uint8Array(0)
    case 'Edm.Boolean':
      return false
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return new Date()
    case 'Edm.Time':
      return primitiveTypes[type].parse('PT0S')
    case 'Edm.Guid':
      return '00000000-0000-0000-0000-000000000000'
    default:
      return primitiveTypes[type].parse('0')
  }
}
