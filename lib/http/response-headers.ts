import { formatSeconds } from '../edm/instant.js'
import { BoundedCache } from '../util/bounded-cache.js'
import type { DataServiceVersion } from './data-service-version.js'
import type { ODataRequest } from './odata-request.js'

/**
 * Stops scripts, forms and frames in a document that a browser opens: values of the data can hold XHTML or SVG.
 * Chromium needs inline styles to display XML as a tree.
 */
export const DOCUMENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/**
 * Returns the headers of every response. Resources with one representation replace `Cache-Control`.
 *
 * @spec MS-ODATA 2.2.5
 */
export function commonHeaders(version: DataServiceVersion): Readonly<Record<string, string>> {
  return commonOf[version]
}

const commonOf: Readonly<Record<DataServiceVersion, Readonly<Record<string, string>>>> = {
  '1.0': common('1.0'),
  '2.0': common('2.0'),
}

function common(version: DataServiceVersion): Readonly<Record<string, string>> {
  // Version 1.0 is only sent if these headers request it.
  const Vary = version === '1.0' ? 'Accept, DataServiceVersion, MaxDataServiceVersion' : 'Accept'
  return Object.freeze({
    DataServiceVersion: version,
    // After a 304 browsers return the cached representation, JSON or Atom, and ignore Accept.
    'Cache-Control': 'no-store',
    'Content-Security-Policy': DOCUMENT_POLICY,
    Vary,
    'X-Content-Type-Options': 'nosniff',
  })
}

const shared = Object.freeze({ 'Cache-Control': 'no-cache' })
const unshared = Object.freeze({ 'Cache-Control': 'private, no-cache' })

/**
 * Returns the `Cache-Control` of a resource with one representation. A cache may store the response, but must
 * revalidate it before each use. Without the header, browsers use a heuristic lifetime and show stale content.
 *
 * @param isPrivate whether responses depend on the caller, so that shared caches must not store them
 */
export function revalidation(isPrivate: boolean): Readonly<Record<'Cache-Control', string>> {
  return isPrivate ? unshared : shared
}

const MAX_CACHED_TYPES = 100

const headersByType: Readonly<
  Record<DataServiceVersion, BoundedCache<string, Readonly<Record<string, string>>>>
> = {
  '1.0': new BoundedCache(MAX_CACHED_TYPES),
  '2.0': new BoundedCache(MAX_CACHED_TYPES),
}

/** Returns common headers with a content type: the same object for the same type, so that callers can use it as cache key. */
export function headersOfType(
  version: DataServiceVersion,
  contentType: string,
): Readonly<Record<string, string>> {
  const cache = headersByType[version]
  let headers = cache.get(contentType)
  if (headers === undefined) {
    headers = Object.freeze({ ...commonHeaders(version), 'Content-Type': contentType })
    cache.set(contentType, headers)
  }
  return headers
}

let second = 0
let timeOfSecond = ''

/** Returns the time in whole seconds, as Atom requires it. Shared by all responses of a second. */
export function timeOfResponse(): string {
  const now = Math.floor(Date.now() / 1000)
  if (now !== second) {
    second = now
    timeOfSecond = `${formatSeconds(now * 1000)}Z`
  }
  return timeOfSecond
}

/** Formats an HTTP date. */
export function httpDate(date: Date): string {
  return date.toUTCString()
}

const forbidden = /[^\t\x20-\x7e\x80-\xff]/
const allForbidden = new RegExp(forbidden, 'g')

/** Replaces characters that headers must not contain: values of providers may be multi-line or not Latin-1. */
export function headerValue(text: string): string {
  return forbidden.test(text) ? text.replace(allForbidden, '?') : text
}

/** Returns true if a client asks for delta links: `Prefer: odata.track-changes`. */
export function prefersChanges(request: ODataRequest): boolean {
  return /(?:^|,)\s*odata\.track-changes\s*(?:,|;|$)/i.test(request.header('prefer') ?? '')
}

/** The `Prefer` header of a request. */
interface Preference {
  /** True if the client prefers content in the response to a change. Undefined without a preference. */
  readonly content: boolean | undefined
  /** The header of a response that follows the preference. */
  readonly headers: { readonly 'Preference-Applied'?: string }
}

const noPreference: Preference = { content: undefined, headers: {} }

/** Parses the `Prefer` header of a change. Accepts the syntax of RFC 7240, and that of its drafts. */
export function preferenceOf(request: ODataRequest): Preference {
  const prefer = request.header('prefer')
  if (prefer === undefined) return noPreference
  const isMinimal = /(?:^|,)\s*return(?:-no-content|\s*=\s*minimal)\s*(?:,|;|$)/i.test(prefer)
  const isContent = /(?:^|,)\s*return(?:-content|\s*=\s*representation)\s*(?:,|;|$)/i.test(prefer)
  if (!isMinimal && !isContent) return noPreference
  const [minimal, content] = /return\s*=/i.test(prefer)
    ? ['return=minimal', 'return=representation']
    : ['return-no-content', 'return-content']
  return { content: !isMinimal, headers: { 'Preference-Applied': isMinimal ? minimal : content } }
}
