/** The query options of an address, decoded, in their order. */
export type QueryOptions = ReadonlyMap<string, string>

/** An address relative to the service root, as path and query options. */
export interface RelativeAddress {
  readonly path: string
  readonly options: QueryOptions
}

export function parseAddress(address: string): RelativeAddress {
  const mark = address.indexOf('?')
  if (mark < 0) return { path: address, options: new Map() }
  return { path: address.slice(0, mark), options: new Map(new URLSearchParams(address.slice(mark + 1))) }
}

/** Formats options. Omits empty ones, and escapes only characters that must be escaped. */
export function formatAddress(path: string, options: Iterable<readonly [string, string]>): string {
  const pairs = [...options]
    .filter(([, value]) => value.trim() !== '')
    .map(([name, value]) => `${encodeOption(name)}=${encodeOption(value)}`)
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

function encodeOption(text: string): string {
  return encodeURIComponent(text).replace(/%(?:24|2C|2F|3A|40)/g, (escape) => decodeURIComponent(escape))
}

/** Decodes a part of an address; returns malformed ones as they are. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Splits a path at slashes outside of quotes. The segments stay encoded. */
export function splitPath(path: string): string[] {
  const segments = ['']
  let isQuoted = false
  for (const [character] of path.replaceAll('%27', "'").matchAll(/[^]/gu)) {
    if (character === "'") isQuoted = !isQuoted
    if (character === '/' && !isQuoted) segments.push('')
    else segments[segments.length - 1] += character
  }
  return segments.filter((segment) => segment !== '')
}

/** Prefix and suffix of the literals of each type that has them. */
const DELIMITERS: Readonly<Record<string, readonly [prefix: string, suffix: string]>> = {
  'Edm.String': ["'", "'"],
  'Edm.DateTime': ["datetime'", "'"],
  'Edm.DateTimeOffset': ["datetimeoffset'", "'"],
  'Edm.Time': ["time'", "'"],
  'Edm.Guid': ["guid'", "'"],
  'Edm.Binary': ["X'", "'"],
  'Edm.Int64': ['', 'L'],
  'Edm.Decimal': ['', 'M'],
}

/** Converts an entered value to a literal. */
export function formatLiteral(type: string, value: string): string {
  const [prefix, suffix] = DELIMITERS[type] ?? ['', '']
  return prefix + (type === 'Edm.String' ? value.replaceAll("'", "''") : value) + suffix
}

/** Returns the literal of a value in verbose JSON; undefined for null, dates, times and binary values. */
export function literalOf(type: string, value: unknown): string | undefined {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isPlain && !/^Edm\.(?:DateTime|Time|Binary)/.test(type) ? formatLiteral(type, `${value}`) : undefined
}

/** Converts a literal to the value that a user enters. */
export function parseLiteral(type: string, literal: string): string {
  const quoted = /^[A-Za-z]*'([^]*)'$/.exec(literal)?.[1]
  if (quoted !== undefined) return quoted.replaceAll("''", "'")
  return /^Edm\.(?:Int64|Decimal)$/.test(type) ? literal.replace(/[LM]$/i, '') : literal
}

/** A view of the page, as in the fragment of its URL. */
export type Route =
  | { readonly view: 'start' }
  | { readonly view: 'resource'; readonly address: string }
  | { readonly view: 'new' | 'edit'; readonly path: string }
  | { readonly view: 'types'; readonly name: string }
  | { readonly view: (typeof PLAIN_VIEWS)[number] }
  | { readonly view: 'files'; readonly path: string }

/** The views without a path. */
const PLAIN_VIEWS = ['diagram', 'batch', 'requests', 'changes', 'openapi'] as const

export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#/, '')
  if (text.startsWith('/') && text !== '/') return { view: 'resource', address: text.slice(1) }
  const [view, ...rest] = text.split('/')
  if (view === 'new' || view === 'edit') return { view, path: rest.join('/') }
  if (view === 'types') return { view, name: decode(rest.join('/')) }
  const plain = PLAIN_VIEWS.find((name) => name === view)
  if (plain !== undefined) return { view: plain }
  if (view === 'files') return { view, path: `/${rest.map(decode).join('/')}` }
  return { view: 'start' }
}

export function resourceHash(address: string): string {
  return `#/${address}`
}

/** Returns the view of an entity set, with the first 25 entities. */
export function setHash(path: string): string {
  return resourceHash(`${encodeURIComponent(path)}?$top=25`)
}

export function typeHash(qualifiedName: string): string {
  return `#types/${encodeURIComponent(qualifiedName)}`
}

/** @param path of a file, with a leading slash */
export function fileHash(path: string): string {
  return `#files${path === '/' ? '' : path.split('/').map(encodeURIComponent).join('/')}`
}

/**
 * Returns `#` for addresses that could run scripts, such as `javascript:`. Allows HTTP, relative addresses, and `data:`
 * with bitmap images.
 */
export function safeAddress(address: string): string {
  // Browsers ignore control characters and blanks before the scheme.
  const scheme = /^([^/?#]*?):/.exec(address.replace(/[\u0000-\u0020]/g, ''))?.[1]?.toLowerCase()
  if (scheme === undefined || scheme === 'http' || scheme === 'https') return address
  if (/^data:image\/(?:png|jpeg|gif|webp|bmp);base64,[\w+/=]*$/.test(address)) return address
  return '#'
}
