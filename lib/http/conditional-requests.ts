import { ODataError } from '../errors/odata-error.js'
import type { ODataRequest } from './odata-request.js'
import { createHash } from 'node:crypto'

/** The validators of a resource. */
interface Validators {
  readonly etag?: string | undefined
  readonly lastModified?: Date | undefined
}

/**
 * Evaluates the conditions of a read request.
 *
 * @returns true when the client has the current representation, and the response is 304
 * @throws ODataError PreconditionFailed when `If-Match` or `If-Unmodified-Since` is false
 * @spec RFC 9110 13.2.2, MS-ODATA 2.2.5.5 (If-Match), 2.2.5.6 (If-None-Match)
 */
export function isNotModified(request: ODataRequest, { etag, lastModified }: Validators): boolean {
  const match = request.header('if-match')
  if (match !== undefined) {
    // ETags of entities are weak; those of media resources are strong.
    const isEqual = etag?.startsWith('W/') === true ? isWeaklyEqual : isStronglyEqual
    if (!matchesTag(match, etag, isEqual)) throw new ODataError('PreconditionFailed')
  } else if (lastModified !== undefined) {
    const seconds = secondsAfter(request.header('if-unmodified-since'), lastModified)
    if (seconds > 0) throw new ODataError('PreconditionFailed')
  }
  const noneMatch = request.header('if-none-match')
  if (noneMatch !== undefined) return matchesTag(noneMatch, etag, isWeaklyEqual)
  return lastModified !== undefined && secondsAfter(request.header('if-modified-since'), lastModified) <= 0
}

/**
 * Returns true if a range of a media resource may be sent: with a false `If-Range`, the whole resource is sent.
 *
 * @spec RFC 9110 13.1.5
 */
export function isRangeFresh(request: ODataRequest, { etag, lastModified }: Validators): boolean {
  const condition = request.header('if-range')
  if (condition === undefined) return true
  if (condition.includes('"')) return etag !== undefined && isStronglyEqual(condition.trim(), etag)
  return lastModified !== undefined && secondsAfter(condition, lastModified) === 0
}

/** Returns true if a list of ETags contains an ETag. `*` matches every existing resource, even without ETag. */
function matchesTag(
  header: string,
  etag: string | undefined,
  isEqual: (a: string, b: string) => boolean,
): boolean {
  if (header.trim() === '*') return true
  if (etag === undefined) return false
  const tags = header.match(/(?:W\/)?"[^"]*"/g) ?? []
  return tags.some((tag) => isEqual(tag, etag))
}

/** Returns true if `If-Match` is one ETag, which a store can compare itself. */
export function isSingleTag(header: string): boolean {
  return /^(?:W\/)?"[^"]*"$/.test(header)
}

function isWeaklyEqual(a: string, b: string): boolean {
  return a.replace(/^W\//, '') === b.replace(/^W\//, '')
}

function isStronglyEqual(a: string, b: string): boolean {
  return a === b && !a.startsWith('W/')
}

/** Accepts only HTTP dates: `Date.parse` accepts many other formats. */
const httpDate = /^[A-Z][a-z]{2,8}, ?\d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} .*GMT$/

/**
 * Returns how many seconds after an HTTP date a resource was modified. Such dates have whole seconds.
 *
 * @returns NaN without a valid date
 */
function secondsAfter(header: string | undefined, lastModified: Date): number {
  if (header === undefined || !httpDate.test(header)) return Number.NaN
  return Math.floor(lastModified.getTime() / 1000) - Date.parse(header) / 1000
}

/**
 * Evaluates the conditions of a write request.
 *
 * @param etag of the entity; undefined when its type has no concurrency token
 * @param isOptional whether changes without `If-Match` are accepted
 * @returns true when the change must check that the entity still has this version
 * @throws ODataError PreconditionRequired, PreconditionFailed, or BadRequest for conditions that are not supported
 * @spec MS-ODATA 2.2.5.5 (If-Match)
 */
export function checkChange(request: ODataRequest, etag: string | undefined, isOptional = false): boolean {
  refuseNoneMatch(request)
  const match = request.header('if-match')
  if (etag === undefined) {
    if (match === undefined || match.trim() === '*') return false
    throw new ODataError('BadRequest', {
      message: 'Entities of this type have no ETag: omit If-Match.',
    })
  }
  if (match === undefined) {
    if (isOptional) return false
    throw new ODataError('PreconditionRequired')
  }
  if (match.trim() === '*') return false
  if (!matchesTag(match, etag, isWeaklyEqual)) throw new ODataError('PreconditionFailed')
  return true
}

/**
 * Rejects `If-None-Match` for write requests, also of links.
 *
 * @throws ODataError BadRequest
 * @spec MS-ODATA 2.2.5.6 (If-None-Match)
 */
export function refuseNoneMatch(request: ODataRequest): void {
  if (request.header('if-none-match') === undefined) return
  throw new ODataError('BadRequest', {
    message: 'If-None-Match is only accepted for reads: omit it from write requests.',
  })
}

/** Computes a strong ETag of a document. */
export function etagOfDocument(body: string | Uint8Array): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
}
