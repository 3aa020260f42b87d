import { mediaResponse } from '../http/media-response.js'
import { removeMedia, writeMedia } from './change-media.js'
import type { ResourceMethods } from './request-session.js'

/** URI 17: the stream of a media link entry. @spec MS-ODATA 2.2.6.5.8 */
export const mediaResource: ResourceMethods<'MediaResource'> = {
  PUT: ({ entity }, session) => writeMedia(entity, session),
  DELETE: ({ entity }, session) => removeMedia(entity, session),
  async GET({ entity }, session) {
    const data = await session.reader()
    const media = await data.openMedia(entity)
    return mediaResponse(
      session.request,
      media,
      session.headersOfOneForm(),
      session.settings.mediaDisposition,
    )
  },
}
