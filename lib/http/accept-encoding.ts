/** Documents of fewer bytes fit into one packet, and are only compressed if a client accepts nothing else. */
const MIN_COMPRESSED_BYTES = 1024

/**
 * Returns true if a response should be compressed with gzip.
 *
 * @param header the header `Accept-Encoding`
 * @param byteLength of the document without compression
 * @spec RFC 9110 12.5.3
 */
export function prefersGzip(header: string | undefined, byteLength: number): boolean {
  if (header === undefined) return false
  const weights = parseWeights(header)
  const other = weights.get('*')
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? other ?? 0
  const identity = weights.get('identity')
  if (gzip === 0) return false
  if ((identity ?? other) === 0) return true
  return byteLength >= MIN_COMPRESSED_BYTES && gzip >= (identity ?? 0)
}

const coding = /^\s*([\w!#$%&'*+.^`|~-]+)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i

/** Returns the weights of content codings by their names. Malformed elements are ignored. */
function parseWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const element of header.split(',')) {
    const [, name, weight = '1'] = coding.exec(element) ?? []
    if (name !== undefined) weights.set(name.toLowerCase(), Number(weight))
  }
  return weights
}
