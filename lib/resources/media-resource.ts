import type { DataReader } from '../data/data-reader.js'
import type { EntitySet } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { Row } from '../evaluation/row.js'
import { parseMediaRange } from '../formats/media-range.js'
import { checkChange } from '../http/conditional-requests.js'
import { limitedBody } from '../http/request-body.js'
import { mediaResponse, requestedRange } from '../http/media-response.js'
import type { ODataResponse } from '../http/odata-response.js'
import { slugOf } from '../http/odata-request.js'
import type { MediaContent } from '../provider/media.js'
import type { EntitySource } from '../query/request-target.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { isFormData, readFormFile } from './form-file.js'
import type { RequestSession, ResourceMethods } from './request-session.js'
import { checkState } from './sap-restrictions.js'

export const DEFAULT_MEDIA_TYPE = 'application/octet-stream'
const MAX_MEDIA_TYPE_LENGTH = 255

/** URI 17: the stream of a media link entry. @spec MS-ODATA 2.2.6.5.8 */
export const mediaResource: ResourceMethods<'MediaResource'> = {
  PUT: ({ entity }, session) => writeMedia(entity, session),
  DELETE: ({ entity }, session) => removeMedia(entity, session),
  async GET({ entity }, session) {
    const reader = await session.reader()
    const media = await reader.openMedia(entity, { range: requestedRange(session.request) })
    const headers = session.headersOfOneForm()
    return mediaResponse(session.request, media, headers, session.settings.mediaDisposition)
  },
}

/** Replaces a media resource. @spec MS-ODATA 2.2.7.3 */
async function writeMedia(entity: EntitySource, session: RequestSession): Promise<ODataResponse> {
  const { set } = entity
  const data = await session.reader()
  // Before the body is received, and again in the change set.
  await entityToUpdate(entity, data, session)
  const content = await mediaContentOf(session)
  const received = await data.receiveMedia(set, content)
  return releaseAfter(received, session, () =>
    session.write(
      async ({ media, reader }) => {
        const row = await entityToUpdate(entity, reader, session)
        const ifMatch = await checkEtag(session, () => media.etagOf(set, row))
        const written = await media.replace(set, row, { ...received, slug: content.slug, ifMatch })
        const etag = written ?? (await media.etagOf(set, row))
        return {
          status: 204,
          headers: { ...session.headers(), ...(etag === undefined ? {} : { ETag: etag }) },
        }
      },
      canRepeatMedia(data, set),
    ),
  )
}

/** Makes a change with media content that has been received, and releases the content. */
export async function releaseAfter<T>(
  content: MediaContent,
  session: RequestSession,
  change: () => PromiseOrValue<T>,
): Promise<T> {
  try {
    return await change()
  } finally {
    if (content.release !== undefined) await release(content, session)
  }
}

async function release(content: MediaContent, session: RequestSession): Promise<void> {
  try {
    await content.release?.()
  } catch (thrown) {
    session.report(thrown)
  }
}

/** Removes a media resource, but not its entity. */
async function removeMedia(entity: EntitySource, session: RequestSession): Promise<ODataResponse> {
  return session.write(async ({ media, reader }) => {
    const row = await entityToUpdate(entity, reader, session)
    await checkEtag(session, () => media.etagOf(entity.set, row))
    await media.remove(entity.set, row)
    return { status: 204, headers: session.headers() }
  })
}

/** Returns true if a change of media can be retried. A body can be read again only if the provider has stored it. */
export function canRepeatMedia(reader: DataReader, set: EntitySet): boolean {
  return reader.media(set)?.receive !== undefined
}

/** Returns the body of a request, or the file of a form, as a stream. */
export async function mediaContentOf({ request, settings }: RequestSession): Promise<MediaContent> {
  const contentType = mediaTypeOf(request.header('content-type'))
  const bytes = limitedBody(request, settings.limits.mediaBytes)
  const slug = slugOf(request.header('slug'))
  if (!isFormData(contentType)) return { contentType, bytes, slug }
  const file = await readFormFile(contentType, bytes)
  return { contentType: mediaTypeOf(file.contentType), bytes: file.bytes, slug: slug ?? file.fileName }
}

/** @throws ODataError UnsupportedMediaType for an invalid header */
function mediaTypeOf(header: string | undefined): string {
  const contentType = header?.trim() ?? ''
  if (contentType === '') return DEFAULT_MEDIA_TYPE
  const range = parseMediaRange(contentType)
  const isWild = range === undefined || range.type === '*' || range.subtype === '*'
  if (isWild || contentType.length > MAX_MEDIA_TYPE_LENGTH) {
    throw new ODataError('UnsupportedMediaType', { message: 'Content-Type is not a media type.' })
  }
  return contentType
}

/** @returns the ETag that the media resource must still have when it is changed; undefined for any */
async function checkEtag(
  { request }: RequestSession,
  readEtag: () => Promise<string | undefined>,
): Promise<string | undefined> {
  if (request.header('if-match') === undefined && request.header('if-none-match') === undefined)
    return undefined
  const etag = await readEtag()
  return checkChange(request, etag) ? etag : undefined
}

/** Authorizes and reads the entity of a media resource: changing the resource is an update of the entity. */
async function entityToUpdate(
  entity: EntitySource,
  reader: DataReader,
  session: RequestSession,
): Promise<Row> {
  const row = await reader.findEntity(entity, 'update')
  if (row === undefined) {
    throw new ODataError('ResourceNotFound', { message: 'There is no entity with this key.' })
  }
  checkState(entity.set, row, 'updatable', session)
  return row
}
