import { mediaResponse } from '../http/media-response.js'
import { removeMedia, writeMedia } from './change-media.js'
import type { ResourceMethods } from './resource-context.js'

/** URI 17: the stream of a media link entry. @spec MS-ODATA 2.2.6.5.8 */
export const mediaResource: ResourceMethods<'MediaResource'> = {
  PUT: ({ entity }, context) => writeMedia(entity, context),
  DELETE: ({ entity }, context) => removeMedia(entity, context),
  async GET({ entity }, context) {
    const data = await context.data()
    const media = await data.openMedia(entity)
    return mediaResponse(
      context.request,
      media,
      context.headersOfOneForm(),
      context.settings.mediaDisposition,
    )
  },
}
