import { ODataError } from '../errors/odata-error.js'
import type { ODataRequest } from './odata-request.js'
import { createHash } from 'node:crypto'

/** What is known of the state of a resource. */
export interface Validators {
  readonly etag?: string | undefined
  readonly lastModified?: Date | undefined
}

/**
 * Looks whether a resource is to be sent at all.
 *
 * @returns true when the client has it already, and 304 is the answer
 * @throws ODataError PreconditionFailed when it is not in the state that the client asks for
 * @spec RFC 9110 13.2.2, MS-ODATA 2.2.5.5 (If-Match), 2.2.5.6 (If-None-Match)
 */
export function isNotModified(request: ODataRequest, validators: Validators): boolean {
  checkPreconditions(request, validators)
  const noneMatch = request.header('if-none-match')
  if (noneMatch !== undefined) return matchesTag(noneMatch, validators.etag, isWeaklyEqual)
  const since = dateOf(request.header('if-modified-since'))
  const modified = seconds(validators.lastModified)
  return since !== undefined && modified !== undefined && modified <= since
}

function checkPreconditions(request: ODataRequest, { etag, lastModified }: Validators): void {
  const match = request.header('if-match')
  if (match !== undefined) {
    // Versions of entities are weak tags, and are compared as such; media resources have strong ones.
    const isEqual = etag?.startsWith('W/') === true ? isWeaklyEqual : isStronglyEqual
    if (!matchesTag(match, etag, isEqual)) throw new ODataError('PreconditionFailed')
    return
  }
  const since = dateOf(request.header('if-unmodified-since'))
  const modified = seconds(lastModified)
  if (since !== undefined && modified !== undefined && modified > since)
    throw new ODataError('PreconditionFailed')
}

/**
 * Whether a range of a media resource may be sent: `If-Range` asks for all of it when it has changed.
 *
 * @spec RFC 9110 13.1.5
 */
export function isRangeFresh(request: ODataRequest, { etag, lastModified }: Validators): boolean {
  const condition = request.header('if-range')
  if (condition === undefined) return true
  if (condition.includes('"')) return etag !== undefined && isStronglyEqual(condition.trim(), etag)
  const date = dateOf(condition)
  return date !== undefined && seconds(lastModified) === date
}

/** A resource that exists matches `*`, whether or not it has a tag. */
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

function isWeaklyEqual(a: string, b: string): boolean {
  return a.replace(/^W\//, '') === b.replace(/^W\//, '')
}

function isStronglyEqual(a: string, b: string): boolean {
  return a === b && !a.startsWith('W/')
}

/** Dates of HTTP have whole seconds. */
function seconds(date: Date | undefined): number | undefined {
  return date === undefined ? undefined : Math.floor(date.getTime() / 1000)
}

/** Only dates in the form of HTTP count; JavaScript would take nearly anything for a date. */
function dateOf(header: string | undefined): number | undefined {
  if (header === undefined || !/^[A-Z][a-z]{2,8}, ?\d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} .*GMT$/.test(header)) {
    return undefined
  }
  const time = Date.parse(header)
  return Number.isNaN(time) ? undefined : time / 1000
}

/**
 * Looks whether a change may be made to an entity.
 *
 * @param etag of the entity; undefined when its type has no concurrency token
 * @returns true when the entity must still be in this version when it is changed
 * @throws ODataError PreconditionRequired, PreconditionFailed, or BadRequest for conditions that make no sense
 * @spec MS-ODATA 2.2.5.5 (If-Match)
 */
export function checkChange(request: ODataRequest, etag: string | undefined): boolean {
  refuseNoneMatch(request)
  const match = request.header('if-match')
  if (etag === undefined) {
    if (match === undefined || match.trim() === '*') return false
    throw new ODataError('BadRequest', {
      message: 'Entities of this type have no ETag: omit If-Match.',
    })
  }
  if (match === undefined) throw new ODataError('PreconditionRequired')
  if (match.trim() === '*') return false
  if (!matchesTag(match, etag, isWeaklyEqual)) throw new ODataError('PreconditionFailed')
  return true
}

/**
 * Refuses a condition that no change can have, also where no version is asked for: of links.
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

/** The ETag of a text that is the same as long as the text is. */
export function etagOf(body: string | Uint8Array): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
}
