import { ODataError } from '../errors/odata-error.js'
import { BoundedCache } from '../util/bounded-cache.js'
import { truncate } from '../util/describe-value.js'
import { atomFormat } from './atom/atom-format.js'
import type { Format } from './format.js'
import { jsonFormat } from './json/json-format.js'
import { parseMediaRange } from './media-range.js'

export type RequestKind = 'entry' | 'value' | 'link'

/** The format and the charset of a body. */
interface RequestFormat {
  readonly format: Format
  /** Argument of {@link decodeBody}; undefined without charset. */
  readonly charset: string | undefined
}

const values: Readonly<Record<string, Format>> = {
  'application/json': jsonFormat,
  'application/xml': atomFormat,
  'text/xml': atomFormat,
}

/** @spec MS-ODATA 2.2.5.2 (Content-Type), 2.2.6 */
const formats: Readonly<Record<RequestKind, Readonly<Record<string, Format>>>> = {
  entry: { ...values, 'application/atom+xml': atomFormat },
  value: values,
  link: values,
}

/** Labels of `TextDecoder` by the names that clients use. */
const charsets: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'utf-16': 'utf-16',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  'iso-8859-1': 'windows-1252',
  'latin-1': 'windows-1252',
  latin1: 'windows-1252',
  'windows-1252': 'windows-1252',
  'us-ascii': 'us-ascii',
  ascii: 'us-ascii',
}

/**
 * Returns the format of a body.
 *
 * @param contentType the `Content-Type` header
 * @throws ODataError UnsupportedMediaType for a missing or unsupported media type
 */
export function requestFormat(contentType: string | undefined, kind: RequestKind): RequestFormat {
  if (contentType === undefined || contentType.length > MAX_CACHED_LENGTH)
    return parseContentType(contentType, kind)
  const name = `${kind} ${contentType}`
  let format = cachedFormats.get(name)
  if (format === undefined) {
    format = parseContentType(contentType, kind)
    cachedFormats.set(name, format)
  }
  return format
}

const MAX_CACHED_HEADERS = 100
const MAX_CACHED_LENGTH = 200
const cachedFormats = new BoundedCache<string, RequestFormat>(MAX_CACHED_HEADERS)

function parseContentType(contentType: string | undefined, kind: RequestKind): RequestFormat {
  const known = formats[kind]
  const media = parseMediaRange(contentType ?? '')
  const name = media === undefined ? '' : `${media.type}/${media.subtype}`
  const format = Object.hasOwn(known, name) ? known[name] : undefined
  if (media === undefined || format === undefined) {
    const found =
      contentType === undefined || contentType.trim() === '' ? 'is missing' : `is '${truncate(contentType)}'`
    throw unsupported(`Content-Type ${found}; it must be one of ${Object.keys(known).join(', ')}.`)
  }
  const type = media.parameters.get('type')
  if (name === 'application/atom+xml' && type !== undefined && type !== 'entry') {
    throw unsupported(
      `Content-Type names the type '${truncate(type)}'; a body has one entity: use type=entry.`,
    )
  }
  const odata = media.parameters.get('odata')
  if (format === jsonFormat && odata !== undefined && odata !== 'verbose') {
    throw unsupported(`Content-Type names odata=${truncate(odata)}; OData V2 supports only odata=verbose.`)
  }
  const charset = media.parameters.get('charset')
  return { format, charset: charset === undefined ? undefined : charsetOf(charset) }
}

function charsetOf(name: string): string {
  const charset = Object.hasOwn(charsets, name) ? charsets[name] : undefined
  if (charset !== undefined) return charset
  throw unsupported(`The charset '${truncate(name)}' is not supported: send the body in UTF-8.`)
}

function unsupported(message: string): ODataError {
  return new ODataError('UnsupportedMediaType', { message })
}

/**
 * Decodes a body. A byte order mark takes precedence over the header, and the header over an XML declaration. The
 * mark is left out.
 *
 * @param charset as {@link requestFormat} gives it
 * @throws ODataError BadRequest for bytes that are not of the charset, UnsupportedMediaType for an XML declaration
 * with an encoding that is not supported
 * @spec RFC 7303 3 (XML media types)
 */
export function decodeBody(bytes: Uint8Array, charset: string | undefined): string {
  const named = charset ?? declaredCharset(bytes)
  const actual = markedCharset(bytes) ?? (named === 'utf-16' ? guessedOrder(bytes) : named)
  try {
    if (actual === 'us-ascii' && bytes.some((byte) => byte > 0x7f)) throw new RangeError('A byte beyond 127.')
    return decoderOf(actual).decode(bytes)
  } catch (error) {
    throw new ODataError('BadRequest', {
      message: `The body has bytes that are not ${actual}.`,
      cause: error,
    })
  }
}

const decoders = new Map<string, InstanceType<typeof TextDecoder>>()

/** Returns the decoder of a character set, and caches it. The number of character sets limits the cache. */
function decoderOf(charset: string): InstanceType<typeof TextDecoder> {
  let decoder = decoders.get(charset)
  if (decoder === undefined) {
    decoder = new TextDecoder(charset, { fatal: true })
    decoders.set(charset, decoder)
  }
  return decoder
}

function markedCharset([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined
}

const declaration = /^<\?xml\s+version\s*=\s*(?:"[^"]*"|'[^']*')\s+encoding\s*=\s*["']([^"']*)["']/

/** The declaration of an XML document ends before that. */
const MAX_DECLARATION_BYTES = 200

/** Returns the encoding in the declaration of an XML document; UTF-8 without one. @spec XML 1.0 appendix F */
function declaredCharset(bytes: Uint8Array): string {
  const [first, second] = bytes
  if ((first === 0 && second === 0x3c) || (first === 0x3c && second === 0)) return 'utf-16'
  if (first !== 0x3c) return 'utf-8'
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAX_DECLARATION_BYTES))
  const charset = charsetOf((declaration.exec(start.toString('latin1'))?.[1] ?? 'utf-8').toLowerCase())
  // A document without zero bytes is not UTF-16, although .NET declares it so.
  return charset.startsWith('utf-16') ? 'utf-8' : charset
}

/**
 * Guesses the byte order of UTF-16. Documents begin with an ASCII character, so that one of its two bytes is zero.
 */
function guessedOrder([first]: Uint8Array): string {
  return first === 0 ? 'utf-16be' : 'utf-16le'
}
