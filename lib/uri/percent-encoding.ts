import { ODataError } from '../errors/odata-error.js'

const unreserved = /^[A-Za-z0-9\-._~'()*!,=:@$;]*$/
/**
 * Characters that `encodeURIComponent` encodes although URIs can contain them. They are decoded again, so that links
 * are readable.
 */
const readable = /%2C|%3D|%3A|%40|%24|%3B/g
const characters: Readonly<Record<string, string>> = {
  '%2C': ',',
  '%3D': '=',
  '%3A': ':',
  '%40': '@',
  '%24': '$',
  '%3B': ';',
}

/**
 * Encodes a literal for a path or a query: everything but unreserved characters and `'()*!,=:@$;`. The slash is always
 * encoded, because UI5 uses the part after the last slash as the key.
 *
 * @spec RFC 3986 2.1
 */
export function percentEncode(text: string): string {
  if (unreserved.test(text)) return text
  // Lone surrogates have no UTF-8 encoding.
  return encodeURIComponent(text.toWellFormed()).replace(readable, (code) => characters[code] ?? code)
}

/**
 * Decodes the percent-encoded UTF-8 of a path segment, exactly once.
 *
 * @throws ODataError BadRequest for a broken escape or bytes that are not UTF-8
 */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ODataError('BadRequest', {
      message: `The URI is not percent-encoded UTF-8: '${text.slice(0, 100)}'.`,
    })
  }
}

/** Decodes a name or value of the query, in which clients encode spaces as `+` and plus signs as `%2B`. */
export function formDecode(text: string): string {
  return percentDecode(text.includes('+') ? text.replaceAll('+', ' ') : text)
}
