import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { isDate, isUint8Array } from 'node:util/types'
import createDebug from 'debug'
import type { MediaResource } from '../provider/media.js'
import { isPromiseLike } from '../util/maybe-promise.js'
import type { ByteRange } from './byte-range.js'
import { headerValue } from './response-headers.js'

const debugError = createDebug('odata-v2:error')

/** What is told of a media resource, fit for headers. */
export interface MediaFacts {
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
export function factsOf(media: MediaResource): MediaFacts {
  // Written in JavaScript, it may hold anything.
  const { contentType, size, lastModified, etag, fileName } = media as {
    [Name in keyof MediaResource]: unknown
  }
  return {
    contentType: headerValue(textOf('contentType', contentType)?.trim() ?? '') || 'application/octet-stream',
    size: sizeOf(size),
    lastModified: dateOf(lastModified),
    etag: etagOf(textOf('etag', etag)),
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
function etagOf(etag: string | undefined): string | undefined {
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
export function bytesOfMedia(
  media: MediaResource,
  range: ByteRange | undefined,
): Readable | Uint8Array | string {
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
  if (isPromiseLike(bytes)) abandon(bytes)
  throw invalid('stream()', kindsOfBytes, bytes)
}

const kindsOfBytes =
  'a Readable of node:stream, a ReadableStream, a Uint8Array or a string at once (wait for promises in open(), and ' +
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
function abandon(promise: PromiseLike<unknown>): void {
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
export function closeMedia(media: MediaResource): void {
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
