/** Longer headers and ranges, in characters, are ignored. */
const MAX_HEADER_LENGTH = 2_000
const MAX_RANGE_LENGTH = 100

const rangePattern = /^(?:\*|[a-z]{1,8}(?:-(?:\*|[a-z0-9]{1,8}))*)$/
const qualityPattern = /^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i

/** A language range of an `Accept-Language` header. */
interface LanguageRange {
  /** In lower case. */
  readonly range: string
  /** From 0 to 1. */
  readonly quality: number
}

/**
 * Finds the language that an `Accept-Language` header prefers, by the lookup of RFC 4647. Malformed ranges are ignored.
 *
 * @param header value of the header
 * @param tags supported languages, the default language first
 * @returns undefined when no range matches
 * @example acceptedLanguage('de-AT,en;q=0.5', ['en', 'de']) // 'de'
 * @spec RFC 4647 3.4, RFC 9110 12.5.4
 */
export function acceptedLanguage(header: string, tags: readonly string[]): string | undefined {
  if (header.length > MAX_HEADER_LENGTH) return undefined
  const ranges = header.split(',').flatMap(parseRange)
  const refused = ranges.filter(({ quality }) => quality === 0)
  const offered = tags.filter((tag) => !refused.some(({ range }) => isWithin(tag.toLowerCase(), range)))
  const accepted = ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality)
  for (const { range } of accepted) {
    const tag = range === '*' ? offered[0] : lookUpLanguage(range, offered)
    if (tag !== undefined) return tag
  }
  return undefined
}

/**
 * Finds the supported language of a language range: shortens the range until it equals a tag.
 *
 * @param range a language range in any case
 * @returns undefined when no language matches
 * @spec RFC 4647 3.4
 */
export function lookUpLanguage(range: string, tags: readonly string[]): string | undefined {
  let subtags = range.length > MAX_RANGE_LENGTH ? [] : range.toLowerCase().split('-')
  while (subtags.length > 0) {
    const shortened = subtags.join('-')
    const found = tags.find((tag) => tag.toLowerCase() === shortened)
    if (found !== undefined) return found
    subtags = subtags.slice(0, -1)
    // A single letter or digit introduces the subtags after it.
    if (subtags.at(-1)?.length === 1) subtags = subtags.slice(0, -1)
  }
  return undefined
}

function parseRange(part: string): readonly LanguageRange[] {
  const [range = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase())
  if (range.length > MAX_RANGE_LENGTH || !rangePattern.test(range)) return []
  if (parameters.length === 0) return [{ range, quality: 1 }]
  const quality = parameters.length === 1 ? qualityPattern.exec(parameters[0] ?? '')?.[1] : undefined
  return quality === undefined ? [] : [{ range, quality: Number(quality) }]
}

/** Returns true if a refused range covers a tag. `*` only refuses languages that no other range names. */
function isWithin(tag: string, range: string): boolean {
  return tag === range || tag.startsWith(`${range}-`)
}
