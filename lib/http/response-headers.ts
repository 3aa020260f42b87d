import { BoundedCache } from '../util/bounded-cache.js'
import type { DataServiceVersion } from './data-service-version.js'

/**
 * Stops scripts, forms and frames in a document that a browser opens: values of the data can hold XHTML or SVG.
 * Chromium needs inline styles to display XML as a tree.
 */
export const DOCUMENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** Headers of every response. Resources with one representation replace `Cache-Control`. @spec MS-ODATA 2.2.5 */
export function commonHeaders(version: DataServiceVersion): Readonly<Record<string, string>> {
  return commonOf[version]
}

const commonOf: Readonly<Record<DataServiceVersion, Readonly<Record<string, string>>>> = {
  '1.0': common('1.0'),
  '2.0': common('2.0'),
}

function common(version: DataServiceVersion): Readonly<Record<string, string>> {
  // Only who asks for it by these headers gets version 1: a cache must not give that answer to anybody else.
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
 * `Cache-Control` of a resource with one representation: without it browsers use a heuristic lifetime and show stale
 * content. A cache may store the response, but must revalidate it before each use.
 *
 * @param isPrivate whether responses depend on the caller, so that shared caches must not store them
 */
export function revalidation(isPrivate: boolean): Readonly<Record<'Cache-Control', string>> {
  return isPrivate ? unshared : shared
}

/** How many types of answers are kept for each version. */
const MAX_CACHED_TYPES = 100

const headersByType: Readonly<
  Record<DataServiceVersion, BoundedCache<string, Readonly<Record<string, string>>>>
> = {
  '1.0': new BoundedCache(MAX_CACHED_TYPES),
  '2.0': new BoundedCache(MAX_CACHED_TYPES),
}

/** The same with the type of what is sent: the same object for the same type, so that others can keep what it comes to. */
export function headersOfType(
  version: DataServiceVersion,
  contentType: string,
): Readonly<Record<string, string>> {
  const kept = headersByType[version]
  let headers = kept.get(contentType)
  if (headers === undefined) {
    headers = Object.freeze({ ...commonHeaders(version), 'Content-Type': contentType })
    kept.set(contentType, headers)
  }
  return headers
}

/** A date in the form of HTTP. */
export function httpDate(date: Date): string {
  return date.toUTCString()
}

/**
 * A value that may stand in a header: one line, in Latin-1. What providers give is not always that.
 */
export function headerValue(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')
}
