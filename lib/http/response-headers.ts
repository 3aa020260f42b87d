import type { DataServiceVersion } from './data-service-version.js'

/** Headers of every answer. @spec MS-ODATA 2.2.5 */
export function commonHeaders(version: DataServiceVersion): Record<string, string> {
  return { DataServiceVersion: version, Vary: 'Accept', 'X-Content-Type-Options': 'nosniff' }
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
