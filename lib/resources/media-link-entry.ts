import { randomUUID } from 'node:crypto'
import type { DataReader } from '../data/data-reader.js'
import type { EntityChange } from '../data/entity-change.js'
import type { EntityWriter } from '../data/entity-writer.js'
import { valueViolation } from '../edm/check-value.js'
import type { EntitySet, EntityType, Property } from '../edm/edm-model.js'
import { hasDefaultValue, isPrimitive } from '../edm/edm-model.js'
import { isInteger } from '../edm/primitive-types/primitive-type-name.js'
import { ODataError } from '../errors/odata-error.js'
import { emptyValue } from '../evaluation/empty-value.js'
import type { Row } from '../evaluation/row.js'
import type { StoreDefaults } from '../evaluation/write-values.js'
import { parseMediaRange } from '../formats/media-range.js'
import { bodyOf } from '../http/request-body.js'
import { slugOf } from '../http/odata-request.js'
import type { MediaContent, MediaSource } from '../provider/media.js'
import type { CollectionSource } from '../query/request-target.js'
import { DEFAULT_MEDIA_TYPE, mediaContentOf } from './media-resource.js'
import type { RequestSession } from './request-session.js'
import { readNewEntity } from './resource-changes.js'

/** A POST of a media link entry. */
interface NewMediaLinkEntry {
  readonly content: MediaContent
  /** Inserts the media link entry within a change, and returns it as it is stored. */
  insert(this: void, writer: EntityWriter): Promise<Row>
}

/** Returns true for a POST of an entity whose media resource can be absent. */
export function isWithoutMedia({ path }: EntitySet, { request, service }: RequestSession): boolean {
  if (service.provider.entitySets[path]?.media?.isOptional !== true) return false
  const contentType = request.header('content-type')
  if (isAtomEntry(contentType)) return true
  const media = parseMediaRange(contentType ?? '')
  const isJson = media?.type === 'application' && media.subtype === 'json'
  return isJson && request.header('slug') === undefined
}

/**
 * Reads a POST to a set of media link entries: an Atom entry whose media resource is written later, or a media resource
 * of any other content type, for which an entity is created.
 *
 * @spec MS-ODATA 2.2.7.1 (insert), RFC 5023 9.6 (media link entries)
 */
export async function newMediaLinkEntry(
  collection: CollectionSource,
  session: RequestSession,
): Promise<NewMediaLinkEntry> {
  const { set } = collection
  const { request } = session
  const isEntry = isAtomEntry(request.header('content-type'))
  const change = isEntry ? await readNewEntity(session, set) : undefined
  const reader = await session.reader()
  // Before the body is received, and again when the entity is known.
  await reader.authorizeInsert(set)
  const media = reader.media(set)
  if (!isEntry && media?.insert === undefined && media?.write === undefined) {
    throw new ODataError('UnsupportedMediaType', {
      message: `'${set.path}' does not accept media resources. Content-Type must be application/atom+xml;type=entry.`,
    })
  }
  const content = isEntry ? emptyContent(session) : await mediaContentOf(session)
  const { slug } = content
  if (media?.insert !== undefined) refuseLinks(change)
  const received = await reader.receiveMedia(set, content)
  const insertMedia = async (writer: EntityWriter): Promise<Row> => {
    const source = await sourceOf(collection, writer.reader)
    const values = change?.values
    return writer.media.withSlug(slug, () => writer.media.insert(set, { ...received, slug, values, source }))
  }
  const insertBoth = async (writer: EntityWriter): Promise<Row> => {
    const row = await writer.media.withSlug(slug, () => insertEntity(writer, collection, change, slug))
    if (media?.write === undefined) return row
    await writeContent(writer, set, row, { ...received, slug }, session)
    return writer.media.afterWrite(set, row)
  }
  return { content: received, insert: media?.insert === undefined ? insertBoth : insertMedia }
}

/** Writes the media resource of a new entity. Deletes the entity after an error that is not rolled back. */
async function writeContent(
  writer: EntityWriter,
  set: EntitySet,
  row: Row,
  content: MediaContent,
  session: RequestSession,
): Promise<void> {
  try {
    await writer.media.write(set, row, content)
  } catch (error) {
    if (!writer.canRollBack) {
      await writer.media.discard(set, row).catch((failure: unknown) => session.report(failure))
    }
    throw error
  }
}

/**
 * Inserts the entity of a media resource. The service or the store chooses its key; the key that the client suggests is
 * used unless another entity has it.
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
  const implied = change === undefined && impliedValues(type, slug, await writer.storeDefaults(set))
  const given = { ...implied, ...change?.values }
  const [values, whenTaken] = withKey(type, given, slug)
  return writer.insert(set, { type, values, whenTaken, links: change?.links ?? [] }, from)
}

function emptyContent({ request }: RequestSession): MediaContent {
  const slug = slugOf(request.header('slug'))
  return { contentType: DEFAULT_MEDIA_TYPE, bytes: bodyOf(new Uint8Array(0)), slug }
}

function isAtomEntry(contentType: string | undefined): boolean {
  const media = parseMediaRange(contentType ?? '')
  if (media?.type !== 'application' || media.subtype !== 'atom+xml') return false
  return media.parameters.get('type') === 'entry'
}

function refuseLinks(change: EntityChange | undefined): void {
  const [[name] = []] = change?.links ?? []
  if (name !== undefined) {
    throw new ODataError('BadRequest', { message: `'${name}': new entities of this set cannot have links.` })
  }
}

async function sourceOf(collection: CollectionSource, reader: DataReader): Promise<MediaSource | undefined> {
  if (collection.kind !== 'RelatedEntities') return undefined
  const { source, navigation } = collection
  return { entitySet: source.set.path, navigation, row: await reader.entity(source) }
}

/**
 * Completes the values of a new media link entry by a key. A single string key is suggested by the client; the store
 * generates numbers and GUIDs.
 *
 * @returns the values, and those to use if another entity has the key
 */
function withKey(
  type: EntityType,
  given: Row,
  slug: string | undefined,
): readonly [values: Row, whenTaken?: Row] {
  const [property, ...others] = type.key
  if (property === undefined || others.length > 0) return [given]
  const { name, maxLength } = property
  if (isGeneratedByStore(property)) {
    const { [name]: _ignored, ...values } = given
    return [values]
  }
  if (property.type !== 'Edm.String') return [given]
  const suggested = given[name] ?? slug
  const generated = randomUUID().slice(0, typeof maxLength === 'number' ? maxLength : undefined)
  const withGenerated = { ...given, [name]: generated }
  const isValid =
    suggested !== undefined && suggested !== '' && valueViolation(property, suggested) === undefined
  return isValid ? [{ ...given, [name]: suggested }, withGenerated] : [withGenerated]
}

/** Returns values for the required properties of a media link entry: its title is the slug, the others are empty. */
function impliedValues(type: EntityType, slug: string | undefined, defaults: StoreDefaults | undefined): Row {
  const values: Record<string, unknown> = {}
  const title = type.feedMappings.find(({ targetPath }) => targetPath === 'SyndicationTitle')?.sourcePath
  for (const property of type.properties) {
    const { name, nullable, isKey } = property
    if (isKey || !isPrimitive(property.type)) continue
    const isTitle = title?.length === 1 && title[0] === name
    if (isTitle && slug !== undefined && valueViolation(property, slug) === undefined) values[name] = slug
    else if (!nullable && !isSetByStore(property, defaults))
      values[name] = emptyValue(property.type, property.precision)
  }
  return values
}

function isSetByStore(property: Property, defaults: StoreDefaults | undefined): boolean {
  return (
    hasDefaultValue(property) || property.concurrencyMode === 'Fixed' || defaults?.has(property.name) === true
  )
}

function isGeneratedByStore({ type }: Property): boolean {
  return type === 'Edm.Guid' || isInteger(type)
}
