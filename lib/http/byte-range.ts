import parseRange from 'range-parser'

/** The first and the last byte of a part. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

const rangePattern = /^(?:(\d+)-(\d*)|-(\d+))$/

/**
 * The one part of a resource that a `Range` header asks for.
 *
 * @param size bytes of the whole resource
 * @returns undefined for the whole: it is the answer to several parts at once, and to a header that is not valid;
 * `outside` when nothing of what is asked for is there
 * @spec RFC 9110 14.1.2 (byte ranges)
 */
export function parseByteRange(header: string, size: number): ByteRange | 'outside' | undefined {
  const [unit, list, ...rest] = header.split('=')
  if (list === undefined || rest.length > 0 || unit?.trim().toLowerCase() !== 'bytes') return undefined
  const parts = list.split(',').map((part) => validPart(part.trim(), size))
  if (parts.includes(undefined)) return undefined
  const ranges = parseRange(size, `bytes=${parts.join(',')}`, { combine: true })
  if (ranges === -1) return 'outside'
  return ranges === -2 || ranges.length !== 1 ? undefined : ranges[0]
}

/** The last 500 bytes of 10 are all of them; the parser would call that a range outside. */
function validPart(part: string, size: number): string | undefined {
  const match = rangePattern.exec(part)
  if (match === null) return undefined
  const [, first, last, suffix] = match
  if (suffix !== undefined) return Number(suffix) > size ? `-${size}` : part
  return last !== '' && Number(last) < Number(first) ? undefined : part
}
