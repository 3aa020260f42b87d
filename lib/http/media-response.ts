import { create as createContentDisposition } from 'content-disposition'
import { ODataError } from '../errors/odata-error.js'
import type { MediaResource } from '../provider/media.js'
import { isNotModified, isRangeFresh } from './conditional-requests.js'
import type { ODataRequest } from './odata-request.js'
import type { ODataResponse } from './odata-response.js'
import { httpDate, headerValue } from './response-headers.js'
import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { isDate, isUint8Array } from 'node:util/types'
import createDebug from 'debug'
import { isPromiseLike } from '../util/promise-or-value.js'
import parseRange from 'range-parser'

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
    const facts = validateMedia(media)
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
const SANDBOX_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; sandbox"

/**
 * Browsers show documents of this type in viewers of their own, apart from every origin, and some of these show
 * nothing within a sandbox. Since types are not guessed, nothing else is ever made of the bytes.
 */
const PDF_POLICY = "script-src 'none'; base-uri 'none'; form-action 'none'"

const portableDocument = /^application\/pdf *(?:;|$)/i

function mediaHeaders(media: MediaMetadata, disposition: MediaDisposition): Record<string, string> {
  const headers: Record<string, string> = {
    'Content-Type': media.contentType,
    'Content-Security-Policy': portableDocument.test(media.contentType) ? PDF_POLICY : SANDBOX_POLICY,
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
  { size }: MediaMetadata,
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

function rangeOf(request: ODataRequest, media: MediaMetadata): ByteRange | undefined {
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

const debugError = createDebug('odata-v2:error')

/** What is told of a media resource, fit for headers. */
interface MediaMetadata {
  readonly contentType: string
  readonly size: number | undefined
  readonly lastModified: Date | undefined
  readonly etag: string | undefined
  readonly fileName: string | undefined
}

/**
 * Checks what a provider tells of a media resource.
 *
 * @throws TypeError for what cannot be repaired
 */
function validateMedia(media: MediaResource): MediaMetadata {
  // Written in JavaScript, it may hold anything.
  const { contentType, size, lastModified, etag, fileName } = media as {
    [Name in keyof MediaResource]: unknown
  }
  return {
    contentType: headerValue(textOf('contentType', contentType)?.trim() ?? '') || 'application/octet-stream',
    size: sizeOf(size),
    lastModified: dateOf(lastModified),
    etag: normalizeEtag(textOf('etag', etag)),
    fileName: textOf('fileName', fileName)?.toWellFormed(),
  }
}

function sizeOf(size: unknown): number | undefined {
  if (size === undefined) return undefined
  if (typeof size === 'number' && Number.isSafeInteger(size) && size >= 0) return size
  throw invalid('size', 'a whole number of bytes, or undefined when it is not known', size)
}

function dateOf(date: unknown): Date | undefined {
  if (date === undefined || date === null) return undefined
  if (!isDate(date)) throw invalid('lastModified', 'a Date or undefined', date)
  return Number.isNaN(date.getTime()) ? undefined : date
}

function textOf(name: string, text: unknown): string | undefined {
  if (text === undefined || text === null || text === '') return undefined
  if (typeof text === 'string') return text
  throw invalid(name, 'a string', text)
}

/** @spec RFC 9110 8.8.3 */
function normalizeEtag(etag: string | undefined): string | undefined {
  if (etag === undefined) return undefined
  const tag = headerValue(etag)
  if (/^(?:W\/)?"[^"]*"$/.test(tag)) return tag
  const weak = tag.startsWith('W/') ? 'W/' : ''
  return `${weak}"${tag.slice(weak.length).replaceAll('"', '')}"`
}

/**
 * The bytes of a media resource.
 *
 * @param range undefined for all of them
 * @throws TypeError when a provider gives something else
 */
function bytesOfMedia(media: MediaResource, range: ByteRange | undefined): Readable | Uint8Array | string {
  const bytes: unknown = media.stream(range)
  if (typeof bytes === 'string' || isUint8Array(bytes)) {
    checkLength(Buffer.byteLength(bytes), range)
    return bytes
  }
  const stream = bytes instanceof ReadableStream ? Readable.fromWeb(bytes) : bytes
  if (isReadable(stream)) {
    // It may fail before anybody reads it, which must not end the process; who reads it is told then.
    stream.on('error', ignore)
    return stream
  }
  if (isPromiseLike(bytes)) discardPromise(bytes)
  throw invalid('stream()', kindsOfBytes, bytes)
}

const kindsOfBytes =
  'a Readable of node:stream, a ReadableStream, a Uint8Array or a string (await promises in open(), and ' +
  'put iterators into Readable.from)'

/** What is read by the range must not be shifted. */
function checkLength(length: number, range: ByteRange | undefined): void {
  if (range === undefined) return
  const wanted = range.end - range.start + 1
  if (length === wanted) return
  throw new TypeError(
    `stream() of a media resource must give the ${wanted} bytes from ${range.start} to ${range.end}, not ${length}.`,
  )
}

const methodsOfReadable = ['on', 'off', 'pipe', 'pause', 'resume', 'destroy'] as const

/** Also one of another copy of the stream library. */
function isReadable(value: unknown): value is Readable {
  if (typeof value !== 'object' || value === null) return false
  const members = value as Record<string, unknown>
  return methodsOfReadable.every((name) => typeof members[name] === 'function')
}

/** Nobody waits for it: it must not end the process, nor leave a stream open. */
function discardPromise(promise: PromiseLike<unknown>): void {
  promise.then(
    (late) => {
      if (isReadable(late)) late.on('error', ignore).destroy()
    },
    (failure: unknown) => {
      debugError('the promise of stream() was rejected: %O', failure)
    },
  )
}

function ignore(): void {
  // Told elsewhere.
}

/** Closes a media resource whose bytes are not wanted. The answer does not depend on it. */
function closeMedia(media: MediaResource): void {
  const failed = (failure: unknown): void => {
    debugError('a media resource could not be closed: %O', failure)
  }
  try {
    const closed: unknown = media.close()
    if (isPromiseLike(closed)) closed.then(undefined, failed)
  } catch (failure) {
    failed(failure)
  }
}

function invalid(name: string, expected: string, value: unknown): TypeError {
  return new TypeError(`${name} of a media resource must be ${expected}, not ${described(value)}.`)
}

function described(value: unknown): string {
  if (isPromiseLike(value)) return 'a promise'
  if (typeof value === 'object' && value !== null) return 'another object'
  return typeof value === 'function' ? 'a function' : String(value)
}

/** The first and the last byte of a part. */
interface ByteRange {
  readonly start: number
  readonly end: number
}

const rangePattern = /^(?:(\d+)-(\d*)|-(\d+))$/

/**
 * The one part of a resource that a `Range` header asks for.
 *
 * @param size bytes of the whole resource
 * @returns undefined for the whole: it is the answer to several parts at once, and to a header that is not valid;
 * `outside` when nothing of what is asked for is there
 * @spec RFC 9110 14.1.2 (byte ranges)
 */
export function parseByteRange(header: string, size: number): ByteRange | 'outside' | undefined {
  const [unit, list, ...rest] = header.split('=')
  if (list === undefined || rest.length > 0 || unit?.trim().toLowerCase() !== 'bytes') return undefined
  const parts = list.split(',').map((part) => validPart(part.trim(), size))
  if (parts.includes(undefined)) return undefined
  const ranges = parseRange(size, `bytes=${parts.join(',')}`, { combine: true })
  if (ranges === -1) return 'outside'
  return ranges === -2 || ranges.length !== 1 ? undefined : ranges[0]
}

/** The last 500 bytes of 10 are all of them; the parser would call that a range outside. */
function validPart(part: string, size: number): string | undefined {
  const match = rangePattern.exec(part)
  if (match === null) return undefined
  const [, first, last, suffix] = match
  if (suffix !== undefined) return Number(suffix) > size ? `-${size}` : part
  return last !== '' && Number(last) < Number(first) ? undefined : part
}
