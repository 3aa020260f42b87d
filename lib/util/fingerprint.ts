import { createHash } from 'node:crypto'

/**
 * Returns a hash of an object, the same in every process. Functions count by their source, and repeated objects once.
 *
 * @param excluded names of members that do not count
 */
export function fingerprintOf(object: object, excluded: ReadonlySet<string> = new Set()): string {
  const seen = new Set<unknown>()
  const replace = (name: string, value: unknown): unknown => {
    if (excluded.has(name)) return undefined
    if (typeof value === 'function' || typeof value === 'bigint') return String(value)
    if (typeof value !== 'object' || value === null) return value
    if (seen.has(value)) return 'seen'
    seen.add(value)
    return value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value
  }
  return createHash('sha256').update(JSON.stringify(object, replace)).digest('base64url')
}
