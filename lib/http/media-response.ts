import { create as createContentDisposition } from 'content-disposition'
import parseRange from 'range-parser'
import { ODataError } from '../errors/odata-error.js'
import type { MediaResource } from '../provider/media.js'
import type { Validators } from './conditional-requests.js'
import { isNotModified, isRangeFresh } from './conditional-requests.js'
import type { ODataRequest } from './odata-request.js'
import type { ODataResponse } from './odata-response.js'
import { headerValue, httpDate } from './response-headers.js'

interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * The answer that sends a media resource, or the range of it that was asked for. The resource is closed when its
 * bytes are not wanted.
 *
 * @param headers the headers of every answer
 * @throws ODataError PreconditionFailed, RangeNotSatisfiable
 * @spec MS-ODATA 2.2.6.5.8, RFC 9110 14 (range requests)
 */
export function mediaResponse(
  request: ODataRequest,
  media: MediaResource,
  headers: Readonly<Record<string, string>>,
): ODataResponse {
  let isOpen = true
  try {
    const validators = { etag: media.etag, lastModified: media.lastModified }
    const all = { ...headers, ...mediaHeaders(media) }
    if (isNotModified(request, validators)) return { status: 304, headers: withoutContent(all) }
    const range = rangeOf(request, media, validators)
    const response = {
      status: range === undefined ? 200 : 206,
      headers: { ...all, ...sizeHeaders(media, range) },
    }
    if (request.method === 'HEAD') return response
    isOpen = false
    return { ...response, body: media.stream(range) }
  } finally {
    if (isOpen) media.close()
  }
}

/**
 * What files hold is not ours to vouch for: a browser that is sent a page or a drawing with scripts must not run
 * them as if they belonged to the service.
 */
const sandbox = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; sandbox"

function mediaHeaders(media: MediaResource): Record<string, string> {
  const headers: Record<string, string> = {
    'Content-Type': headerValue(media.contentType),
    'Content-Security-Policy': sandbox,
  }
  if (media.size !== undefined) headers['Accept-Ranges'] = 'bytes'
  if (media.lastModified !== undefined) headers['Last-Modified'] = httpDate(media.lastModified)
  if (media.etag !== undefined) headers.ETag = headerValue(media.etag)
  if (media.fileName !== undefined) {
    headers['Content-Disposition'] = createContentDisposition(media.fileName, { type: 'inline' })
  }
  return headers
}

/** A ranged answer must reach the client byte for byte: nobody on the way may compress it. */
function sizeHeaders({ size }: MediaResource, range: ByteRange | undefined): Record<string, string> {
  if (size === undefined) return {}
  if (range === undefined) return { 'Content-Length': String(size) }
  return {
    'Content-Length': String(range.end - range.start + 1),
    'Content-Range': `bytes ${range.start}-${range.end}/${size}`,
    'Cache-Control': 'no-transform',
  }
}

/** Several ranges at once, and headers that are none, are answered with the whole: both are allowed. */
function rangeOf(
  request: ODataRequest,
  { size }: MediaResource,
  validators: Validators,
): ByteRange | undefined {
  const header = request.method === 'GET' ? request.header('range') : undefined
  if (header === undefined || size === undefined || !isRangeFresh(request, validators)) return undefined
  const ranges = parseRange(size, withShortSuffixes(header, size), { combine: true })
  if (ranges === -1) {
    throw new ODataError('RangeNotSatisfiable', { details: { contentRange: `bytes */${size}` } })
  }
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined
  return ranges[0]
}

/** The last 500 bytes of 10 are all of them; the parser would call that a range outside. @spec RFC 9110 14.1.2 */
function withShortSuffixes(header: string, size: number): string {
  return header.replace(/(?<=[=,]\s*)-(\d+)/g, (suffix, length) =>
    Number(length) > size ? `-${size}` : suffix,
  )
}

function withoutContent(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { 'Content-Type': _type, 'Content-Disposition': _disposition, ...rest } = headers
  return rest
}
