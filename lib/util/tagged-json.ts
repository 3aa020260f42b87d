const TAG = '$tagged'

/** Serializes plain data with dates, bytes and bigints, which {@link parseTagged} restores. */
export function stringifyTagged(value: unknown): string {
  return JSON.stringify(tagged(value))
}

function tagged(value: unknown): unknown {
  if (typeof value === 'bigint') return { [TAG]: 'bigint', value: value.toString() }
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return { [TAG]: 'date', value: value.getTime() }
  if (value instanceof Uint8Array) return { [TAG]: 'bytes', value: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(tagged)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, tagged(member)]))
}

/** Parses the result of {@link stringifyTagged}. */
export function parseTagged(text: string): unknown {
  return JSON.parse(text, (_name, value: unknown) => {
    if (typeof value !== 'object' || value === null || !(TAG in value)) return value
    const { [TAG]: tag, value: plain } = value as { readonly [TAG]: unknown; readonly value?: unknown }
    if (tag === 'bigint') return BigInt(String(plain))
    if (tag === 'date') return new Date(Number(plain))
    return tag === 'bytes' ? new Uint8Array(Buffer.from(String(plain), 'base64')) : value
  })
}
