/** The query options of an address, decoded, in their order. */
export type QueryOptions = ReadonlyMap<string, string>

/** An address below the service root in its two halves. */
export interface RelativeAddress {
  readonly path: string
  readonly options: QueryOptions
}

export function readAddress(address: string): RelativeAddress {
  const mark = address.indexOf('?')
  if (mark < 0) return { path: address, options: new Map() }
  const options = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(address.slice(mark + 1))) options.set(name, value)
  return { path: address.slice(0, mark), options }
}

/** Empty options are left out. What an address may hold as it is, stays readable. */
export function writeAddress(path: string, options: Iterable<readonly [string, string]>): string {
  const pairs = [...options]
    .filter(([, value]) => value.trim() !== '')
    .map(([name, value]) => `${readable(name)}=${readable(value)}`)
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

function readable(text: string): string {
  return encodeURIComponent(text).replace(/%(?:24|2C|2F|3A|40)/g, (escape) => decodeURIComponent(escape))
}
