import { createHmac, timingSafeEqual } from 'node:crypto'

/** Returns the first characters of an HMAC-SHA-256 of a text in base64url, each of whose characters has 6 bits. */
export function keyedHash(key: string | Uint8Array, text: string, length = 43): string {
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, length)
}

/** Compares two hashes in a time that does not depend on their characters. */
export function isSameHash(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
