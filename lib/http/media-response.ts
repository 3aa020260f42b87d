import { ODataError } from '../errors/odata-error.js'
import type { MediaResource } from '../provider/media.js'
import { isNotModified, isRangeFresh } from './conditional-requests.js'
import { contentDisposition } from './content-disposition.js'
import type { ODataRequest } from './odata-request.js'
import type { ODataResponse } from './odata-response.js'
import { httpDate, headerValue } from './response-headers.js'
import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { isDate, isUint8Array } from 'node:util/types'
import createDebug from 'debug'
import { isPromiseLike } from '../util/promise-or-value.js'
import parseRange from 'range-parser'

/** How browsers handle media resources: display (`inline`) or download (`attachment`). */
type MediaDisposition = 'inline' | 'attachment'

/**
 * Creates the response that sends a media resource or a range of it. Closes the resource if its bytes are not needed.
 *
 * @param headers the common headers
 * @param disposition whether browsers display or download it
 * @throws ODataError PreconditionFailed, RangeNotSatisfiable; TypeError for an invalid media resource
 * @spec MS-ODATA 2.2.6.5.8, RFC 9110 14 (range requests)
 */
export function mediaResponse(
  request: ODataRequest,
  media: MediaResource,
  headers: Readonly<Record<string, string>>,
  disposition: MediaDisposition,
): ODataResponse {
  let isOpen = true
  try {
    const metadata = validateMedia(media)
    const all = { ...headers, ...mediaHeaders(metadata, disposition) }
    if (isNotModified(request, metadata)) return { status: 304, headers: withoutContent(all) }
    const range = rangeOf(request, metadata)
    const response = {
      status: range === undefined ? 200 : 206,
      headers: { ...all, ...sizeHeaders(metadata, range, all['Cache-Control']) },
    }
    if (request.method === 'HEAD') return response
    isOpen = false
    return { ...response, body: bytesOfMedia(media, range, metadata.range !== undefined) }
  } finally {
    if (isOpen) closeMedia(media)
  }
}

/** Media resources are untrusted: browsers must not run scripts of HTML or SVG in the origin of the service. */
const SANDBOX_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src 'self'; sandbox"

/** Browsers display PDF in isolated viewers. Some do not work in a sandbox. `nosniff` fixes the type. */
const PDF_POLICY = "script-src 'none'; base-uri 'none'; form-action 'none'"

const portableDocument = /^application\/pdf *(?:;|$)/i

function mediaHeaders(media: MediaMetadata, disposition: MediaDisposition): Record<string, string> {
  const headers: Record<string, string> = {
    'Content-Type': media.contentType,
    'Content-Security-Policy': portableDocument.test(media.contentType) ? PDF_POLICY : SANDBOX_POLICY,
  }
  if (media.size !== undefined || media.range !== undefined) headers['Accept-Ranges'] = 'bytes'
  if (media.lastModified !== undefined) headers['Last-Modified'] = httpDate(media.lastModified)
  if (media.etag !== undefined) headers.ETag = media.etag
  if (media.fileName !== undefined || disposition === 'attachment') {
    headers['Content-Disposition'] = contentDisposition(media.fileName, disposition)
  }
  return headers
}

/**
 * Returns the headers for the size and range of a media resource. They forbid compression by proxies, which would
 * invalidate the offsets of ranges.
 */
function sizeHeaders(
  { size }: MediaMetadata,
  range: ByteRange | undefined,
  cacheControl: string | undefined,
): Record<string, string> {
  if (range === undefined) return size === undefined ? {} : { 'Content-Length': String(size) }
  return {
    'Content-Length': String(range.end - range.start + 1),
    'Content-Range': `bytes ${range.start}-${range.end}/${size ?? '*'}`,
    'Cache-Control': cacheControl === undefined ? 'no-transform' : `${cacheControl}, no-transform`,
  }
}

/** Returns the `Range` header of a request that can be decided before the media resource is opened. */
export function requestedRange(request: ODataRequest): string | undefined {
  const header = request.method === 'GET' ? request.header('range') : undefined
  if (header === undefined || request.header('if-range') !== undefined) return undefined
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header.replace(/\s/g, '')) ?? []
  const isValid = first === '' ? last !== '' : last === '' || Number(last) >= Number(first)
  return isValid ? `bytes=${first}-${last}` : undefined
}

function rangeOf(request: ODataRequest, media: MediaMetadata): ByteRange | undefined {
  const { size } = media
  if (media.range !== undefined) return media.range
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

/** Validated metadata of a media resource, ready for headers. */
interface MediaMetadata {
  readonly contentType: string
  readonly size: number | undefined
  readonly range: ByteRange | undefined
  readonly lastModified: Date | undefined
  readonly etag: string | undefined
  readonly fileName: string | undefined
}

/**
 * Validates the metadata of a media resource, and repairs invalid header values.
 *
 * @throws TypeError for members of a wrong type
 */
function validateMedia(media: MediaResource): MediaMetadata {
  // Providers in JavaScript may return any types.
  const { contentType, size, range, lastModified, etag, fileName } = media as {
    [Name in keyof MediaResource]: unknown
  }
  return {
    contentType: headerValue(textOf('contentType', contentType)?.trim() ?? '') || 'application/octet-stream',
    size: sizeOf(size),
    range: selectedRange(range, size),
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

function selectedRange(range: unknown, size: unknown): ByteRange | undefined {
  if (range === undefined) return undefined
  const { start, end } = (range ?? {}) as Partial<Record<string, unknown>>
  const isRange = Number.isSafeInteger(start) && Number.isSafeInteger(end)
  const selected = { start: Number(start), end: Number(end) }
  const isInside =
    selected.start >= 0 && selected.end >= selected.start && selected.end < Number(size ?? Infinity)
  if (isRange && isInside) return selected
  throw invalid('range', 'the positions start and end of bytes of the resource', range)
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
 * Opens the bytes of a media resource.
 *
 * @param range undefined for all bytes
 * @param isSelected true if the resource consists of the range
 * @throws TypeError for a result of `stream` that is not supported
 */
function bytesOfMedia(
  media: MediaResource,
  range: ByteRange | undefined,
  isSelected: boolean,
): Readable | Uint8Array | string {
  const bytes: unknown = media.stream(isSelected ? undefined : range)
  if (typeof bytes === 'string' || isUint8Array(bytes)) {
    checkLength(Buffer.byteLength(bytes), range)
    return bytes
  }
  const stream = bytes instanceof ReadableStream ? Readable.fromWeb(bytes) : bytes
  if (isReadable(stream)) {
    // An error before the stream is read must not end the process; the reader receives it later.
    stream.on('error', ignore)
    return stream
  }
  if (isPromiseLike(bytes)) discardPromise(bytes)
  throw invalid('stream()', kindsOfBytes, bytes)
}

const kindsOfBytes =
  'a Readable of node:stream, a ReadableStream, a Uint8Array or a string, synchronously (await promises in open(), and ' +
  'wrap iterators in Readable.from)'

/**
 * Checks the number of bytes that a provider returned for a range. Bytes of another length would be at wrong offsets.
 */
function checkLength(length: number, range: ByteRange | undefined): void {
  if (range === undefined) return
  const wanted = range.end - range.start + 1
  if (length === wanted) return
  throw new TypeError(
    `stream() of a media resource must return the ${wanted} bytes from ${range.start} to ${range.end}, not ${length}.`,
  )
}

const methodsOfReadable = ['on', 'off', 'pipe', 'pause', 'resume', 'destroy'] as const

/** Accepts streams of other implementations, such as readable-stream. */
function isReadable(value: unknown): value is Readable {
  if (typeof value !== 'object' || value === null) return false
  const members = value as Record<string, unknown>
  return methodsOfReadable.every((name) => typeof members[name] === 'function')
}

/** Handles an unexpected promise: its rejection must not end the process, and its stream must be closed. */
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
  // The reader of the stream receives the error.
}

/** Closes a media resource whose bytes are not needed. Errors do not affect the response. */
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

/** Positions of the first and the last byte. */
interface ByteRange {
  readonly start: number
  readonly end: number
}

const rangePattern = /^(?:(\d+)-(\d*)|-(\d+))$/

/**
 * Parses a `Range` header with a single range.
 *
 * @param size bytes of the whole resource
 * @returns undefined for several ranges and for invalid headers, which are ignored; `outside` when the range is not
 * satisfiable
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

/**
 * Returns a valid part of a `Range` header. A suffix longer than the resource means the whole resource; the parser
 * would reject it.
 */
function validPart(part: string, size: number): string | undefined {
  const match = rangePattern.exec(part)
  if (match === null) return undefined
  const [, first, last, suffix] = match
  if (suffix !== undefined) return Number(suffix) > size ? `-${size}` : part
  return last !== '' && Number(last) < Number(first) ? undefined : part
}
