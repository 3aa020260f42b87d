import { create as createContentDisposition } from 'content-disposition'
import { ODataError } from '../errors/odata-error.js'
import type { MediaResource } from '../provider/media.js'
import type { ByteRange } from './byte-range.js'
import { parseByteRange } from './byte-range.js'
import { isNotModified, isRangeFresh } from './conditional-requests.js'
import type { ODataRequest } from './odata-request.js'
import type { ODataResponse } from './odata-response.js'
import type { MediaFacts } from './provided-media.js'
import { bytesOfMedia, closeMedia, factsOf } from './provided-media.js'
import { httpDate } from './response-headers.js'

/** Whether browsers that open the address of a media resource show it where they can, or only save it. */
export type MediaDisposition = 'inline' | 'attachment'

/**
 * The answer that sends a media resource, or the range of it that was asked for. The resource is closed when its
 * bytes are not wanted.
 *
 * @param headers the headers of every answer
 * @param disposition what a browser is to do with it that opens its address
 * @throws ODataError PreconditionFailed, RangeNotSatisfiable; TypeError for a media resource that cannot be one
 * @spec MS-ODATA 2.2.6.5.8, RFC 9110 14 (range requests)
 */
export function mediaResponse(
  request: ODataRequest,
  media: MediaResource,
  headers: Readonly<Record<string, string>>,
  disposition: MediaDisposition = 'inline',
): ODataResponse {
  let isOpen = true
  try {
    const facts = factsOf(media)
    const all = { ...headers, ...mediaHeaders(facts, disposition) }
    if (isNotModified(request, facts)) return { status: 304, headers: withoutContent(all) }
    const range = rangeOf(request, facts)
    const response = {
      status: range === undefined ? 200 : 206,
      headers: { ...all, ...sizeHeaders(facts, range, all['Cache-Control']) },
    }
    if (request.method === 'HEAD') return response
    isOpen = false
    return { ...response, body: bytesOfMedia(media, range) }
  } finally {
    if (isOpen) closeMedia(media)
  }
}

/**
 * What files hold is not ours to vouch for: a browser that is sent a page or a drawing with scripts must not run
 * them as if they belonged to the service.
 */
const sandbox = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; sandbox"

/**
 * Browsers show documents of this type in viewers of their own, apart from every origin, and some of these show
 * nothing within a sandbox. Since types are not guessed, nothing else is ever made of the bytes.
 */
const documentPolicy = "script-src 'none'; base-uri 'none'; form-action 'none'"

const portableDocument = /^application\/pdf *(?:;|$)/i

function mediaHeaders(media: MediaFacts, disposition: MediaDisposition): Record<string, string> {
  const headers: Record<string, string> = {
    'Content-Type': media.contentType,
    'Content-Security-Policy': portableDocument.test(media.contentType) ? documentPolicy : sandbox,
  }
  if (media.size !== undefined) headers['Accept-Ranges'] = 'bytes'
  if (media.lastModified !== undefined) headers['Last-Modified'] = httpDate(media.lastModified)
  if (media.etag !== undefined) headers.ETag = media.etag
  if (media.fileName !== undefined || disposition === 'attachment') {
    headers['Content-Disposition'] = createContentDisposition(media.fileName, { type: disposition })
  }
  return headers
}

/** Compression on the way to the client would invalidate the offsets of a range. */
function sizeHeaders(
  { size }: MediaFacts,
  range: ByteRange | undefined,
  cacheControl: string | undefined,
): Record<string, string> {
  if (size === undefined) return {}
  if (range === undefined) return { 'Content-Length': String(size) }
  return {
    'Content-Length': String(range.end - range.start + 1),
    'Content-Range': `bytes ${range.start}-${range.end}/${size}`,
    'Cache-Control': cacheControl === undefined ? 'no-transform' : `${cacheControl}, no-transform`,
  }
}

function rangeOf(request: ODataRequest, media: MediaFacts): ByteRange | undefined {
  const { size } = media
  const header = request.method === 'GET' ? request.header('range') : undefined
  if (header === undefined || size === undefined || !isRangeFresh(request, media)) return undefined
  const range = parseByteRange(header, size)
  if (range === 'outside') {
    throw new ODataError('RangeNotSatisfiable', { details: { contentRange: `bytes */${size}` } })
  }
  return range
}

function withoutContent(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { 'Content-Type': _type, 'Content-Disposition': _disposition, ...rest } = headers
  return rest
}
