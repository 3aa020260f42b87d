/** A media range of an `Accept` header, or the media type of `$format`. */
export interface MediaRange {
  /** Lower case; `*` for any. */
  readonly type: string
  readonly subtype: string
  /** Names and values in lower case, without `q`. */
  readonly parameters: ReadonlyMap<string, string>
  /** From 0 to 1. */
  readonly quality: number
}

const token = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/.source
// White space is matched in one place each, so that no input causes backtracking.
const parameterSource = `;\\s*(?:(${token})\\s*=\\s*(?:(${token})|"((?:[^"\\\\]|\\\\.)*)")\\s*)?`
const rangePattern = new RegExp(`^\\s*(${token})/(${token})\\s*((?:${parameterSource})*)$`)
const parameterPattern = new RegExp(parameterSource, 'g')
const qualityPattern = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/** Longer headers are ignored. */
const MAX_HEADER_LENGTH = 2_000

/**
 * Parses an `Accept` header.
 *
 * @returns undefined for absent, empty and malformed headers, which accept any media type
 * @spec RFC 9110 12.5.1
 */
export function parseAccept(header: string | undefined): readonly MediaRange[] | undefined {
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return undefined
  const ranges: MediaRange[] = []
  for (const part of header.split(',')) {
    if (part.trim() === '') continue
    const range = parseMediaRange(part)
    if (range === undefined) return undefined
    ranges.push(range)
  }
  return ranges.length === 0 ? undefined : ranges
}

/** Parses a media type with its parameters. @returns undefined for an invalid media type */
export function parseMediaRange(text: string): MediaRange | undefined {
  const match = text.length > MAX_HEADER_LENGTH ? null : rangePattern.exec(text)
  if (match === null) return undefined
  const [, type = '', subtype = '', rest = ''] = match
  if (type === '*' && subtype !== '*') return undefined
  const parameters = new Map<string, string>()
  let quality = 1
  for (const [, name, plain, quoted] of rest.matchAll(parameterPattern)) {
    if (name === undefined) continue
    const value = (plain ?? quoted ?? '').toLowerCase()
    if (name.toLowerCase() !== 'q') parameters.set(name.toLowerCase(), value)
    else if (qualityPattern.test(value)) quality = Number(value)
    else return undefined
  }
  return { type: type.toLowerCase(), subtype: subtype.toLowerCase(), parameters, quality }
}
